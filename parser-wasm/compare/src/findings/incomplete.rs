//! The first questions: are the traces complete, and was the work the same?

use super::{Case, Draft, EvidenceChart, FIRST};
use crate::runs::run::{ComparisonSide, letter};
use crate::runs::work_bytes::SAME;
use crate::sentence::{Param, Params, Sentence};
use crate::threshold::{percent, points};
use crate::wording;
use crate::work::{MIX, SameWork};
use seekscope_trace::quantity::Unit;

pub fn incomplete_rule() -> String {
    "events were lost (gaps in sequence numbers, drops reported by blktrace, or intervals with \
     unmatched events), or a file is truncated"
        .to_owned()
}

/// `trace-incomplete`
pub fn incomplete(case: &Case) -> Option<Draft> {
    let runs: Vec<Sentence> = [case.pair.a, case.pair.b]
        .into_iter()
        .flat_map(|side| missing(case, side))
        .collect();
    (!runs.is_empty()).then(|| Draft {
        code: "trace-incomplete",
        params: case
            .params()
            .with("runs", Param::Parts(Sentence::joined(runs))),
        keys: &[],
        more: Vec::new(),
        chart: EvidenceChart::Quality,
        range: None,
        part: None,
        class: FIRST,
    })
}

fn missing(case: &Case, side: &ComparisonSide) -> Vec<Sentence> {
    let run = |&index: &usize| {
        let run = &case.runs[index];
        let quality = &run.trace.quality;
        let name = if side.runs.len() > 1 {
            format!("{} ({})", run.label, letter(index))
        } else {
            side.label.clone()
        };
        let counts = Params::default()
            .value("lost", quality.lost_events as f64, Unit::Count)
            .value("intervals", quality.holes as f64, Unit::Count);
        let reasons = [
            (quality.lost_events > 0, wording::LOST),
            (quality.holes > 0, wording::HOLES),
            (quality.truncated_bytes > 0, wording::TRUNCATED),
        ];
        let mut missing = Sentence::default();
        for (i, (_, template)) in reasons.iter().filter(|(holds, _)| *holds).enumerate() {
            missing.text(if i == 0 { "" } else { ", " });
            missing.extend(counts.fill(template));
        }
        let params = Params::default()
            .with("run", Param::Text(name))
            .with("missing", Param::Parts(missing));
        reasons
            .iter()
            .any(|(holds, _)| *holds)
            .then(|| params.fill(wording::MISSING))
    };
    side.runs.iter().filter_map(run).collect()
}

pub fn other_work_rule() -> String {
    format!(
        "requested bytes differ by more than {} (and so do run times), the mix of operations by \
         more than {}, the number of processes differs, or different parts of the recordings were \
         read",
        percent(SAME),
        points(MIX),
    )
}

/// `not-the-same-work`
pub fn other_work(case: &Case, work: &SameWork) -> Option<Draft> {
    (!work.same).then(|| Draft {
        code: "not-the-same-work",
        params: case.params().with("why", Param::Parts(work.parts.clone())),
        keys: &["bytes.read", "bytes.write", "bytes.discard", "span"],
        more: Vec::new(),
        chart: EvidenceChart::Differences,
        range: None,
        part: None,
        class: FIRST,
    })
}
