//! The outputs of `tests/reports` under other titles, in other orders and within other forms of mails:
//! the structure that people give a text is found whatever they call its parts.

mod truth;

use seekscope_notes::results::ResultSet;
use truth::{InputFile, Truth, cases, faults, read_files};

/// What sides are called.
const LABELS: [[&str; 3]; 12] = [
    ["4.4.0", "4.15.0", "4.19.2"],
    ["5.10.0-9-amd64", "5.14.0-2-amd64", "6.1.0-13-amd64"],
    ["v6.9", "v6.10", "v6.11-rc1"],
    ["noop", "deadline", "cfq"],
    ["before", "after", "after the fix"],
    ["mainline", "linux-next", "mm-unstable"],
    ["RAID5", "RAID10", "RAID6"],
    ["old firmware", "new firmware", "beta firmware"],
    ["data=ordered", "data=writeback", "data=journal"],
    ["Debian 11", "Debian 12", "Debian 13"],
    ["VM A", "VM B", "VM C"],
    ["1a2b3c4d5e", "9f8e7d6c5b", "77aa88bb99"],
];

const INTRODUCTIONS: [&str; 4] = [
    "",
    "These are the numbers from my test box.\n\n",
    "Hi,\n\nit is slower. The machine has 8 GB of RAM and 2 disks.\n\n",
    "I ran the same job on both.\n\n",
];

/// A title, as people write it above an output.
fn title(style: usize, label: &str, index: usize) -> Option<String> {
    let rule = |mark: &str| mark.repeat(label.len());
    let number = index + 1;
    Some(match style {
        0 => format!("{label}:\n"),
        1 => format!("{label}:\n\n"),
        2 => format!("* {label}\n\n"),
        3 => format!("{label}\n{}\n\n", rule("-")),
        4 => format!("{label}\n{}\n\n", rule("=")),
        5 => format!("# {label}\n"),
        6 => format!("### {label}\n\n"),
        7 => format!("**{label}**\n\n"),
        8 => format!("[{label}]\n"),
        9 => format!("{number}) {label}:\n\n"),
        10 => format!("{number}. {label}\n\n"),
        11 => format!("Results for {label}:\n"),
        12 => format!("On {label}:\n"),
        13 => format!("=== {label} ===\n"),
        14 => format!("#### {label} ####\n"),
        15 => format!("==> {label} <==\n"),
        16 => format!("@ {label}\n"),
        17 => format!("{label}\n\n"),
        18 => format!("$ echo \"=== {label}\"\n=== {label}\n"),
        _ => return None,
    })
}

/// A form in which a text arrives.
fn wrapped(form: usize, text: &str) -> String {
    let prefixed = |prefix: &str| -> String {
        text.lines()
            .map(|line| format!("{prefix}{line}\n"))
            .collect()
    };
    match form {
        0 => text.to_owned(),
        1 => format!(
            "On Friday the tester wrote:\n{}\nLooks bad.\n",
            prefixed("> ")
        ),
        2 => prefixed(">"),
        3 => prefixed("    "),
        4 => text.replace('\n', "\r\n"),
        _ => format!(
            "From: a <a@example.org>\nTo: b@example.org\nSubject: slower\nContent-Type: text/plain\n\n{text}"
        ),
    }
}

const FORMS: usize = 6;

/// The texts of a case whose sides are files, in the order of the sides.
fn sides(truth: &Truth, files: &[InputFile]) -> Option<Vec<String>> {
    let mut names: Vec<&str> = Vec::new();
    for row in &truth.rows {
        if !names.contains(&row.side.as_str()) {
            names.push(&row.side);
        }
    }
    let plain = files.len() == names.len() && files.len() == truth.paths.len();
    if !plain || !(2..=3).contains(&names.len()) || truth.is_refused {
        return None;
    }
    let texts = files.iter().map(|(_, _, bytes)| {
        let text = std::str::from_utf8(bytes).ok()?.replace("\r\n", "\n");
        (!text.starts_with("From") && !text.contains('\u{1b}')).then_some(text)
    });
    texts.collect()
}

/// Whether the sides of some table have these labels. Of `data=ordered` the key may be the name of the
/// dimension.
fn has_labels(set: &ResultSet, labels: &[&str]) -> bool {
    set.tables.iter().any(|table| {
        labels.iter().all(|label| {
            let value_alone = label.split('=').next_back().unwrap_or(label);
            let called = |value: &String| {
                value == value_alone || value.to_lowercase().contains(&label.to_lowercase())
            };
            table.runs.iter().any(|run| run.values.iter().any(called))
        })
    })
}

#[test]
fn outputs_are_told_apart_whatever_their_titles_are() {
    let mut failed = Vec::new();
    let mut count = 0;
    // Outputs of these name what they are of themselves.
    let named = ["lkp/", "benchstat/", "phoronix/"];
    for (name, truth, files) in cases() {
        let Some(texts) = sides(&truth, &files) else {
            continue;
        };
        if named.iter().any(|family| name.starts_with(family)) {
            continue;
        }
        for step in 0..3 {
            count += 1;
            let labels = &LABELS[(count * 5) % LABELS.len()][..texts.len()];
            let mut text = INTRODUCTIONS[count % INTRODUCTIONS.len()].to_owned();
            let style = (count * 7 + step) % 19;
            let mut order: Vec<usize> = (0..texts.len()).collect();
            if count % 2 == 1 {
                order.reverse();
            }
            for (index, side) in order.into_iter().enumerate() {
                text.push_str(&title(style, labels[side], index).expect("a style"));
                text.push_str(texts[side].trim_end_matches('\n'));
                text.push_str("\n\n");
            }
            let text = wrapped(count % FORMS, &text);
            let set = read_files(&[("notes.txt".to_owned(), 0, text.clone().into_bytes())]);
            let mut faults = faults(&truth, &set);
            if !has_labels(&set, labels) {
                faults.push(format!("no table has the sides {labels:?}"));
            }
            if !faults.is_empty() {
                let shown: String = text.chars().take(200).collect();
                failed.push(format!("{name}: {}\n{shown}", faults[0]));
            }
        }
    }
    assert!(count > 100, "{count} texts");
    assert!(
        failed.is_empty(),
        "{} of {count}:\n{}",
        failed.len(),
        failed.join("\n\n")
    );
}
