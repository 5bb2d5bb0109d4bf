//! Looks at the ends of files, one after another: of each file only what is in them is kept, not
//! its bytes.

use super::group::{Grouping, grouped};
use super::sniff::{FileKind, sniff};
use super::{Probe, ProbedContent};
use memchr::memmem;
use seekscope_formats::other::{DescribedEvents, described_events, may_have_other_events};
use seekscope_formats::text::blkparse::pattern::Pattern;
use seekscope_formats::text::{fio_log_problem, is_fio_log};
use seekscope_formats::{FormatProblem, RequiredData};
use seekscope_origin::OriginReader;
use seekscope_stacks::StacksReader;

/// The files that were probed so far.
#[derive(Clone, Debug, Default)]
pub struct FileSorter {
    pub(super) files: Vec<ProbedFile>,
}

/// A probed file; its bytes were dropped.
#[derive(Clone, Debug)]
pub(super) struct ProbedFile {
    /// The probe without its first and last bytes.
    pub probe: Probe,
    pub kind: FileKind,
    /// The error in its format string.
    pub bad_pattern: Option<String>,
    /// What its records of blktrace contain; empty for other formats.
    pub contents: ProbedContent,
    pub origin: OriginEvents,
}

/// Whether a file has events of file systems, or the call stacks of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OriginEvents {
    Absent,
    /// Without events of the block layer, or with call stacks behind them: it is no trace where
    /// there is another.
    Alone,
    WithBlockEvents,
}

impl OriginEvents {
    fn find(probe: &Probe, kind: &FileKind) -> OriginEvents {
        let is_text = matches!(kind, FileKind::Text { .. });
        let has_stacks = || StacksReader::recognise(&probe.head);
        if *kind == FileKind::Binary && StacksReader::has_binary_stacks(&probe.head) {
            OriginEvents::WithBlockEvents
        } else if *kind == FileKind::Binary && may_have_other_events(&probe.head) {
            match described_events(&probe.head, &probe.tail) {
                DescribedEvents { other: false, .. } => OriginEvents::Absent,
                DescribedEvents { block: false, .. } => OriginEvents::Alone,
                _ => OriginEvents::WithBlockEvents,
            }
        } else if !is_text {
            OriginEvents::Absent
        } else if has_stacks() {
            OriginEvents::Alone
        } else if !OriginReader::recognise(&probe.path, &probe.head) {
            OriginEvents::Absent
        } else if [&probe.head, &probe.tail].iter().any(|end| {
            let block: [&[u8]; 2] = [b": block_", b" block:block_"];
            block.iter().any(|name| memmem::find(end, name).is_some())
        }) {
            OriginEvents::WithBlockEvents
        } else {
            OriginEvents::Alone
        }
    }
}

impl FileSorter {
    /// Probes the next file.
    pub fn add(&mut self, mut probe: Probe) {
        let (pattern, bad_pattern) = match probe.pattern.as_deref().map(Pattern::new) {
            None => (None, None),
            Some(Ok(pattern)) => (Some(pattern), None),
            Some(Err(reason)) => (None, Some(reason)),
        };
        let kind = kind(&probe, pattern.as_ref());
        let contents = if kind == FileKind::Blktrace {
            ProbedContent::read(&probe)
        } else {
            ProbedContent::default()
        };
        let origin = OriginEvents::find(&probe, &kind);
        (probe.head, probe.tail) = (Vec::new(), Vec::new());
        self.files.push(ProbedFile {
            probe,
            kind,
            bad_pattern,
            contents,
            origin,
        });
    }

    /// Sorts the files into traces, rejected files and notes, by their indices.
    pub fn group(&self) -> Grouping {
        grouped(&self.files)
    }
}

/// Groups files that are all there.
pub fn group(probes: &[Probe]) -> Grouping {
    let mut sorter = FileSorter::default();
    probes.iter().for_each(|probe| sorter.add(probe.clone()));
    sorter.group()
}

/// The kind of a file. fio's logs of bandwidth, IOPS and submission latency look like latency logs;
/// only their names differ. Latency logs without offsets, or with averages, are no traces.
fn kind(probe: &Probe, pattern: Option<&Pattern>) -> FileKind {
    let kind = sniff(&probe.head, probe.size, pattern);
    let other_log = ["_bw.", "_iops.", "_slat."]
        .iter()
        .any(|word| probe.name.contains(word))
        && probe.name.ends_with(".log");
    if !matches!(kind, FileKind::Text { .. }) || !is_fio_log(&probe.head) {
        return kind;
    }
    let problem = if other_log {
        Some(FormatProblem::Lacks(RequiredData::Latencies))
    } else {
        fio_log_problem(&probe.head)
    };
    problem.map_or(kind, FileKind::FioLog)
}
