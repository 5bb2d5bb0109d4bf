//! Decides by their names which runs repeat one measurement. A wrong group hides a difference, so a
//! name that may be a parameter is not taken as a repeat.

use super::token::{Token, TokenKind, bracketed};
use super::{Dimension, RepeatGroup, RunNames, date};
use seekscope_trace::sorting::SortShort;

/// The key of the dimension.
pub const KEY: &str = "repeat";

/// Turns numbers that may count repeats into repeats, or back into plain numbers.
pub fn settle(named: &mut [Vec<Token>]) {
    for prefix in ["r", ""] {
        let is_serial = |token: &Token| token.kind == TokenKind::Serial(prefix);
        let counts = count_repeats(named, prefix);
        for tokens in named.iter_mut() {
            let repeated = tokens.iter().any(is_repeat);
            for token in tokens.iter_mut().filter(|token| is_serial(token)) {
                if counts && !repeated {
                    token.kind = TokenKind::Of(KEY.to_owned());
                } else if prefix.is_empty() {
                    token.kind = TokenKind::Of("number".to_owned());
                } else {
                    token.kind = TokenKind::Of(prefix.to_owned());
                    token.value.insert_str(0, prefix);
                }
            }
        }
    }
}

fn is_repeat(token: &Token) -> bool {
    matches!(&token.kind, TokenKind::Of(key) if key == KEY)
}

/// Whether the numbers count from 0 or 1 in at least two groups of otherwise equal names. Dates are
/// those of the repeats, or what is compared.
fn count_repeats(named: &[Vec<Token>], prefix: &'static str) -> bool {
    is_counted(named, prefix, &[KEY, date::KEY]) || is_counted(named, prefix, &[KEY])
}

fn is_counted(named: &[Vec<Token>], prefix: &'static str, ignored: &[&str]) -> bool {
    let is_serial = |token: &Token| token.kind == TokenKind::Serial(prefix);
    let is_ignored = |token: &Token| match &token.kind {
        TokenKind::Of(key) => ignored.contains(&key.as_str()),
        TokenKind::Serial(_) => true,
        TokenKind::Word => false,
    };
    let mut groups: Vec<(Vec<&Token>, Vec<Option<u32>>)> = Vec::new();
    for tokens in named {
        let name: Vec<&Token> = tokens.iter().filter(|token| !is_ignored(token)).collect();
        let serial = tokens.iter().find(|token| is_serial(token));
        let number = serial.and_then(|token| token.value.parse().ok());
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push((name, vec![number])),
        }
    }
    // `r1, r2, r4` lacks a run, but `r1, r5, r10` are levels of a RAID.
    let all = || groups.iter().flat_map(|(_, numbers)| numbers);
    let gaps = !prefix.is_empty()
        && [1, 2]
            .iter()
            .all(|n| all().any(|number| number == &Some(*n)));
    groups.len() > 1
        && groups.iter().any(|(_, numbers)| numbers.len() > 1)
        && groups.iter().all(|(_, numbers)| is_counting(numbers, gaps))
}

/// `0, 1, 2`, `1, 2, 3`, or without a number for the first: `old`, `old-2`.
fn is_counting(numbers: &[Option<u32>], gaps: bool) -> bool {
    let mut sorted: Vec<u32> = numbers.iter().map(|number| number.unwrap_or(1)).collect();
    sorted.sort_short();
    let distinct = sorted.windows(2).all(|pair| pair[0] < pair[1]);
    let consecutive = sorted.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let begins = sorted.first().is_some_and(|first| *first <= 1);
    distinct && (gaps || (consecutive && begins))
}

/// Numbers in brackets count repeats if a name has `(1)`: numbers that only make equal names unique
/// begin with `(2)`.
pub fn settle_brackets(labels: &[&str], named: &mut [Vec<Token>]) {
    let found: Vec<Option<(&str, u32)>> = labels.iter().map(|label| bracketed(label)).collect();
    if !found.iter().flatten().any(|(_, number)| *number == 1) {
        return;
    }
    for (bracket, tokens) in found.iter().zip(named) {
        if let Some((_, number)) = bracket
            && !tokens
                .iter()
                .any(|token| matches!(token.kind, TokenKind::Serial(_)))
        {
            tokens.push(Token {
                kind: TokenKind::Serial(""),
                value: number.to_string(),
            });
        }
    }
}

/// Runs that differ only in the repeat and in the date. None if no run is a repeat, if all runs
/// repeat one measurement, or if texts next to the runs show that repeats differ.
pub fn groups(parts: &[Dimension], values: &[Vec<String>], runs: &[RunNames]) -> Vec<RepeatGroup> {
    let place = |key: &str| parts.iter().position(|part| part.key == key);
    let (repeat, date) = (place(KEY), place(date::KEY));
    if repeat.is_none() && date.is_none() {
        return Vec::new();
    }
    let mut groups = group_by(values, &[repeat, date]);
    if groups.len() < 2 && repeat.is_some() {
        groups = group_by(values, &[repeat]);
    }
    let unnamed = |group: &RepeatGroup| group.label.is_empty() && group.runs.len() > 1;
    if groups.len() < 2
        || groups.iter().all(|group| group.runs.len() < 2)
        || groups.iter().any(unnamed)
        || !groups.iter().all(|group| agree(&group.runs, runs))
    {
        return Vec::new();
    }
    groups.retain(|group| !group.label.is_empty());
    groups
}

fn group_by(values: &[Vec<String>], ignored: &[Option<usize>]) -> Vec<RepeatGroup> {
    let mut groups: Vec<(Vec<&str>, Vec<usize>)> = Vec::new();
    for (run, values) in values.iter().enumerate() {
        let common: Vec<&str> = values
            .iter()
            .enumerate()
            .filter(|(part, _)| !ignored.contains(&Some(*part)))
            .map(|(_, value)| value.as_str())
            .collect();
        match groups.iter_mut().find(|(other, _)| *other == common) {
            Some((_, members)) => members.push(run),
            None => groups.push((common, vec![run])),
        }
    }
    groups
        .into_iter()
        .map(|(common, runs)| RepeatGroup {
            label: common
                .into_iter()
                .filter(|value| !value.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
            runs,
        })
        .collect()
}

/// Whether what texts say about these runs is the same, as far as they say it.
fn agree(members: &[usize], runs: &[RunNames]) -> bool {
    let runs: Vec<&RunNames> = members.iter().filter_map(|&run| runs.get(run)).collect();
    let same = |value: &dyn Fn(&RunNames) -> Option<String>| {
        let mut values = runs.iter().filter_map(|run| value(run));
        let first = values.next();
        values.all(|value| Some(value) == first)
    };
    let settings = || {
        runs.iter().enumerate().all(|(i, run)| {
            run.settings.iter().all(|setting| {
                let other = |other: &&RunNames| {
                    let of_key =
                        |s: &&super::Setting| s.key == setting.key && s.device == setting.device;
                    other
                        .settings
                        .iter()
                        .find(of_key)
                        .is_none_or(|other| other.value == setting.value)
                };
                runs[i + 1..].iter().all(other)
            })
        })
    };
    same(&|run| run.kernel.clone())
        && same(&|run| run.scheduler.clone())
        && same(&|run| run.workload.clone())
        && same(&|run| run.writers.map(|n| n.to_string()))
        && same(&|run| run.jobs.map(|n| n.to_string()))
        && settings()
}
