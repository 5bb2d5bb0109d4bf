//! The first questions: are the traces whole, and was it the same work?

use super::{Case, FIRST, Found};
use crate::compare::run::{Side, letter};
use crate::compare::work::Work;

/// `trace-incomplete`
pub fn incomplete(case: &Case) -> Option<Found> {
    let said: Vec<String> = [case.pair.a, case.pair.b].into_iter().flat_map(|side| missing(case, side)).collect();
    (!said.is_empty()).then(|| Found {
        code: "trace-incomplete",
        sentence: format!(
            "Events are missing: {}. Figures of depth, waiting and latency are not to be trusted.",
            said.join("; ")
        ),
        keys: &[],
        more: Vec::new(),
        chart: "quality",
        range: None,
        rule: "events were lost (by sequences, the tracer's word, or holes in which partners are missing), or a file is cut",
        part: None,
        class: FIRST,
    })
}

fn missing(case: &Case, side: &Side) -> Vec<String> {
    let run = |&at: &usize| {
        let run = &case.runs[at];
        let quality = &run.trace.quality;
        let name = if side.runs.len() > 1 { format!("{} ({})", run.label, letter(at)) } else { side.label.clone() };
        let mut words = Vec::new();
        if quality.lost_events > 0 {
            words.push(format!("{} events were lost", crate::compare::quantity::digits(quality.lost_events as f64)));
        }
        if quality.holes > 0 {
            words.push(format!("events are missing in {} intervals", quality.holes));
        }
        if quality.truncated_bytes > 0 {
            words.push("a file is cut".to_owned());
        }
        (!words.is_empty()).then(|| format!("in {name}, {}", words.join(" and ")))
    };
    side.runs.iter().filter_map(run).collect()
}

/// `not-the-same-work`
pub fn other_work(_case: &Case, work: &Work) -> Option<Found> {
    (!work.same).then(|| Found {
        code: "not-the-same-work",
        sentence: format!("It was not the same work: {}.", work.why),
        keys: &["bytes.read", "bytes.write", "bytes.discard", "span"],
        more: Vec::new(),
        chart: "differences",
        range: None,
        rule: "bytes asked for differ by more than 10 % (and so do run times), the mix of operations by more than 10 points, or the number of processes differs",
        part: None,
        class: FIRST,
    })
}
