//! Aliases in place of process names and paths of control groups, for texts that leave the machine.
//! Every field of a digest with such a name must be replaced here: the test looks for names that
//! are left.

use super::document::CompareQuery;
use super::work::helps;
use seekscope_measure::objects::NAMES_BETWEEN;
use seekscope_trace::store::ObjectKind;
use std::collections::BTreeMap;

/// Replaces the path of a control group.
pub const GROUP_ALIAS: &str = "cgroup";

/// The aliases given so far, by the name that they replace.
#[derive(Default)]
struct Aliases(BTreeMap<String, String>);

impl Aliases {
    /// Replaces a name by its alias, which is the same in all runs. Kernel threads keep their
    /// names, by which they are recognized, and so does a process that is known only by its pid.
    fn replace(&mut self, name: &mut String) {
        if !helps(name) && !name.starts_with("pid ") {
            let next = self.0.len() + 1;
            name.clone_from(
                self.0
                    .entry(name.clone())
                    .or_insert_with(|| format!("task {next}")),
            );
        }
    }

    /// Replaces each of several names.
    fn replace_all(&mut self, names: &mut String) {
        let mut list: Vec<String> = names.split(NAMES_BETWEEN).map(str::to_owned).collect();
        list.iter_mut().for_each(|name| self.replace(name));
        *names = list.join(NAMES_BETWEEN);
    }
}

/// The same for files; the ending stays.
#[derive(Default)]
struct FileAliases(BTreeMap<String, String>);

impl FileAliases {
    fn replace(&mut self, name: &mut String) {
        let next = self.0.len() + 1;
        let alias = self.0.entry(name.clone()).or_insert_with(|| {
            let file = name.rsplit('/').next().unwrap_or_default();
            match file.rsplit_once('.') {
                Some((_, ending)) if ending.len() <= 4 => format!("file {next}.{ending}"),
                _ => format!("file {next}"),
            }
        });
        name.clone_from(alias);
    }
}

/// Replaces the process names by `task 1`, and paths of control groups and files.
pub fn anonymous(query: &mut CompareQuery) {
    let mut aliases = Aliases::default();
    let mut files = FileAliases::default();
    for trace in query.runs.iter_mut().map(|run| &mut run.trace) {
        trace
            .processes
            .iter_mut()
            .for_each(|process| aliases.replace(&mut process.name));
        for device in &mut trace.devices {
            let top = device
                .submitters
                .iter_mut()
                .flat_map(|submitters| &mut submitters.top);
            top.for_each(|submitter| aliases.replace(&mut submitter.name));
            let failed = device
                .failed
                .iter_mut()
                .flat_map(|failed| &mut failed.by_process);
            failed.for_each(|process| aliases.replace(&mut process.name));
            for object in device.objects.iter_mut().flat_map(|used| &mut used.top) {
                if object.kind == ObjectKind::File {
                    files.replace(&mut object.name);
                }
                let writers = object.writers.iter_mut();
                writers.for_each(|writer| aliases.replace_all(&mut writer.names));
            }
            if let Some(throttled) = &mut device.throttled {
                throttled
                    .processes
                    .iter_mut()
                    .for_each(|(_, name, _)| aliases.replace(name));
                let paths = throttled
                    .groups
                    .iter_mut()
                    .filter(|(name, _)| name.starts_with('/'));
                paths.for_each(|(name, _)| GROUP_ALIAS.clone_into(name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ComparedRun;
    use crate::runs::digest::{DeviceDigest, Digest};
    use seekscope_measure::failed::{FailedByProcess, FailedRequests};
    use seekscope_measure::submitters::{Submitter, SubmitterSums, Submitters};
    use seekscope_measure::waiting::throttled::ThrottledBios;
    use seekscope_report::summary::SummaryProcess;

    #[test]
    fn no_name_is_left() {
        let submitter = |pid: u32, name: &str| Submitter {
            pid,
            name: name.to_owned(),
            sums: SubmitterSums::default(),
        };
        let run = |names: [&str; 2]| {
            let throttled = ThrottledBios {
                groups: vec![("/secret".to_owned(), 1), ("cgroup 42".to_owned(), 1)],
                processes: vec![(1, names[0].to_owned(), 2)],
                ..ThrottledBios::default()
            };
            let top = vec![
                submitter(1, names[0]),
                submitter(2, names[1]),
                submitter(3, "kworker/0:1"),
                submitter(4, "pid 4"),
            ];
            let device = DeviceDigest {
                submitters: Some(Submitters {
                    top,
                    ..Submitters::default()
                }),
                throttled: Some(throttled),
                failed: Some(FailedRequests {
                    by_process: vec![FailedByProcess {
                        name: names[1].to_owned(),
                        ..FailedByProcess::default()
                    }],
                    ..FailedRequests::default()
                }),
                ..DeviceDigest::default()
            };
            let processes = vec![SummaryProcess {
                pid: 1,
                name: names[0].to_owned(),
                queued: 1,
                bytes: 1,
            }];
            ComparedRun {
                trace: Digest {
                    processes,
                    devices: vec![device],
                    ..Digest::default()
                },
                ..ComparedRun::default()
            }
        };
        let mut query = CompareQuery {
            runs: vec![
                run(["secret", "other secret"]),
                run(["other secret", "secret"]),
            ],
            ..CompareQuery::default()
        };
        anonymous(&mut query);
        let names = |run: &ComparedRun| {
            let submitters = run.trace.devices[0].submitters.as_ref().expect("known");
            submitters
                .top
                .iter()
                .map(|submitter| submitter.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(&query.runs[0]),
            ["task 1", "task 2", "kworker/0:1", "pid 4"]
        );
        let failed = query.runs[0].trace.devices[0].failed.as_ref();
        assert_eq!(failed.expect("known").by_process[0].name, "task 2");
        assert_eq!(
            names(&query.runs[1]),
            ["task 2", "task 1", "kworker/0:1", "pid 4"],
            "the same in all runs"
        );
        assert!(!format!("{query:?}").contains("secret"));
    }
}
