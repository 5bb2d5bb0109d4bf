use super::super::{CompareQuery, ComparedRun, compare};
use super::layout::{WIDTH, hung, wrapped};
use crate::digest;
use seekscope_measure::Window;
use seekscope_trace::fixture::store;

fn fits(text: &str) {
    for line in text.lines() {
        assert!(line.len() <= WIDTH, "{} columns: {line}", line.len());
        assert!(
            line.bytes().all(|b| (b' '..=b'~').contains(&b)),
            "not ASCII: {line}"
        );
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
    assert!(text.contains("no device"));
    fits(&text);
}

#[test]
fn labels_of_any_length_and_script_fit() {
    let label = format!("{} \u{1f980} {}", "x".repeat(90), "label ".repeat(20));
    let run = ComparedRun {
        label,
        group: Some("\u{fc}".to_owned()),
        ..ComparedRun::default()
    };
    let query = CompareQuery {
        runs: vec![run.clone(), run],
        baseline: 0,
        noise: None,
    };
    fits(&super::text(&query, &compare(&query)));
}

#[test]
fn one_run_is_explained_in_72_columns() {
    let store = store("0 Q 0+8 R pid=7\n5 G 0+8 R pid=7\n10 D 0+8 R pid=7\n1030 C 0+8 R");
    let label = "a label that is longer than a line of a mail may be ".repeat(3);
    let run = ComparedRun {
        label,
        trace: digest(&store, Window::WHOLE, None),
        ..ComparedRun::default()
    };
    let query = CompareQuery {
        runs: vec![run.clone()],
        ..CompareQuery::default()
    };
    let text = super::text(&query, &compare(&query));
    fits(&text);
    for part in [
        "What held it back",
        "(nothing-held-back)",
        "alone in the device",
        "Process ",
        "Figures ",
        "Q2C ",
        "nr A",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        !text.contains("baseline") && !text.contains("compar"),
        "{text}"
    );
    let group = Some("g".to_owned());
    let query = CompareQuery {
        runs: vec![
            ComparedRun {
                group: group.clone(),
                ..run.clone()
            },
            ComparedRun { group, ..run },
        ],
        ..query
    };
    let text = super::text(&query, &compare(&query));
    fits(&text);
    assert!(
        text.contains("What held A back") && text.contains("What held B back"),
        "{text}"
    );
}
