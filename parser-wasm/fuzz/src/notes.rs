//! Texts beside a trace: whatever they hold, a bounded number of facts that JSON can carry.

use seekscope_core::notes::{Files, Value, beside, read};

/// # Panics
/// When a fact is no number, or a note takes more room than its text may.
pub fn any(data: &[u8]) {
    let note = read("run/note.txt", data);
    assert!(note.facts.len() <= 400 && note.lines.len() <= 8);
    for fact in &note.facts {
        match &fact.value {
            Value::Number(n) => assert!(n.is_finite(), "{}", fact.key),
            Value::Text(text) => assert!(text.chars().count() <= 300, "{}", fact.key),
        }
    }
    let traces = [("trace", "run/trace.blktrace.0"), ("sda", "sda.blktrace.0")];
    let traces = traces.map(|(label, path)| Files { label: label.to_owned(), paths: vec![path.to_owned()] });
    let told = beside(&traces, vec![note]);
    assert_eq!((told.notes[0].traces.as_slice(), told.runs.len()), (&[0][..], 2));
    serde_json::to_string(&told).expect("facts are JSON");
}
