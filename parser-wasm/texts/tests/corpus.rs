//! The corpus of reports in `tests/reports`: every figure that a person would compare is compared,
//! with the right unit and the right other side, and nothing else is. The same layouts with other
//! numbers give the same.

mod truth;

use seekscope_notes::BenchFigure;
use truth::{InputFile, Truth, cases, faults, read_files};

#[test]
fn all_cases_are_read_as_their_truth_says() {
    let mut failed = Vec::new();
    let cases = cases();
    assert!(cases.len() > 150, "{} cases", cases.len());
    for (name, truth, files) in &cases {
        let faults = faults(truth, &read_files(files));
        if !faults.is_empty() {
            failed.push(format!("{name}: {}", faults.join("; ")));
        }
    }
    assert!(
        failed.is_empty(),
        "{} cases:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Each figure leads to its number: the digits in that place are those of the figure.
#[test]
fn places_lead_to_the_numbers() {
    for (name, _, files) in cases() {
        for run in read_files(&files)
            .tables
            .iter()
            .flat_map(|table| &table.runs)
        {
            for figure in &run.figures {
                let place = figure
                    .place
                    .as_ref()
                    .unwrap_or_else(|| panic!("{name}: {} has no place", figure.label));
                assert!(
                    place.columns[0] < place.columns[1],
                    "{name}: {}: {place:?}",
                    figure.label
                );
                assert!(
                    files.iter().any(|(path, ..)| *path == place.file),
                    "{name}: {place:?}"
                );
            }
        }
    }
}

/// Other digits in the same places: figures follow the text.
#[test]
fn the_same_layouts_with_other_numbers_give_the_same() {
    for (name, mut truth, mut files) in cases()
        .into_iter()
        .filter(|(name, ..)| name.starts_with("tables/"))
    {
        for row in 0..truth.rows.len() {
            rewrite(&mut truth, row, &mut files);
        }
        let faults = faults(&truth, &read_files(&files));
        assert!(faults.is_empty(), "{name}: {}", faults.join("; "));
    }
}

/// Replaces the digits of one figure where its number stands once in the files.
fn rewrite(truth: &mut Truth, row: usize, files: &mut [InputFile]) {
    let (_, value) = truth.rows[row].values[0];
    let set = read_files(files);
    let figures: Vec<&BenchFigure> = set
        .tables
        .iter()
        .flat_map(|t| &t.runs)
        .flat_map(|run| &run.figures)
        .collect();
    let mut found = figures
        .iter()
        .filter(|figure| (figure.value - value).abs() <= 1e-9 * value.abs());
    let (Some(figure), None) = (found.next(), found.next()) else {
        return;
    };
    let Some(place) = figure.place.clone() else {
        return;
    };
    let (_, _, bytes) = files
        .iter_mut()
        .find(|(path, ..)| *path == place.file)
        .expect("its file");
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = &lines[place.line as usize - 1];
    if !line.is_ascii() {
        return;
    }
    let range = place.columns[0] as usize - 1..place.columns[1] as usize - 1;
    let shown = line[range.clone()].to_owned();
    // The first digit goes one up, so that the width stays.
    let Some(digit) = shown.find(|c: char| ('1'..='8').contains(&c)) else {
        return;
    };
    let mut changed = shown.clone().into_bytes();
    changed[digit] += 1;
    let changed = String::from_utf8(changed).expect("digits");
    let number = |text: &str| {
        text.chars()
            .filter(|c| c.is_ascii_digit() || *c == '.')
            .collect::<String>()
            .parse::<f64>()
    };
    let (Ok(before), Ok(after)) = (number(&shown), number(&changed)) else {
        return;
    };
    let factor = after / before;
    lines[place.line as usize - 1].replace_range(range, &changed);
    *bytes = (lines.join("\n") + "\n").into_bytes();
    for value in &mut truth.rows[row].values {
        value.1 *= factor;
    }
}
