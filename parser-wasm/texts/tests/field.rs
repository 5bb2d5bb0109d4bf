//! Inputs of `tests/field`, made after what people posted: what is read of them, and what is
//! compared.

use seekscope_notes::results::{Arrangement, ResultRun, ResultSet};
use seekscope_texts::{TextInput, read};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/field")
}

fn add_files(path: &Path, argument: usize, found: &mut Vec<(String, usize, Vec<u8>)>) {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = fs::read_dir(path)
            .expect("a folder")
            .flatten()
            .map(|entry| entry.path())
            .collect();
        entries.sort();
        for entry in entries {
            add_files(&entry, argument, found);
        }
    } else {
        let bytes = fs::read(path).expect("a file");
        found.push((path.to_string_lossy().into_owned(), argument, bytes));
    }
}

fn read_paths(paths: &str) -> ResultSet {
    let mut files = Vec::new();
    for (argument, path) in paths.split(' ').enumerate() {
        add_files(&root().join(path), argument, &mut files);
    }
    let inputs: Vec<TextInput> = files
        .iter()
        .map(|(path, argument, bytes)| TextInput {
            path,
            argument: Some(*argument),
            bytes,
        })
        .collect();
    read(&inputs)
}

/// Values of a run, label and number of a figure.
type Value = (String, String, f64);

fn values(run: &ResultRun) -> impl Iterator<Item = Value> + '_ {
    let side = run.values.join(" / ");
    run.figures
        .iter()
        .map(move |figure| (side.clone(), figure.label.clone(), figure.value))
}

/// All pairs of figures that are compared, and all figures.
fn figures(set: &ResultSet) -> (Vec<(Value, Value)>, Vec<Value>) {
    let (mut pairs, mut all) = (Vec::new(), Vec::new());
    for table in &set.tables {
        all.extend(table.runs.iter().flat_map(values));
        let arranged = Arrangement::new(table);
        for (base, other) in &arranged.pairs {
            let of_cell = |cell: usize| -> Vec<Value> {
                let runs = arranged.cells[cell].iter();
                runs.flat_map(|run| values(&table.runs[*run])).collect()
            };
            let others = of_cell(*other);
            for figure in of_cell(*base) {
                let same = others.iter().filter(|other| other.1 == figure.1);
                pairs.extend(same.map(|other| (figure.clone(), other.clone())));
            }
        }
    }
    (pairs, all)
}

#[test]
fn inputs_of_the_field_are_read_as_their_notes_say() {
    let expected = fs::read_to_string(root().join("expected.tsv")).expect("the table");
    let mut cases: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let paths = fields.next().expect("paths");
        cases.entry(paths).or_default().push(fields.collect());
    }
    assert!(cases.len() > 50, "{} cases", cases.len());
    let is_close = |a: f64, b: &str| {
        let b: f64 = b.parse().expect("a number");
        (a - b).abs() <= 1e-6 * b.abs()
    };
    let mut faults = Vec::new();
    for (paths, rows) in cases {
        let set = read_paths(paths);
        let (pairs, all) = figures(&set);
        for row in rows {
            let found = match row.as_slice() {
                [] => all.is_empty(),
                [base, other, label, first, second] if !second.is_empty() => {
                    pairs.iter().any(|(a, b)| {
                        let values = is_close(a.2, first) && is_close(b.2, second);
                        a.0 == *base && b.0 == *other && a.1 == *label && values
                    })
                }
                [side, _, label, value, _] => all
                    .iter()
                    .any(|a| a.0 == *side && a.1 == *label && is_close(a.2, value)),
                _ => panic!("{row:?} is no row"),
            };
            if !found {
                faults.push(format!("{paths}: {row:?}, but {:?}", all.first()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
