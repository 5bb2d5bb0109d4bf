//! Labels of traces that would have the same one.

use super::Probe;
use super::group::TraceGroup;
use seekscope_trace::names::without_endings;
use seekscope_trace::sorting::set_of;
use std::collections::{BTreeMap, BTreeSet};

/// Longest label that folders are put before, bytes.
const LONGEST_LABEL: usize = 60;

/// Traces of one label get the folders before it in which they differ: `before/sda` and
/// `after/sda`. Where that does not distinguish them, what the names of their files share, and then
/// a number.
pub fn make_labels_distinct(probes: &[&Probe], traces: &mut [TraceGroup]) {
    for (label, all) in repeated(traces) {
        let folders: Vec<Vec<&str>> = all
            .iter()
            .map(|&i| {
                probes[traces[i].parts[0]]
                    .folder()
                    .split('/')
                    .filter(|name| !matches!(*name, "" | "."))
                    .collect()
            })
            .collect();
        let shortest = folders.iter().map(Vec::len).min().unwrap_or(0);
        let agree = |name_of: &dyn Fn(&[&str]) -> Option<String>| {
            folders
                .iter()
                .all(|folder| name_of(folder) == name_of(&folders[0]))
        };
        let begin = (0..shortest)
            .take_while(|&i| agree(&|folder| folder.get(i).map(|name| (*name).to_owned())))
            .count();
        let from_end = |folder: &[&str], i: usize| {
            folder
                .len()
                .checked_sub(i + 1)
                .map(|index| folder[index].to_owned())
        };
        let end = (0..shortest - begin)
            .take_while(|&i| agree(&|folder| from_end(folder, i)))
            .count();
        for (&i, folder) in all.iter().zip(&folders) {
            let distinct = &folder[begin..folder.len() - end];
            // Archives and mails are folders here.
            let mut words: Vec<&str> = distinct.iter().map(|name| without_endings(name)).collect();
            if words.last() != Some(&label.as_str()) {
                words.push(&label);
            }
            let name = words.join("/");
            if name.len() <= LONGEST_LABEL {
                traces[i].label = name;
            }
        }
    }
    for (_, all) in repeated(traces) {
        name_by_files(probes, traces, &all);
    }
    let mut used: BTreeSet<String> = traces.iter().map(|trace| trace.label.clone()).collect();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for trace in traces {
        let n = seen.entry(trace.label.clone()).or_default();
        *n += 1;
        if *n > 1 {
            while used.contains(&format!("{} ({n})", trace.label)) {
                *n += 1;
            }
            trace.label = format!("{} ({n})", trace.label);
            used.insert(trace.label.clone());
        }
    }
}

/// Labels that several traces have, with the indices of these.
fn repeated(traces: &[TraceGroup]) -> Vec<(String, Vec<usize>)> {
    let mut same: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, trace) in traces.iter().enumerate() {
        same.entry(&trace.label).or_default().push(i);
    }
    let several = same.into_iter().filter(|(_, all)| all.len() > 1);
    several
        .map(|(label, all)| (label.to_owned(), all))
        .collect()
}

/// Labels some traces by what the names of their files share, if that tells all of them apart. Few
/// folders need it, so it is not in the part of the engine that all wait for.
#[inline(never)]
fn name_by_files(probes: &[&Probe], traces: &mut [TraceGroup], all: &[usize]) {
    let names: Vec<String> = all
        .iter()
        .map(|&i| shared_name(probes, &traces[i].parts))
        .collect();
    let is_short = |name: &String| !name.is_empty() && name.len() <= LONGEST_LABEL;
    let distinct: BTreeSet<&String> = set_of(names.iter());
    if distinct.len() == names.len() && names.iter().all(is_short) {
        for (&i, name) in all.iter().zip(names) {
            traces[i].label = name;
        }
    }
}

/// What the names of the files of a trace have around the numbers of their CPUs: `trace_old` of
/// `trace_old.0.bin` and `trace_old.1.bin`, `sda.old` of `sda.blktrace.0.old` and
/// `sda.blktrace.1.old`.
fn shared_name(probes: &[&Probe], parts: &[usize]) -> String {
    let mut names = parts.iter().map(|&i| probes[i].name.as_str());
    let first = names.next().unwrap_or_default();
    let (mut begin, mut end) = (first, first);
    for name in names {
        let same = |(a, b): &(char, char)| a == b;
        let length = |count: usize, chars: &mut dyn Iterator<Item = char>| -> usize {
            chars.take(count).map(char::len_utf8).sum()
        };
        let count = begin.chars().zip(name.chars()).take_while(same).count();
        begin = &begin[..length(count, &mut begin.chars())];
        let count = end
            .chars()
            .rev()
            .zip(name.chars().rev())
            .take_while(same)
            .count();
        end = &end[end.len() - length(count, &mut end.chars().rev())..];
    }
    // In the shortest name the two may overlap.
    let shortest = parts.iter().map(|&i| probes[i].name.len()).min();
    let room = shortest.unwrap_or(0) - begin.len();
    end = &end[end.len().saturating_sub(room)..];
    let joined = match parts.len() {
        0 | 1 => first.to_owned(),
        _ => {
            // Of CPU 1 and CPU 10 the digit is shared, too.
            let begin = begin.trim_end_matches(|c: char| c.is_ascii_digit());
            let end = end.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{}{end}", begin.trim_end_matches(['.', '_', '-', ' ']))
        }
    };
    let joined = joined.replace(".blktrace", "");
    without_endings(joined.trim_start_matches(['.', '_', '-', ' '])).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels of traces with one file each, at these paths and with these labels.
    fn labels(all: &[(&str, &str)]) -> Vec<String> {
        let probe = |&(path, _): &(&str, &str)| Probe {
            path: path.to_owned(),
            ..Probe::default()
        };
        let probes: Vec<Probe> = all.iter().map(probe).collect();
        let trace = |(i, (_, label)): (usize, &(&str, &str))| TraceGroup {
            name: String::new(),
            label: (*label).to_owned(),
            parts: vec![i],
        };
        let mut traces: Vec<TraceGroup> = all.iter().enumerate().map(trace).collect();
        make_labels_distinct(&probes.iter().collect::<Vec<_>>(), &mut traces);
        traces.into_iter().map(|trace| trace.label).collect()
    }

    #[test]
    fn folders_tell_traces_of_one_name_apart() {
        assert_eq!(
            labels(&[
                ("t/idle0/r1/trace.blktrace.0", "r1"),
                ("t/idle8/r1/trace.blktrace.0", "r1")
            ]),
            ["idle0/r1", "idle8/r1"]
        );
        assert_eq!(
            labels(&[
                ("before/sda.blktrace.0", "sda"),
                ("./after/sda.blktrace.0", "sda")
            ]),
            ["before/sda", "after/sda"]
        );
        assert_eq!(
            labels(&[("a/sda.blktrace.0", "sda"), ("b/x/sda.blktrace.0", "sda")]),
            ["a/sda", "b/x/sda"]
        );
        assert_eq!(labels(&[("a/x", "x"), ("b/y", "y")]), ["x", "y"]);
        assert_eq!(
            labels(&[
                ("old.eml/trace.tar.gz/sda.blktrace.0", "trace"),
                ("new.tgz/trace.tar.gz/sda.blktrace.0", "trace")
            ]),
            ["old/trace", "new/trace"]
        );
    }

    #[test]
    fn names_of_files_tell_traces_of_one_folder_apart() {
        let cases = [
            (
                ["before_0", "before_1", "after_0", "after_1"],
                ["before", "after"],
            ),
            (
                ["t_a.1.bin", "t_a.10.bin", "t_b.1.bin", "t_b.10.bin"],
                ["t_a", "t_b"],
            ),
            (
                [
                    "sda.blktrace.0.old",
                    "sda.blktrace.1.old",
                    "sda.blktrace.0",
                    "sda.blktrace.1",
                ],
                ["sda.old", "sda"],
            ),
            (
                [
                    "sda.blktrace.0",
                    "sda.blktrace.1",
                    "sda.blktrace.0 (1)",
                    "sda.blktrace.1 (1)",
                ],
                ["sda", "sda (1)"],
            ),
            (
                ["\u{e4}1", "\u{e4}2", "\u{e5}1", "\u{e5}2"],
                ["\u{e4}", "\u{e5}"],
            ),
            (["1", "2", "1", "2"], ["run", "run (2)"]),
            (["aa.aa", "aa", "b", "b"], ["aa", "b"]),
        ];
        for (names, expected) in cases {
            let probe = |name: &&str| Probe {
                path: format!("run/{name}"),
                name: (*name).to_owned(),
                ..Probe::default()
            };
            let probes: Vec<Probe> = names.iter().map(probe).collect();
            let trace = |parts: [usize; 2]| TraceGroup {
                name: String::new(),
                label: "run".to_owned(),
                parts: parts.to_vec(),
            };
            let mut traces = [trace([0, 1]), trace([2, 3])];
            make_labels_distinct(&probes.iter().collect::<Vec<_>>(), &mut traces);
            assert_eq!(traces.map(|trace| trace.label), expected, "{names:?}");
        }
    }

    #[test]
    fn numbers_do_where_folders_do_not() {
        assert_eq!(
            labels(&[
                ("sda.blktrace.0", "sda"),
                ("sda.blktrace.0", "sda"),
                ("sda", "sda (2)")
            ]),
            ["sda", "sda (3)", "sda (2)"]
        );
        let long = "x".repeat(80);
        assert_eq!(
            labels(&[(&format!("{long}/a"), "a"), ("b/a", "a")]),
            ["a", "b/a"]
        );
        assert_eq!(
            labels(&[("x/a", "a"), ("x/a", "a"), ("y/a", "a")]),
            ["x/a", "x/a (2)", "y/a"]
        );
    }

    /// A budget of time: each name is looked up, not compared with all others.
    #[test]
    fn twenty_thousand_traces_of_one_name() {
        let all: Vec<(String, &str)> = (0..20_000)
            .map(|i| (format!("{}/sda", i % 2), "sda"))
            .collect();
        let all: Vec<(&str, &str)> = all
            .iter()
            .map(|(path, label)| (path.as_str(), *label))
            .collect();
        let labels = labels(&all);
        assert_eq!(labels.iter().collect::<BTreeSet<_>>().len(), 20_000);
    }
}
