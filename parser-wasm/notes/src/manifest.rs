//! MANIFEST.tsv of seekscope-record: what was run, how, and what was masked.
//!
//! ```text
//! item    command    exit    begin    end        separated by tabs; times in seconds since boot
//! ```
//!
//! Fields escape control characters and backslashes: `\t`, `\n`, `\r`, `\x1b`, `\\`. A command of
//! several lines is one row.

use std::borrow::Cow;

use super::fact::cut;
use super::owners::split;
use super::{Fact, Note};

/// Runs of which a manifest may name the group.
const MAX_REPEATS: usize = 10_000;
const HEADINGS: &str = "item\tcommand\texit\tbegin\tend";

pub fn read(text: &str, note: &mut Note) {
    if text.lines().next() != Some(HEADINGS) {
        return;
    }
    let mut masked = Vec::new();
    let (mut missing, mut items) = (0, 0);
    for line in text.lines().skip(1) {
        let columns: Vec<Cow<str>> = line.split('\t').map(unescape).collect();
        let [item, command, exit, ..] = &columns[..] else {
            continue;
        };
        let (item, command, exit) = (item.as_ref(), command.as_ref(), exit.as_ref());
        match item {
            "seekscope-record" => note.add(Fact::text("recorder", "Recorder", command)),
            "command" => note.add(Fact::text("recorded_command", "Command", command)),
            "tracer" if exit == "0" => note.add(Fact::text("tracer", "Tracer", command)),
            "tracer" => note.add(Fact::text(
                "refused",
                "Refused",
                &format!("{command}: {}", exit.trim_start_matches("1 ")),
            )),
            "masked" => masked.push(format!("{command}: {exit}")),
            "repeats" if note.repeats.len() < MAX_REPEATS => {
                note.repeats.push((cut(command), cut(exit)))
            }
            "label" | "clock" | "actions" | "repeats" => {}
            _ if is_command_output(item) && note.command_outputs.len() < MAX_REPEATS => {
                note.command_outputs.push(cut(item));
                items += 1;
            }
            _ if command.starts_with("stopped early") => {
                note.add(Fact::text("stopped", "Recording", command))
            }
            _ if exit.contains("(nothing") => missing += 1,
            _ => items += 1,
        }
    }
    note.add(Fact::number("items", "Items", f64::from(items), ""));
    if missing > 0 {
        note.add(Fact::number(
            "missing",
            "Items without output",
            f64::from(missing),
            "",
        ));
    }
    if !masked.is_empty() {
        note.add(Fact::text("masked", "Masked", &masked.join("; ")));
    }
}

/// `old-r1/output`: the item of a command, whose output is in `old-r1/output.txt` and
/// `old-r1/output-err.txt`.
fn is_command_output(item: &str) -> bool {
    split(item).1 == "output"
}

/// The text of a field. What is no escape stays as it is: the first recorders wrote fields
/// unescaped.
fn unescape(field: &str) -> Cow<'_, str> {
    if !field.contains('\\') {
        return Cow::Borrowed(field);
    }
    let mut text = String::with_capacity(field.len());
    let mut rest = field;
    while let Some(start) = rest.find('\\') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let (character, length) = escape(rest).unwrap_or(('\\', 1));
        text.push(character);
        rest = &rest[length..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// The character that an escape at the start of a text stands for, and the bytes of the escape.
fn escape(text: &str) -> Option<(char, usize)> {
    match text.as_bytes().get(1)? {
        b't' => Some(('\t', 2)),
        b'n' => Some(('\n', 2)),
        b'r' => Some(('\r', 2)),
        b'\\' => Some(('\\', 2)),
        b'x' => {
            let code = u8::from_str_radix(text.get(2..4)?, 16).ok()?;
            code.is_ascii_control().then_some((char::from(code), 4))
        }
        _ => None,
    }
}

/// The groups of all runs, by the manifests among their notes: which recordings repeat one
/// measurement. `runs`: a path of each run, and its notes.
pub fn groups<'a>(runs: &[(&str, Vec<&'a Note>)]) -> Vec<Option<&'a str>> {
    let group = |(path, notes): &(&str, Vec<&'a Note>)| {
        let folder = split(path).0;
        notes.iter().find_map(|note| {
            let inside = folder
                .strip_prefix(split(&note.file).0)?
                .trim_start_matches('/');
            note.repeats
                .iter()
                .find(|(folder, _)| folder == inside)
                .map(|(_, group)| group.as_str())
        })
    };
    runs.iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{FactValue, TracePaths, assign, read};
    use crate::NoteKind;

    const MANIFEST: &str = "item\tcommand\texit\tbegin\tend\n\
        seekscope-record\trecorder 1, 1 devices\t0\t5.78\t-\nlabel\told\t0\t-\t-\ncommand\tfio \
        job.fio\t-\t-\t-\n\
        repeats\told-r1\told\t-\t-\nrepeats\told-r2\told\t-\t-\n\
        tracer\tblktrace\t1 (refused)\t9\t9\ntracer\ttracefs\t0\t9\t9\n\
        before/uname.txt\tuname -a\t0\t6\t6\nbefore/mdstat.txt\tcat /proc/mdstat\t0 (nothing: \
        )\t6\t6\n\
        masked\thost\t2 replaced by hashes\t-\t-\nmasked\tserial\t1 replaced by hashes\t-\t-\n";

    #[test]
    fn what_was_run_and_masked() {
        let note = read("a/MANIFEST.tsv", MANIFEST.as_bytes());
        assert_eq!(note.kind, NoteKind::Manifest);
        let facts: Vec<(&str, FactValue)> = note
            .facts
            .iter()
            .map(|fact| (&*fact.key, fact.value.clone()))
            .collect();
        let text = |text: &str| FactValue::Text(text.to_owned());
        assert_eq!(
            facts,
            [
                ("recorder", text("recorder 1, 1 devices")),
                ("recorded_command", text("fio job.fio")),
                ("refused", text("blktrace: (refused)")),
                ("tracer", text("tracefs")),
                ("items", FactValue::Number(1.0)),
                ("missing", FactValue::Number(1.0)),
                (
                    "masked",
                    text("host: 2 replaced by hashes; serial: 1 replaced by hashes")
                ),
            ]
        );
        assert_eq!(
            read("a/MANIFEST.tsv", b"item\tcommand\n").kind,
            NoteKind::Text
        );
    }

    #[test]
    fn escaped_fields_are_no_rows() {
        let rows = "command\tsh -c echo hi\\nmasked\\thost\\t99 replaced\\\\n \\x1b[31m\\x41\\q\\\t-\t-\t-\n";
        let manifest = format!("item\tcommand\texit\tbegin\tend\n{rows}");
        let note = read("a/MANIFEST.tsv", manifest.as_bytes());
        let facts: Vec<(&str, FactValue)> = note
            .facts
            .iter()
            .map(|fact| (&*fact.key, fact.value.clone()))
            .collect();
        assert_eq!(
            facts,
            [
                (
                    "recorded_command",
                    FactValue::Text(
                        "sh -c echo hi\nmasked\thost\t99 replaced\\n \u{1b}[31m\\x41\\q\\"
                            .to_owned()
                    )
                ),
                ("items", FactValue::Number(0.0)),
            ]
        );
    }

    fn groups(paths: &[&str], manifests: &[(&str, &str)]) -> Vec<Option<String>> {
        let path = |path: &&str| TracePaths {
            label: (*path).to_owned(),
            paths: vec![(*path).to_owned()],
        };
        let traces: Vec<TracePaths> = paths.iter().map(path).collect();
        let notes = manifests
            .iter()
            .map(|(file, text)| read(file, text.as_bytes()))
            .collect();
        assign(&traces, notes)
            .runs
            .into_iter()
            .map(|run| run.group)
            .collect()
    }

    #[test]
    fn repeats_are_groups() {
        let old = [
            "x.tar.gz/old/old-r1/sda.blktrace.0",
            "x.tar.gz/old/old-r2/sda.blktrace.0",
        ];
        let new = MANIFEST.replace("old", "new");
        let manifests = [
            ("x.tar.gz/old/MANIFEST.tsv", MANIFEST),
            ("y.tar.gz/new/MANIFEST.tsv", new.as_str()),
        ];
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(
            groups(
                &[
                    old[0],
                    old[1],
                    "y.tar.gz/new/new-r1/sda.blktrace.0",
                    "z/sda.blktrace.0"
                ],
                &manifests
            ),
            [some("old"), some("old"), some("new"), None]
        );
        // A folder that the manifest does not name.
        assert_eq!(
            groups(&[old[0], "x.tar.gz/old/more/sda.blktrace.0"], &manifests),
            [some("old"), None]
        );
    }
}
