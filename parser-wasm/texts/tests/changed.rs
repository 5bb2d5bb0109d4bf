//! The corpus of reports as the tools of people change it on its way: quoted, numbered, with
//! another space between its lines, or with two files in one mail. The figures stay the same.

mod truth;

use truth::{InputFile, cases, faults, read_files};

type Change = fn(&str) -> String;
/// An output below the name of its side; the number is that of the output.
type Titled = fn(usize, &str, &str) -> String;

fn each_line(text: &str, change: impl Fn(usize, &str) -> String) -> String {
    let lines = text.lines().enumerate();
    lines
        .map(|(index, line)| change(index, line) + "\n")
        .collect()
}

/// What mailers, loggers, editors and forms make of a text.
const CHANGES: [(&str, Change); 10] = [
    ("indented quotation", |text| {
        each_line(text, |_, line| format!("    > {line}"))
    }),
    ("numbers of lines", |text| {
        each_line(text, |index, line| format!("{:6}\t{line}", index + 1))
    }),
    ("an empty line behind each", |text| {
        each_line(text, |_, line| format!("{line}\r\n"))
    }),
    ("a comment", |text| {
        each_line(text, |_, line| format!("# {line}"))
    }),
    ("an added file", |text| {
        each_line(text, |_, line| format!("+{line}"))
    }),
    ("bars", |text| {
        each_line(text, |_, line| format!("| {line}"))
    }),
    ("dates", |text| {
        each_line(text, |_, line| format!("[2026-03-03 10:11:12] {line}"))
    }),
    ("blanks that do not break", |text| {
        text.replace(' ', "\u{a0}")
    }),
    ("HTML", |text| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let text = text.replace(' ', "&nbsp;").replace('\n', "<br>\n");
        format!("<html><body><div>{text}</div></body></html>")
    }),
    ("an indented block", |text| {
        format!(
            "Results::\n\n{}\nEnd.\n",
            each_line(text, |_, line| format!("    {line}"))
        )
    }),
];

/// Cases whose lines have such a prefix already, or that are two lines at most: too few to tell a
/// prefix from the text.
const PREFIXED: [&str; 4] = [
    "mail-forms/line-numbers",
    "tables/kernels-and-operations-as-labels",
    "fio-terse/v3-two-files",
    "dd/rates-only-files",
];

/// Titles by which people put two outputs into one text: what is above each output.
const TITLES: [(&str, Titled); 14] = [
    ("caption", |_, name, text| {
        format!("With {name}:\n\n{text}\n")
    }),
    ("box", |_, name, text| {
        format!("{0}\n* {name}\n{0}\n{text}", "*".repeat(40))
    }),
    ("rules", |_, name, text| {
        format!("{0}\n{name}\n{0}\n{text}", "-".repeat(31))
    }),
    ("file", |_, name, text| {
        format!("File: {name}.txt\n{text}\n")
    }),
    ("more", |_, name, text| {
        format!("{0}\n{name}.txt\n{0}\n{text}\n", ":".repeat(14))
    }),
    ("scissors", |_, name, text| {
        format!("8<------ {name} ------\n{text}8<------\n")
    }),
    ("arrow", |_, name, text| format!("---> {name}\n{text}\n")),
    ("begin and end", |_, name, text| {
        format!("----- start of {name} -----\n{text}----- end of {name} -----\n")
    }),
    ("sentence", |_, name, text| {
        format!("I ran it on an idle machine, three times. Results with {name}:\n\n{text}\n")
    }),
    ("quotation marks", |_, name, text| {
        format!("\u{201c}{name}\u{201d}\n\n{text}\n")
    }),
    ("fences", |_, name, text| {
        format!("```text title=\"{name}\"\n{text}```\n\n")
    }),
    ("session", |_, name, text| {
        format!("$ cat {name}/result.txt\n{text}\n")
    }),
    ("cells", |index, name, text| {
        let begin = if index == 0 { "<table><tr>" } else { "" };
        let end = if index == 1 { "</tr></table>\n" } else { "" };
        format!("{begin}<td>\n\n=== {name}\n```\n{text}```\n\n</td>{end}")
    }),
    ("kernel", |_, name, text| {
        format!("$ uname -r\n{name}\n$ ./run\n{text}\n")
    }),
];

/// The files of a case as texts; `None` where one is an archive, a mail, a page or data.
fn plain(files: &[InputFile]) -> Option<Vec<String>> {
    let text = |(path, _, bytes): &InputFile| {
        let text = String::from_utf8(bytes.clone()).ok()?;
        let is_data = [".json", ".csv", ".tsv", ".html", ".eml", ".mbox"]
            .iter()
            .any(|end| path.ends_with(end))
            || text.trim_start().starts_with(['{', '[', '<'])
            || text.contains('\r')
            || text.contains('\u{1b}');
        let is_mail = [
            "MIME-Version: ",
            "Content-Type: ",
            "Message-ID: ",
            "From ",
            "Received: ",
        ];
        let is_mail = text
            .lines()
            .any(|line| is_mail.iter().any(|begin| line.starts_with(begin)));
        (!is_data && !is_mail).then_some(text)
    };
    files.iter().map(text).collect()
}

#[test]
fn what_tools_put_around_lines_changes_no_figure() {
    let mut failed = Vec::new();
    let mut count = 0;
    for (name, truth, files) in cases() {
        let Some(texts) = plain(&files).filter(|_| !PREFIXED.contains(&name.as_str())) else {
            continue;
        };
        count += 1;
        for (change_name, change) in CHANGES {
            // The bar at the end of a histogram's line looks like that of a row.
            if change_name == "bars" && name.starts_with("histograms/") {
                continue;
            }
            let mut changed = files.clone();
            for (file, text) in changed.iter_mut().zip(&texts) {
                file.2 = change(text).into_bytes();
            }
            let faults = faults(&truth, &read_files(&changed));
            if !faults.is_empty() {
                failed.push(format!("{name}, {change_name}: {}", faults.join("; ")));
            }
        }
    }
    assert!(count > 100, "{count} cases");
    assert!(
        failed.is_empty(),
        "{}:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// The name of the side that a path names.
fn side_of(path: &str) -> String {
    let name = path.trim_end_matches('/');
    let end = [".txt", ".log", ".out", ".md", ".dat"];
    let end = end.iter().find_map(|end| name.strip_suffix(end));
    end.unwrap_or(name).replace('/', "-")
}

#[test]
fn titles_of_all_forms_name_the_outputs_of_one_mail() {
    let mut failed = Vec::new();
    let mut count = 0;
    for (name, truth, files) in cases() {
        let is_pair = truth.paths.len() == 2 && files.len() == 2 && !truth.is_refused;
        let Some(texts) = plain(&files).filter(|_| is_pair) else {
            continue;
        };
        count += 1;
        for (form, title) in TITLES {
            let blocks = truth.paths.iter().zip(&texts).enumerate();
            let blocks: String = blocks
                .map(|(index, (path, text))| {
                    title(
                        index,
                        &side_of(path),
                        &format!("{}\n", text.trim_matches('\n')),
                    )
                })
                .collect();
            let mail = format!("Hi,\n\nit got slower.\n\n{blocks}\nAny idea?\n\nJane\n");
            let file = ("report.txt".to_owned(), 0, mail.into_bytes());
            let faults = faults(&truth, &read_files(&[file]));
            if !faults.is_empty() {
                failed.push(format!("{name}, {form}: {}", faults.join("; ")));
            }
        }
    }
    assert!(count > 30, "{count} cases");
    assert!(
        failed.is_empty(),
        "{}:\n{}",
        failed.len(),
        failed.join("\n")
    );
}
