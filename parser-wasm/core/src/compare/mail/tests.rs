use super::super::{CompareQuery, ComparedRun, compare};
use super::layout::{WIDTH, hung, wrapped};

fn fits(text: &str) {
    for line in text.lines() {
        assert!(line.len() <= WIDTH, "{} columns: {line}", line.len());
        assert!(line.bytes().all(|b| (b' '..=b'~').contains(&b)), "not ASCII: {line}");
    }
}

#[test]
fn words_break_where_they_must() {
    let long = "a".repeat(150);
    let lines = hung("12. ", &format!("short {long} end \u{b5}s \u{4e2d}"));
    assert!(lines.iter().all(|line| line.len() <= WIDTH), "{lines:?}");
    assert_eq!(lines.concat().matches('a').count(), 150);
    assert!(lines.last().unwrap().ends_with("end us ?"));
    assert_eq!(wrapped(""), [""]);
}

#[test]
fn nothing_and_nobody() {
    let query = CompareQuery::default();
    let text = super::text(&query, &compare(&query));
    assert!(text.contains("nothing to compare"));
    fits(&text);
}

#[test]
fn labels_of_any_length_and_script_fit() {
    let label = format!("{} \u{1f980} {}", "x".repeat(90), "label ".repeat(20));
    let run = ComparedRun { label, group: Some("\u{fc}".to_owned()), ..ComparedRun::default() };
    let query = CompareQuery { runs: vec![run.clone(), run], baseline: 0, noise: None };
    fits(&super::text(&query, &compare(&query)));
}
