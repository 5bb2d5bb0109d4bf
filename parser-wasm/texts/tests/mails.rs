//! Five reports as they were mailed or filed, with the numbers and layouts of real ones: all that a
//! reader would compare is read, under the labels that a reader would give, and nothing else.

use seekscope_notes::results::Arrangement;
use seekscope_texts::{TextInput, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mails")
}

/// A line of the truth: evidence, side, what was measured, figure, value.
type Row = [String; 5];

fn rows(mail: &str) -> BTreeSet<Row> {
    let bytes = fs::read(root().join(mail)).expect("a mail");
    let set = read(&[TextInput {
        path: mail,
        argument: None,
        bytes: &bytes,
    }]);
    let mut found = BTreeSet::new();
    for table in &set.tables {
        let arranged = Arrangement::new(table);
        assert!(!arranged.pairs.is_empty(), "{mail}: {}", table.title);
        for cell in &arranged.cells {
            assert!(cell.len() < 2, "{mail}: runs of one cell are averaged");
        }
        for run in &table.runs {
            for figure in &run.figures {
                found.insert([
                    table.evidence.clone(),
                    run.values[0].clone(),
                    run.values[1..].join(" / "),
                    figure.label.clone(),
                    format!("{:.9e}", figure.value),
                ]);
            }
        }
    }
    found
}

#[test]
fn mails_are_read_as_their_readers_do() {
    let expected = fs::read_to_string(root().join("expected.tsv")).expect("the truth");
    let mut mails: BTreeMap<&str, BTreeSet<Row>> = BTreeMap::new();
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [mail, evidence, side, rest, label, value] = fields[..] else {
            panic!("{line} is no row");
        };
        let value: f64 = value.parse().expect("a number");
        let value = format!("{value:.9e}");
        let row = [evidence, side, rest, label, &value].map(str::to_owned);
        mails.entry(mail).or_default().insert(row);
    }
    assert_eq!(mails.len(), 5);
    for (mail, expected) in mails {
        let found = rows(mail);
        let missing: Vec<&Row> = expected.difference(&found).collect();
        let wrong: Vec<&Row> = found.difference(&expected).collect();
        assert!(
            missing.is_empty() && wrong.is_empty(),
            "{mail}: missing {missing:?}, wrong {wrong:?}"
        );
    }
}
