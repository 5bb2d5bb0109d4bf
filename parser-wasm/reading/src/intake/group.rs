//! Decides which files belong together.

use super::cluster::{Cluster, affinity};
use super::distinct::make_labels_distinct;
use super::homes::Homes;
use super::sniff::FileKind;
use super::sorter::ProbedFile;
use super::{Probe, ProbedContent};
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_error::{Error, LinePlace, Problem};
use seekscope_formats::FormatProblem;
use seekscope_trace::names::{is_generic, without_endings};
use seekscope_trace::sorting::SortShort;
use serde::Serialize;

/// A trace that was found among the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[doc(alias = "SortedTrace")]
pub struct TraceGroup {
    /// The base name of its files.
    pub name: String,
    /// Guessed from file and folder names, unique among the traces.
    pub label: String,
    /// Indices of its files, ascending.
    pub parts: Vec<usize>,
}

/// The files in groups, and those that belong to none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grouping {
    /// Traces, in the order in which their first files were given.
    pub traces: Vec<TraceGroup>,
    /// Files that are not traces although they should be.
    pub rejected: Vec<(usize, Error)>,
    /// Text and other files next to the traces.
    pub notes: Vec<usize>,
}

/// Folder and base name, or folder and name.
type FolderAndName<'a> = (&'a str, &'a str);

/// Sorts the files into traces, rejected files and notes.
#[expect(
    clippy::too_many_lines,
    reason = "to be split: rules that share the clusters"
)]
pub(super) fn grouped(files: &[ProbedFile]) -> Grouping {
    let probes: Vec<&Probe> = files.iter().map(|file| &file.probe).collect();
    let is_trace = |file: &ProbedFile| {
        matches!(
            file.kind,
            FileKind::Blktrace | FileKind::Binary | FileKind::Text { mostly: true }
        )
    };
    let any_trace = files.iter().any(is_trace);
    let recorded = files.iter().filter(|file| file.kind == FileKind::Blktrace);
    let recorded: FxHashSet<FolderAndName> = recorded
        .filter_map(|file| Some((file.probe.folder(), file.probe.base()?)))
        .collect();
    let mut grouping = Grouping::default();
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut parts: Vec<usize> = Vec::new();
    let alone = |i: usize| Cluster::new(i, &files[i].probe, ProbedContent::default());
    for (
        i,
        ProbedFile {
            probe,
            kind,
            bad_pattern,
            ..
        },
    ) in files.iter().enumerate()
    {
        match kind {
            FileKind::Blktrace => parts.push(i),
            FileKind::FioLog(_) | FileKind::Counters(..) if any_trace => grouping.notes.push(i),
            FileKind::FioLog(problem) => {
                let (format, problem) = ("fio-log", problem.clone());
                let problem = Problem::Unreadable {
                    file: probe.path.clone(),
                    format,
                    problem,
                    size: probe.size,
                };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Counters(tool, fault) => {
                let (file, tool, fault) = (probe.path.clone(), tool.clone(), fault.clone());
                let problem = Problem::CountersOnly {
                    file,
                    tool,
                    fault,
                    size: probe.size,
                };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Binary => clusters.push(alone(i)),
            FileKind::TooLarge(format) => {
                let problem = Problem::Unreadable {
                    file: probe.path.clone(),
                    format,
                    problem: FormatProblem::TooLarge,
                    size: probe.size,
                };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Text { .. } if is_printed_from_one_beside(probe, &recorded) => {
                grouping.notes.push(i)
            }
            // Next to traces, a text that quotes a few lines is a note.
            FileKind::Text { mostly } if *mostly || !any_trace => clusters.push(alone(i)),
            FileKind::Empty => {}
            FileKind::Text { .. } => grouping.notes.push(i),
            FileKind::Summary if any_trace => grouping.notes.push(i),
            FileKind::Prose(_)
                if any_trace && probe.base().is_none() && probe.pattern.is_none() =>
            {
                grouping.notes.push(i)
            }
            FileKind::Prose(first) => {
                let file = probe.path.clone();
                let problem = match bad_pattern {
                    Some(reason) => Problem::BadPattern {
                        file,
                        reason: reason.clone(),
                    },
                    _ => {
                        let place = LinePlace {
                            file,
                            line: first.line,
                            byte: first.byte,
                        };
                        Problem::NotUnderstood {
                            at: place,
                            example: first.example.clone(),
                            size: probe.size,
                        }
                    }
                };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Summary => {
                let problem = Problem::SummaryOnly {
                    file: probe.path.clone(),
                    size: probe.size,
                };
                grouping.rejected.push((i, problem.into()));
            }
            FileKind::Other { .. } if any_trace && probe.base().is_none() => grouping.notes.push(i),
            FileKind::Other { looks_like, .. } => {
                let problem = Problem::NotATrace {
                    file: probe.path.clone(),
                    looks_like: *looks_like,
                    size: probe.size,
                };
                grouping.rejected.push((i, problem.into()));
            }
        }
    }
    // Parts with a wall clock first: they separate traces of different boots. Parts without an
    // event last: they separate nothing. Otherwise by what they are, not by the order in which they
    // were given: a part joins the traces that are there before it.
    parts.sort_short_by_key(|&i| {
        let ProbedFile {
            probe, contents, ..
        } = &files[i];
        (
            contents.boot.is_none(),
            contents.times.is_none(),
            contents.known_times(),
            &probe.path,
            probe.size,
            i,
        )
    });
    let mut homes = Homes::default();
    for i in parts {
        let (probe, contents) = (probes[i], &files[i].contents);
        let score = |index: usize| {
            affinity(
                probe,
                contents,
                &clusters[index],
                probes[clusters[index].parts[0]],
            )
            .map(|score| (score, index))
        };
        let best = homes
            .candidates(probe, contents)
            .into_iter()
            .filter_map(score);
        let index = match best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))) {
            Some((_, index)) => {
                clusters[index].add(i, probe, contents);
                index
            }
            None => {
                clusters.push(Cluster::new(i, probe, contents.clone()));
                clusters.len() - 1
            }
        };
        homes.note(probe, contents, index);
    }
    add_empty_files(files, &mut clusters, &mut grouping);
    for cluster in &mut clusters {
        cluster.parts.sort_short();
    }
    clusters.sort_short_by_key(|c| c.parts[0]);
    grouping.traces = clusters.iter().map(|c| name(&probes, c)).collect();
    make_labels_distinct(&probes, &mut grouping.traces);
    grouping.rejected.sort_short_by_key(|r| r.0);
    grouping
}

/// Whether the name of a text says that blkparse printed it from a trace in the same folder:
/// `sda.blkparse.txt` and `sda.blktrace.0`. It is a copy of that run.
fn is_printed_from_one_beside(probe: &Probe, recorded: &FxHashSet<FolderAndName>) -> bool {
    let base = probe.name.split_once(".blkparse").map(|(base, _)| base);
    probe.pattern.is_none() && base.is_some_and(|base| recorded.contains(&(probe.folder(), base)))
}

/// Empty per-CPU files belong to the trace of their name; alone they are an error.
fn add_empty_files<'a>(
    files: &'a [ProbedFile],
    clusters: &mut [Cluster<'a>],
    grouping: &mut Grouping,
) {
    let alone = clusters.is_empty() && grouping.notes.is_empty();
    let mut by_folder: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    let mut by_base: FxHashMap<FolderAndName, Vec<usize>> = FxHashMap::default();
    for (index, cluster) in clusters
        .iter()
        .enumerate()
        .filter(|(_, cluster)| !cluster.bases.is_empty())
    {
        let folder = files[cluster.parts[0]].probe.folder();
        by_folder.entry(folder).or_default().push(index);
        cluster
            .bases
            .iter()
            .for_each(|base| by_base.entry((folder, base)).or_default().push(index));
    }
    // How many traces of a base name have a file of this name already.
    let mut taken: FxHashMap<FolderAndName, usize> = FxHashMap::default();
    for (i, ProbedFile { probe, .. }) in files
        .iter()
        .enumerate()
        .filter(|(_, file)| file.kind == FileKind::Empty)
    {
        let folder = probe.folder();
        // The trace with the device of its name, else the only recording here: the file is of a
        // device that was not used, or only by other CPUs.
        let home = probe.base().and_then(|base| {
            let only = || by_folder.get(folder).filter(|homes| homes.len() == 1);
            let homes = by_base.get(&(folder, base)).or_else(only)?;
            // With several traces of one name: the first one that has no file of this name yet.
            let taken = taken.entry((folder, &probe.name)).or_default();
            *taken += homes[*taken..]
                .iter()
                .take_while(|&&index| clusters[index].names.contains(probe.name.as_str()))
                .count();
            homes.get(*taken).or(homes.first()).copied()
        });
        match home {
            Some(index) => clusters[index].note(i, probe),
            None if alone || probe.base().is_some() => {
                grouping.rejected.push((
                    i,
                    Problem::Empty {
                        file: probe.path.clone(),
                    }
                    .into(),
                ));
            }
            None => grouping.notes.push(i),
        }
    }
}

fn name(probes: &[&Probe], cluster: &Cluster) -> TraceGroup {
    let first = probes[cluster.parts[0]];
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let bases = cluster
        .parts
        .iter()
        .map(|&i| probes[i].base().unwrap_or(&probes[i].name));
    let bases: Vec<&str> = bases.filter(|base| seen.insert(base)).collect();
    let base = if first.base().is_some() {
        bases[0]
    } else {
        without_endings(bases[0])
    };
    let folder = first.folder().rsplit('/').next().unwrap_or_default();
    let label = if (bases.len() > 1 || is_generic(base)) && !folder.is_empty() {
        folder
    } else {
        base
    };
    TraceGroup {
        name: bases.join("+"),
        label: without_endings(label).to_owned(),
        parts: cluster.parts.clone(),
    }
}
