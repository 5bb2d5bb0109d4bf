//! The bytes that two sides requested, and those of files among them.

use super::requested::WorkEvidence;
use super::run::ComparisonSide;
use seekscope_measure::figures::requested::RequestedWork;
use seekscope_measure::objects::ObjectsUsed;

/// Bytes and run times that differ by less are the same.
pub const SAME: f64 = 0.1;
/// The first action that all runs of both sides recorded; absent where they have none in common.
pub fn common_evidence(a: &ComparisonSide, b: &ComparisonSide) -> Option<WorkEvidence> {
    let devices = || a.devices().iter().chain(b.devices());
    WorkEvidence::ALL
        .into_iter()
        .find(|evidence| devices().all(|d| d.work_at(*evidence).is_some()))
}

/// Bytes that were requested of a side, as a mean over its runs.
pub struct RequestedBytes {
    pub read: f64,
    pub write: f64,
    pub discard: f64,
    /// The part of `read` that is readahead.
    pub ahead: f64,
}

impl RequestedBytes {
    pub fn new(side: &ComparisonSide, evidence: Option<WorkEvidence>) -> RequestedBytes {
        let mean = |pick: fn(&RequestedWork) -> u64| {
            side.mean(|d| {
                pick(
                    &evidence
                        .and_then(|evidence| d.work_at(evidence))
                        .unwrap_or(d.work),
                ) as f64
            })
        };
        RequestedBytes {
            read: mean(|w| w.read),
            write: mean(|w| w.write),
            discard: mean(|w| w.discard),
            ahead: mean(|w| w.ahead),
        }
    }

    pub fn all(&self) -> f64 {
        self.read + self.write + self.discard
    }

    pub fn by_operation(&self) -> [f64; 3] {
        [self.read, self.write, self.discard]
    }

    pub fn shares(&self) -> [f64; 3] {
        let all = self.all().max(1.0);
        self.by_operation().map(|bytes| bytes / all)
    }
}

/// Bytes of files, and the tasks that wrote or read them, as a mean over the runs of a side.
pub struct FileWork {
    pub bytes: RequestedBytes,
    pub tasks: usize,
}

impl FileWork {
    /// Absent where a run has no map of its disk that knows nearly all, or no bytes of files.
    pub fn new(side: &ComparisonSide) -> Option<FileWork> {
        let used: Vec<&ObjectsUsed> = side
            .devices()
            .iter()
            .map(|device| device.objects.as_ref().filter(|used| used.is_known()))
            .collect::<Option<_>>()?;
        let mean = |pick: fn(&ObjectsUsed) -> u64| {
            used.iter().map(|used| pick(used) as f64).sum::<f64>() / used.len().max(1) as f64
        };
        let bytes = RequestedBytes {
            read: mean(|used| used.files.read),
            write: mean(|used| used.files.write),
            discard: 0.0,
            ahead: 0.0,
        };
        (bytes.all() > 0.0).then(|| FileWork {
            bytes,
            tasks: mean(|used| used.file_tasks).round() as usize,
        })
    }
}

/// Bytes of files of both sides, read and written, where these are the work and equal, while the
/// bytes of the disk differ: what the file system added. Run times compare then, and rates do not.
pub fn same_files(a: &ComparisonSide, b: &ComparisonSide) -> Option<(f64, f64)> {
    let files = (FileWork::new(a)?.bytes, FileWork::new(b)?.bytes);
    let evidence = common_evidence(a, b);
    let all = [a, b].map(|side| RequestedBytes::new(side, evidence).all());
    let same = alike(files.0.read, files.1.read) && alike(files.0.write, files.1.write);
    (same && !alike(all[0], all[1])).then(|| (files.0.all(), files.1.all()))
}

/// Whether two amounts are the same.
pub fn alike(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.max(b)
}
