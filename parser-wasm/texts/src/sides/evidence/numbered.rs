//! Titles that number the repeats of several sides: `vanilla-1`, `vanilla-2`, `patched-1`.

use crate::file_name::stem;
use seekscope_notes::labels::{self, RunNames};
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// Limit for titles that are compared with each other.
const MAX_TITLES: usize = 64;

/// The titles without the numbers of repeats, by the rule that holds for names of files, and
/// without their endings where they are such names. `None` if a title has no such number at its
/// end, or fewer than two sides are left.
pub fn sides(titles: &[String]) -> Option<Vec<String>> {
    // `vanilla-1/out.txt`: what is the same in all names says nothing.
    let file = titles
        .first()
        .and_then(|title| title.rfind('/').map(|slash| &title[slash..]));
    let file = file.filter(|file| titles.iter().all(|title| title.ends_with(file)));
    let file = file.unwrap_or("");
    let distinct: BTreeSet<&str> = set_of(titles.iter().map(|title| name_in(title, file)));
    if distinct.len() < 3 || distinct.len() > MAX_TITLES || distinct.contains("") {
        return None;
    }
    let names: Vec<RunNames> = distinct
        .iter()
        .map(|title| RunNames {
            label: (*title).to_owned(),
            ..RunNames::default()
        })
        .collect();
    let guessed = labels::guess(&names);
    let repeat = guessed
        .parts
        .iter()
        .position(|part| part.key == labels::REPEAT)?;
    let sides: Vec<(&str, &str)> = distinct
        .iter()
        .zip(&guessed.runs)
        .map(|(title, values)| Some((*title, without_number(title, &values[repeat])?)))
        .collect::<Option<_>>()?;
    let named: BTreeSet<&str> = set_of(sides.iter().map(|(_, side)| *side));
    let side_of = |title: &String| {
        let title = name_in(title, file);
        let found = sides.iter().find(|(other, _)| *other == title);
        found.map_or(title, |(_, side)| side).to_owned()
    };
    (named.len() > 1 && named.len() < distinct.len()).then(|| titles.iter().map(side_of).collect())
}

/// A title without what is the same at the end of all, and without the ending of a file.
fn name_in<'a>(title: &'a str, file: &str) -> &'a str {
    stem(title.strip_suffix(file).unwrap_or(title))
}

/// A title without its number: `vanilla` of `vanilla-1`, `vanilla run 1` and `vanilla (#1)`.
fn without_number<'a>(title: &'a str, number: &str) -> Option<&'a str> {
    if number.is_empty() {
        return Some(title);
    }
    let is_mark = |c: char| c.is_whitespace() || "-_#(),:.".contains(c);
    let front = title.trim_end_matches(')').strip_suffix(number)?;
    let front = front.trim_end_matches(is_mark);
    let word = front
        .rsplit(is_mark)
        .next()
        .filter(|word| labels::repeat_of(&format!("{word} 1")).is_some());
    let side = front[..front.len() - word.map_or(0, str::len)].trim_end_matches(is_mark);
    (!side.is_empty()).then_some(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_repeats_are_no_part_of_a_side() {
        for titles in [
            ["vanilla-1", "vanilla-2", "patched-1", "patched-2"],
            [
                "vanilla run 1",
                "vanilla run 2",
                "patched run 1",
                "patched run 2",
            ],
            [
                "vanilla (#1)",
                "vanilla (#2)",
                "patched (#1)",
                "patched (#2)",
            ],
            [
                "vanilla-1.txt",
                "vanilla-2.txt",
                "patched-1.txt",
                "patched-2.txt",
            ],
            [
                "vanilla-1/out.txt",
                "vanilla-2/out.txt",
                "patched-1/out.txt",
                "patched-2/out.txt",
            ],
            ["vanilla", "vanilla-2", "patched", "patched-2"],
        ] {
            let found = sides(&titles.map(str::to_owned)).expect("repeats");
            assert_eq!(
                found,
                ["vanilla", "vanilla", "patched", "patched"],
                "{titles:?}"
            );
        }
    }

    #[test]
    fn other_numbers_stay() {
        for titles in [
            ["qd 1", "qd 4", "qd 16"],
            ["run 1", "run 2", "run 3"],
            ["vanilla", "patch-1", "patch-2"],
            ["5.4.0-1", "5.4.0-2", "5.5.0-1"],
            ["sda1", "sda2", "sdb1"],
        ] {
            assert_eq!(sides(&titles.map(str::to_owned)), None, "{titles:?}");
        }
    }
}
