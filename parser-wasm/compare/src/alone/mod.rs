//! One run explained by itself: what held its requests back, next to what the same device did
//! elsewhere in the run.
//!
//! A rule is one function. It claims only what the run shows: shares of its time, and stretches of
//! it that are compared with each other. All words are templates in `wording.rs`;
//! `docs/findings.md` explains each rule.

mod device;
mod facts;
pub(crate) mod rules;
mod stretch;
#[cfg(test)]
mod tests;
mod waiting;

use super::findings::{EvidenceChart, FindingEvidence, FindingTime, spread_of};
use super::gains::AssumedGain;
use super::runs::digest::DeviceDigest;
use super::runs::run::ComparedRun;
use super::runs::tail::{TailDigest, TailOutline};
use super::sentence::{Param, Params, Sentence};
use super::wording;
use seekscope_trace::protocol::RunFindingCode;
use seekscope_trace::sorting::{SortShort, map_of};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a run shows by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunExplanation {
    /// Index of the run.
    pub run: usize,
    /// Findings, the most important first; at least one.
    pub findings: Vec<RunFinding>,
    /// Why its slowest requests were slow; absent without requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<TailOutline>,
}

/// One finding about one run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunFinding {
    /// Name in documents and links; stable.
    pub code: RunFindingCode,
    /// Place in the list, from 1.
    pub rank: usize,
    /// The sentence in ASCII.
    pub sentence: String,
    /// The sentence in parts.
    pub parts: Sentence,
    /// Values of the figures that it is about, by key.
    pub figures: BTreeMap<String, f64>,
    pub evidence: FindingEvidence,
    /// Intervals in which the effect is concentrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<FindingTime>,
    /// What would be won without its cause; absent where no bound applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<AssumedGain>,
    /// The rule with its thresholds.
    pub rule: String,
    /// Share of the time of the run that the finding concerns; absent for what is no time of the
    /// device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

/// A rule's answer, before it is ranked.
struct RunDraft {
    code: &'static str,
    params: Params,
    keys: &'static [&'static str],
    chart: EvidenceChart,
    range: Option<(u64, u64)>,
    /// The figure whose time over the run is that of the finding.
    effect: Option<&'static str>,
    share: Option<f64>,
}

/// What a rule may look at.
struct RunCase<'a> {
    run: &'a ComparedRun,
    device: &'a DeviceDigest,
}

/// Explains a run; `index` is its place in the query. Absent for a run without a device.
pub fn explain(run: &ComparedRun, index: usize) -> Option<RunExplanation> {
    let case = RunCase {
        run,
        device: run.main()?,
    };
    let incomplete = facts::incomplete(&case);
    let failed = facts::failed(&case);
    let mut found: Vec<RunDraft> = match incomplete {
        // Times are wrong where events are missing.
        Some(incomplete) => vec![incomplete],
        None => rules::RULES.iter().filter_map(|rule| rule(&case)).collect(),
    };
    if found.is_empty() {
        found.push(facts::nothing(&case));
    }
    found.sort_short_by(|x, y| y.share.unwrap_or(0.0).total_cmp(&x.share.unwrap_or(0.0)));
    // A request that fails matters before any that is slow.
    match failed {
        Some((draft, false)) => found.insert(0, draft),
        Some((draft, true)) => found.push(draft),
        None => {}
    }
    let findings = found
        .into_iter()
        .enumerate()
        .map(|(i, draft)| case.ranked(i, index, draft))
        .collect();
    Some(RunExplanation {
        run: index,
        findings,
        tail: case.tail().map(TailOutline::new),
    })
}

impl RunCase<'_> {
    fn value(&self, key: &str) -> Option<f64> {
        self.device.figures.get(key).copied()
    }

    fn tail(&self) -> Option<&TailDigest> {
        self.device.tail.as_ref()
    }

    fn ranked(&self, i: usize, run: usize, draft: RunDraft) -> RunFinding {
        let parts = draft.params.fill(wording::alone(draft.code));
        let bins = draft.effect.and_then(|key| self.device.bins.sums.get(key));
        let when = bins.and_then(|sums| {
            let effect: Vec<f64> = sums.iter().map(|(over, _)| over.max(0.0)).collect();
            spread_of(&effect, self.device)
        });
        RunFinding {
            code: draft.code,
            rank: i + 1,
            sentence: parts.ascii(),
            parts,
            figures: map_of(
                draft
                    .keys
                    .iter()
                    .filter_map(|key| Some(((*key).to_owned(), self.value(key)?))),
            ),
            evidence: FindingEvidence {
                chart: draft.chart,
                run,
                range: draft.range,
            },
            when,
            gain: AssumedGain::of_run(draft.code, self.device),
            rule: rules::in_words(draft.code),
            share: draft.share,
        }
    }
}

/// Adds a parameter if there is text for it.
fn with_text(params: Params, name: &'static str, text: Option<String>) -> Params {
    match text {
        Some(text) => params.with(name, Param::Text(text)),
        None => params,
    }
}
