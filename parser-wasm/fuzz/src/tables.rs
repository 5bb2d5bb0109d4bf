//! Texts with tables and reports of benchmarks: whatever they hold, a bounded number of runs with
//! finite figures, and matrices that JSON and mail text can carry.

use seekscope_core::compare;
use seekscope_core::results::{ResultLayout, ResultSet};
use seekscope_texts::{TextInput, nearest, read};

/// # Panics
/// When a figure is no number, a run has other dimensions than its table, or a text is wider than a
/// mail.
pub fn any(data: &[u8]) {
    // Two files also have dimensions in their names.
    let (a, b) = data.split_at(data.len() / 2);
    for texts in [
        vec![("mail.txt", data)],
        vec![("6.1-r1.txt", a), ("6.12-r1.txt", b)],
    ] {
        let texts: Vec<TextInput> = texts
            .into_iter()
            .enumerate()
            .map(|(argument, (path, bytes))| TextInput {
                path,
                argument: Some(argument),
                bytes,
            })
            .collect();
        let set = read(&texts);
        let refusal = nearest::refusal("mail.txt", data, data.len() as u64, true);
        if let Some(place) = refusal.and_then(|error| error.at) {
            assert!(place.byte.is_none_or(|byte| byte <= data.len() as u64));
        }
        for table in &set.tables {
            for run in &table.runs {
                assert_eq!(run.values.len(), table.dimensions.len());
                assert!(run.figures.iter().all(|figure| figure.value.is_finite()));
            }
        }
        let document = compare::results(&set);
        serde_json::to_string(&document).expect("results are JSON");
        let text = compare::tables::results::text(&document);
        assert!(
            text.is_ascii() && text.lines().all(|line| line.len() <= 72),
            "{text}"
        );
        for table in 0..set.tables.len().min(3) {
            moved(set.clone(), table, data);
        }
    }
}

/// Lays out a table with its dimensions on other axes, chosen by the data.
fn moved(set: ResultSet, table: usize, data: &[u8]) {
    let on = |side: u8| {
        let dimensions = set.tables[table].dimensions.iter().enumerate();
        let chosen = dimensions.filter(|(i, _)| data.get(*i).is_some_and(|byte| byte % 3 == side));
        Some(chosen.map(|(_, dimension)| dimension.key.clone()).collect())
    };
    let layout = ResultLayout {
        table,
        rows: on(0),
        columns: on(1),
        ..ResultLayout::default()
    };
    let document = compare::results(&set.laid_out(&layout));
    let text = compare::tables::results::text(&document);
    assert!(
        text.is_ascii() && text.lines().all(|line| line.len() <= 72),
        "{text}"
    );
}
