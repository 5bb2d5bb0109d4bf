//! Labels of traces that would have the same one.

use super::Probe;
use super::group::TraceGroup;
use std::collections::{BTreeMap, BTreeSet};

/// Longest label that folders are put before, bytes.
const LONGEST_LABEL: usize = 60;

/// Traces of one label get the folders before it in which they differ: `before/sda` and
/// `after/sda`. Where that does not distinguish them, a number.
pub fn make_labels_distinct(probes: &[&Probe], traces: &mut [TraceGroup]) {
    let mut same: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, trace) in traces.iter().enumerate() {
        same.entry(trace.label.clone()).or_default().push(i);
    }
    for (label, all) in same.into_iter().filter(|(_, all)| all.len() > 1) {
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
            let mut words = distinct.to_vec();
            if distinct.last() != Some(&label.as_str()) {
                words.push(&label);
            }
            let name = words.join("/");
            if name.len() <= LONGEST_LABEL {
                traces[i].label = name;
            }
        }
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
