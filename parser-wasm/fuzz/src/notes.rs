//! Texts beside a trace: whatever they hold, a bounded number of facts that JSON can carry.

use seekscope_core::notes::{FactValue, TracePaths, assign};
use seekscope_texts::notes::read_notes;

/// # Panics
/// When a fact is no number, or a note takes more room than its text may.
pub fn any(data: &[u8]) {
    let note = read_notes(&[("run/note.txt", data)]).remove(0);
    assert!(note.facts.len() <= 400 && note.lines.len() <= 8);
    for fact in &note.facts {
        match &fact.value {
            FactValue::Number(n) => assert!(n.is_finite(), "{}", fact.key),
            FactValue::Text(text) => assert!(text.chars().count() <= 300, "{}", fact.key),
        }
    }
    let traces = [("trace", "run/trace.blktrace.0"), ("sda", "sda.blktrace.0")];
    let traces = traces.map(|(label, path)| TracePaths {
        label: label.to_owned(),
        paths: vec![path.to_owned()],
    });
    let facts = assign(&traces, vec![note]);
    assert_eq!(
        (facts.notes[0].traces.as_slice(), facts.runs.len()),
        (&[0][..], 2)
    );
    serde_json::to_string(&facts).expect("facts are JSON");
}
