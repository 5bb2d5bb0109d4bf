//! Findings about two sides, the most important first. Each rule is one function;
//! `docs/findings.md` explains it.
//!
//! A rule compares `good` with `bad`: the faster side with the slower one. Where neither is faster,
//! and for what has no good side, the baseline with the other.
//!
//! To add a finding: write its rule beside a similar one, list it in `rules.rs`, add its sentence
//! to `wording.rs`, its focus to `focus.rs`, and its section to `docs/findings.md`;
//! `docs/adding.md` has the steps. If it is the cause of other findings, `EFFECTS` must say so, or
//! both are shown.

mod cache;
mod case;
mod device;
mod differs;
mod drift;
mod failed;
mod flush;
mod focus;
mod incomplete;
mod nothing;
mod objects;
mod requests;
pub(crate) mod rules;
mod settings;
mod tail;
#[cfg(test)]
mod tests;
mod waiting;

pub use focus::{
    FindingShare, FindingTime, name as process_name, restored as restored_focus, spread_of,
    time_words,
};
pub use requests::block::BLOCK;
pub use settings::NAMED as NAMED_SETTINGS;
pub use waiting::held::LimiterReason;
pub use waiting::stalled::counted as stalled_requests;

use super::gains::AssumedGain;
use super::metric::Metric;
use super::pair::{Outcome, Pair};
use super::runs::run::ComparedRun;
use super::sentence::{Params, Sentence};
use super::settings::{SettingChange, changes};
use super::values::{ValuePair, ValuePairs};
use super::wording;
use super::work::SameWork;
use case::Case;
use focus::Focus;
use rules::{EFFECTS, OF_CHANGE, OF_TIME};
use seekscope_trace::protocol::FindingCode;
use seekscope_trace::sorting::{SortShort, map_of};
use serde::Serialize;

/// Where a finding can be seen on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceChart {
    QueueDepth,
    SeekMap,
    Stages,
    Latency,
    RequestSizes,
    Flushes,
    Alignment,
    Quality,
    Differences,
    Tail,
}

/// The chart, run and time in which a finding is visible.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingEvidence {
    pub chart: EvidenceChart,
    /// Index of the run to look at.
    pub run: usize,
    /// The time to look at, ns since the first event of the run; absent for the whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<(u64, u64)>,
}

/// A finding about two sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Name in documents and links; stable.
    pub code: FindingCode,
    /// Place in the list, from 1.
    pub rank: usize,
    /// The sentence with both figures, in ASCII.
    pub sentence: String,
    /// The sentence in parts, for outputs with other formats of numbers.
    pub parts: Sentence,
    /// The sentence in parts without its likely cause, for a headline beside which `settings`
    /// stand; absent where it names none.
    #[serde(skip_serializing_if = "Sentence::is_empty")]
    pub effect: Sentence,
    /// Values of the baseline and the other side, by key.
    pub figures: ValuePairs,
    /// The figure that it is about first, by key: what a list of findings shows of it. Absent for
    /// findings about no figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<&'static str>,
    pub evidence: FindingEvidence,
    /// The rule with its thresholds.
    pub rule: String,
    /// Upper bound of its share of the lost time: above 0, up to 1. Absent where no time is lost,
    /// where that is unsure, or where the trace gives none for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accounts_for: Option<f64>,
    /// Whose requests it concerns, the largest shares first; at most three of a kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub who: Vec<FindingShare>,
    /// The intervals of the evidence's run in which the effect is concentrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<FindingTime>,
    /// `who` and `when` in words.
    #[serde(skip_serializing_if = "Sentence::is_empty")]
    pub focus: Sentence,
    /// What held requests back on the worse side, and less on the other one, by its own
    /// tracepoints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<LimiterReason>,
    /// What would be won without its cause; absent where no bound applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<AssumedGain>,
    /// Changed settings that can explain it; for `setting-changed` all that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<SettingChange>,
}

/// A rule's answer, before it is ranked.
pub struct Draft {
    code: &'static str,
    /// Parameters of its template in `wording.rs`.
    params: Params,
    /// Keys of the figures that it is about, the main one first.
    keys: &'static [&'static str],
    /// Further values that are no metrics, baseline first.
    more: Vec<(&'static str, ValuePair)>,
    chart: EvidenceChart,
    range: Option<(u64, u64)>,
    /// Upper bound of its share of the lost time.
    part: Option<f64>,
    /// Findings of a higher class come first, whatever their part.
    class: u8,
}

/// Findings on which the others depend.
const FIRST: u8 = 2;
/// Findings about time.
const TIME: u8 = 1;
/// Other changes.
const CHANGE: u8 = 0;

/// Applies all rules in both directions, removes effects of other findings, and ranks the rest.
pub fn findings(
    runs: &[ComparedRun],
    pair: &Pair,
    work: &SameWork,
    list: &[Metric],
) -> Vec<Finding> {
    let outcome = pair.outcome();
    // If both sides are equal, neither lost time: then both flags are false.
    let slower = matches!(outcome, Outcome::Slower | Outcome::MaybeSlower);
    let faster = matches!(outcome, Outcome::Faster | Outcome::MaybeFaster);
    let unsure = outcome.is_unsure();
    let inverse = Pair::new(pair.b, pair.a, list, pair.noise);
    let forward = Case {
        pair,
        runs,
        slower,
        unsure,
        swapped: false,
    };
    let backward = Case {
        pair: &inverse,
        runs,
        slower: faster,
        unsure,
        swapped: true,
    };
    let (worse, better) = if faster {
        (&backward, &forward)
    } else {
        (&forward, &backward)
    };
    let mut found: Vec<(Draft, &Case)> = Vec::new();
    // What is worse on the other side is reported too, unless a finding of the same code exists.
    for case in [worse, better] {
        for f in OF_TIME
            .iter()
            .chain(&OF_CHANGE)
            .filter_map(|rule| rule(case))
        {
            if found.iter().all(|(draft, _)| draft.code != f.code) {
                found.push((f, case));
            }
        }
    }
    explain(&mut found);
    let with_process = [&forward, &backward]
        .into_iter()
        .find(|case| waiting::other_process::present(case.pair.a, case.pair.b));
    let other =
        with_process.and_then(|case| Some((waiting::other_process::other(case, list)?, case)));
    if let Some(with) = with_process.filter(|_| !work.same) {
        // The work differs by the process, so figures of the side without it are not comparable.
        found.retain(|(_, case)| case.swapped == with.swapped);
    }
    if work.same {
        for case in [worse, better] {
            found.extend(drift::within_run(case).map(|f| (f, case)));
        }
    }
    let failures = [&forward, &backward]
        .into_iter()
        .find_map(|case| Some((failed::appeared(case)?, case)));
    if found.is_empty() && work.same && other.is_none() && failures.is_none() {
        let found_more =
            differs::differently(&forward, list).or_else(|| nothing::nothing(&forward, list));
        found.extend(found_more.map(|f| (f, &forward)));
    }
    let changed = changes(runs, pair.a, pair.b);
    found.extend(settings::changed(&forward, &changed).map(|f| (f, &forward)));
    found.extend(incomplete::incomplete(&forward).map(|f| (f, &forward)));
    found.extend(incomplete::other_work(&forward, work).map(|f| (f, &forward)));
    found.extend(other);
    found.extend(failures);
    // The sort is stable: findings of equal weight keep the order of their rules.
    found.sort_short_by(|(x, case_x), (y, case_y)| {
        y.class
            .cmp(&x.class)
            .then(weight(y, case_y).total_cmp(&weight(x, case_x)))
    });
    found
        .into_iter()
        .enumerate()
        .map(|(i, (f, case))| ranked(i, f, case, pair, &changed))
        .collect()
}

/// What findings of a class are ranked by: their part of the lost time, with that of their effects.
fn weight(f: &Draft, case: &Case) -> f64 {
    let weight = match f.code {
        // The limit makes the queue shallow.
        waiting::writes::CODE => Some(1.0),
        waiting::starved::CODE => waiting::starved::weight(case),
        // What is slower in the device is so because of them, if they are the cause.
        objects::fragmented::CODE => objects::fragmented::weight(case),
        objects::elsewhere::CODE => objects::elsewhere::weight(case),
        _ => f.part,
    };
    weight.unwrap_or(0.0)
}

/// Removes findings that are effects of another one about the same side.
fn explain(found: &mut Vec<(Draft, &Case)>) {
    for (causes, effects) in EFFECTS {
        let mut of_side = [false; 2];
        for (_, case) in found.iter().filter(|(f, _)| causes.contains(&f.code)) {
            of_side[usize::from(case.swapped)] = true;
        }
        found.retain(|(f, case)| !of_side[usize::from(case.swapped)] || !effects.contains(&f.code));
    }
}

fn ranked(i: usize, f: Draft, case: &Case, pair: &Pair, changed: &[SettingChange]) -> Finding {
    let run = case.pair.b.runs[0];
    let both = |key: &str| (key.to_owned(), (pair.a(key), pair.b(key)));
    let mut parts = f.params.fill(wording::finding(f.code));
    let (held, words) = waiting::held::reasons(f.code, case);
    parts.extend(words);
    let settings = if f.code == settings::CODE {
        changed.to_vec()
    } else {
        settings::causes(f.code, case, changed)
    };
    let mut effect = Sentence::default();
    if f.code != settings::CODE && !settings.is_empty() {
        effect = parts.clone();
        parts.extend(settings::cause(case, &settings));
    }
    let Focus {
        who,
        when,
        words: focus,
    } = focus::focus(f.code, case);
    Finding {
        code: f.code,
        rank: i + 1,
        sentence: parts.ascii(),
        parts,
        effect,
        figures: map_of(
            f.keys
                .iter()
                .map(|key| both(key))
                .chain(
                    f.more
                        .into_iter()
                        .map(|(key, values)| (key.to_owned(), values)),
                )
                .filter(|(_, v)| v.0.is_some() || v.1.is_some()),
        ),
        figure: f.keys.first().copied().filter(|key| {
            let values = (pair.a(key), pair.b(key));
            values.0.is_some() || values.1.is_some()
        }),
        evidence: FindingEvidence {
            chart: f.chart,
            run,
            range: f.range,
        },
        rule: rules::in_words(f.code),
        // What is not certainly lost is not accounted for.
        accounts_for: f.part.filter(|_| !case.unsure),
        who,
        when,
        focus,
        held,
        gain: AssumedGain::of_finding(
            f.code,
            case.pair.b.devices(),
            case.both("depth.mean").map(|(good, _)| good),
            case.params(),
        ),
        settings,
    }
}
