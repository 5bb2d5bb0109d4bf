//! Decides which files belong together.

use super::cluster::{Cluster, affinity};
use super::distinct::make_labels_distinct;
use super::homes::Homes;
use super::sniff::FileKind;
use super::sorter::{OriginEvents, ProbedFile};
use super::{Probe, ProbedContent};
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_error::{Error, LinePlace, Problem};
use seekscope_formats::{FormatProblem, LineGroup};
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
///
/// Empty files are last: they belong to the trace of their name, so all traces must be there, and
/// all notes: without either they are errors. Traces are in order before they are named: the
/// numbers behind equal labels count them in this order.
pub(super) fn grouped(files: &[ProbedFile]) -> Grouping {
    let probes: Vec<&Probe> = files.iter().map(|file| &file.probe).collect();
    let recordings = Recordings::new(files);
    let mut grouping = Grouping::default();
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut parts: Vec<usize> = Vec::new();
    for (i, file) in files.iter().enumerate() {
        match recordings.role(file) {
            FileRole::Part => parts.push(i),
            FileRole::Trace => {
                clusters.push(Cluster::new(i, &file.probe, ProbedContent::default()));
            }
            FileRole::Note => grouping.notes.push(i),
            FileRole::Rejected(problem) => grouping.rejected.push((i, problem.into())),
            FileRole::Empty => {}
        }
    }
    sort_parts(files, &mut parts);
    join_parts(files, &parts, &mut clusters);
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

/// What a file is among the others.
enum FileRole {
    /// One of the files of a trace of blktrace.
    Part,
    /// A complete trace.
    Trace,
    Note,
    Rejected(Problem),
    /// Without bytes: what it is depends on the traces that are found.
    Empty,
}

/// What decides whether a file that is no trace is a note beside one.
struct Recordings<'a> {
    /// Whether any file is a trace.
    any_trace: bool,
    /// Whether any of them is more than events of file systems.
    any_other: bool,
    /// Folders and base names of the files of blktrace.
    recorded: FxHashSet<FolderAndName<'a>>,
}

impl<'a> Recordings<'a> {
    /// Looks at all files, so that no file depends on those that were given before it.
    fn new(files: &'a [ProbedFile]) -> Recordings<'a> {
        let is_trace = |file: &ProbedFile| {
            matches!(
                file.kind,
                FileKind::Blktrace | FileKind::Binary | FileKind::Text { mostly: true }
            )
        };
        let is_beside = |file: &ProbedFile| file.origin == OriginEvents::Alone;
        let recorded = files.iter().filter(|file| file.kind == FileKind::Blktrace);
        Recordings {
            any_trace: files.iter().any(is_trace),
            any_other: files.iter().any(|file| is_trace(file) && !is_beside(file)),
            recorded: recorded
                .filter_map(|file| Some((file.probe.folder(), file.probe.base()?)))
                .collect(),
        }
    }

    /// Decides what a file is, by its content first. Next to traces, what is no trace is a note,
    /// unless its name or its format string says that it should be one: then its error is shown. A
    /// trace that is too large is an error everywhere, as it would be missed.
    fn role(&self, file: &ProbedFile) -> FileRole {
        let probe = &file.probe;
        let size = probe.size;
        let note_or = |can_be_note: bool, problem: Problem| match self.any_trace && can_be_note {
            true => FileRole::Note,
            false => FileRole::Rejected(problem),
        };
        match &file.kind {
            FileKind::Blktrace => FileRole::Part,
            FileKind::Binary if self.is_beside(file) => FileRole::Note,
            FileKind::Binary => FileRole::Trace,
            FileKind::Empty => FileRole::Empty,
            FileKind::Text { mostly } => self.role_of_text(file, *mostly),
            FileKind::TooLarge(format) => {
                FileRole::Rejected(unreadable(probe, format, FormatProblem::TooLarge))
            }
            FileKind::FioLog(problem) => {
                note_or(true, unreadable(probe, "fio-log", problem.clone()))
            }
            FileKind::Counters(tool, fault) => {
                let problem = Problem::CountersOnly {
                    file: probe.path.clone(),
                    tool: tool.clone(),
                    fault: fault.clone(),
                    size,
                };
                note_or(true, problem)
            }
            FileKind::Summary => note_or(
                true,
                Problem::SummaryOnly {
                    file: probe.path.clone(),
                    size,
                },
            ),
            FileKind::Prose(first) => {
                let is_plain = probe.base().is_none() && probe.pattern.is_none();
                note_or(is_plain, not_understood(file, first))
            }
            FileKind::Other { looks_like, .. } => {
                let problem = Problem::NotATrace {
                    file: probe.path.clone(),
                    looks_like: *looks_like,
                    size,
                };
                note_or(probe.base().is_none(), problem)
            }
        }
    }

    /// Decides whether a text with events is a trace. A copy of a recording is none, however many
    /// events it has, or the run would be there twice. Next to traces, a text that quotes a few
    /// lines is a note. Events of file systems belong to the trace next to them, also where events
    /// of the block layer are among them: then blktrace recorded the same requests.
    fn role_of_text(&self, file: &ProbedFile, mostly: bool) -> FileRole {
        if !self.is_beside(file) && !self.has_printed(&file.probe) && (mostly || !self.any_trace) {
            FileRole::Trace
        } else {
            FileRole::Note
        }
    }

    /// Whether a file has events of other layers and lies next to a trace that it belongs to.
    fn is_beside(&self, file: &ProbedFile) -> bool {
        match file.origin {
            OriginEvents::Absent => false,
            OriginEvents::Alone => self.any_other,
            OriginEvents::WithBlockEvents => self.is_recorded(&file.probe),
        }
    }

    /// Whether blktrace recorded in the folder of a file, or in one above it.
    fn is_recorded(&self, probe: &Probe) -> bool {
        let folder = probe.folder();
        let is_above = |above: &str| {
            let rest = folder.strip_prefix(above);
            rest.is_some_and(|rest| above.is_empty() || rest.is_empty() || rest.starts_with('/'))
        };
        self.recorded.iter().any(|(above, _)| is_above(above))
    }

    /// Whether the name of a text says that blkparse printed it from a trace in the same folder:
    /// `sda.blkparse.txt` and `sda.blktrace.0`. It is a copy of that run.
    fn has_printed(&self, probe: &Probe) -> bool {
        let base = probe.name.split_once(".blkparse").map(|(base, _)| base);
        probe.pattern.is_none()
            && base.is_some_and(|base| self.recorded.contains(&(probe.folder(), base)))
    }
}

/// The error of a file whose format is known.
fn unreadable(probe: &Probe, format: &'static str, problem: FormatProblem) -> Problem {
    Problem::Unreadable {
        file: probe.path.clone(),
        format,
        problem,
        size: probe.size,
    }
}

/// The error of a text without a readable line. An error in its format string is the reason why no
/// line is readable, so it is shown instead of the line.
fn not_understood(file: &ProbedFile, first: &LineGroup) -> Problem {
    let path = file.probe.path.clone();
    match &file.bad_pattern {
        Some(reason) => Problem::BadPattern {
            file: path,
            reason: reason.clone(),
        },
        None => Problem::NotUnderstood {
            position: LinePlace {
                file: path,
                line: first.line,
                byte: first.byte,
            },
            example: first.example.clone(),
            size: file.probe.size,
        },
    }
}

/// Decides the order in which parts join traces: by what they are, not by the order in which they
/// were given, as a part joins the traces that are there before it.
///
/// Parts with a wall clock are first: they separate traces of different boots. Parts without an
/// event are last: they separate nothing.
fn sort_parts(files: &[ProbedFile], parts: &mut [usize]) {
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
}

/// Decides for each part which trace it fits best; one that fits none begins a trace. Only traces
/// that began with a part are asked: those in `clusters` before are complete in one file. Of two
/// that fit equally the earlier one is taken.
fn join_parts<'a>(files: &'a [ProbedFile], parts: &[usize], clusters: &mut Vec<Cluster<'a>>) {
    let mut homes = Homes::default();
    for &i in parts {
        let ProbedFile {
            probe, contents, ..
        } = &files[i];
        let score = |index: usize| {
            let cluster = &clusters[index];
            let first = &files[cluster.parts[0]].probe;
            affinity(probe, contents, cluster, first).map(|score| (score, index))
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
