//! The answer of `info`: what can be queried of a trace.

use seekscope_report::absent::ChartName;
use seekscope_report::drivers::SummaryDrivers;
use seekscope_report::summary::{SummaryFile, SummaryUnmatched};
use seekscope_trace::protocol::{ByteCount, Ns, SectorNumber};
use seekscope_trace::store::{
    FileSystem, LossEvidence, LossInterval, MapFacts, Role, RowMeaning, TimeWindow, Warning,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Not;

/// A trace, or what was read of it so far.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceInfo {
    pub name: String,
    /// Guessed from file and folder names.
    pub label: String,
    pub format: String,
    /// What the format lacks, in words; empty for blktrace's own files.
    pub absent: Vec<&'static str>,
    pub files: Vec<SummaryFile>,
    /// The part of the recording that was read, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<TimeWindow>,
    /// False while the trace is still being read: every figure is "so far".
    pub complete: bool,
    /// Time of the last event.
    pub span: Ns,
    /// Wall clock at time 0, ms since 1970, when a TIMESTAMP record gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<f64>,
    /// The clock of the trace at time 0, ns: to place times that are on that clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_at_zero: Option<f64>,
    pub events: usize,
    pub requests: usize,
    pub messages: usize,
    /// Files with counters next to the trace, and kinds of tracepoints with values; absent without
    /// any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lane_sources: Option<usize>,
    /// Lanes of the trace that a snapshot does not have; absent if it has all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes_left_out: Option<usize>,
    /// Warnings and loss intervals that a snapshot of size XS does not have; absent if it has all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings_left_out: Option<usize>,
    pub cpus: BTreeSet<u32>,
    /// Most active first; a stacked device (md) comes before its members.
    pub devices: Vec<DeviceInfo>,
    pub processes: Vec<ProcessInfo>,
    /// Files and structures of file systems, the most bytes first; absent without a map of a disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<ObjectInfo>,
    /// The tasks that wrote or read the data of files by their names, the most bytes first, what is
    /// unknown last; absent without a map of a disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writers: Vec<String>,
    /// What maps of the disk there were; absent without objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map: Option<MapFacts>,
    pub quality: InfoQuality,
}

/// A device of a trace.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceInfo {
    /// Identifies the device in all queries.
    pub index: usize,
    /// `major,minor`, as native tools print it.
    pub dev: String,
    /// Base name of its files when they name a device (`vda`, `md0`), else `dev`.
    pub name: String,
    /// `disk` has issues (D); `stacked` (md) and `remapped` (dm linear) have only Q and C: no queue
    /// depth.
    pub role: Role,
    /// What it does in a stack, as texts name it: `crypt`, `raid1`. Absent where none says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The file systems on it and on its partitions that a map of the disk names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub file_systems: Vec<FileSystem>,
    /// Indices of the recorded devices on which it lies; absent for one that lies on none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<u32>,
    /// Letters of the actions that occurred: `QGIDC`. Absent for a run of a table of digests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
    /// What a row of the request table is. Absent for a run of a table of digests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<RowMeaning>,
    /// Whether actions are missing that such a device normally has, as after `blktrace -a`.
    #[serde(skip_serializing_if = "Not::not")]
    pub masked: bool,
    /// Charts that the recorded actions do not suffice for, with the reason in words; until the
    /// trace is complete, only the queue depth before the first D.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<BTreeMap<ChartName, String>>,
    pub events: u64,
    /// Rows of the request table: requests of a disk, bios of a stacked device.
    pub requests: u64,
    /// Lowest and one past the highest sector of any request.
    pub lba: (SectorNumber, SectorNumber),
    /// Times of the first Q and the last C.
    pub active: (Ns, Ns),
    /// Present for a zoned disk whose zones are known from notes, when the trace is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones: Option<DeviceZones>,
}

/// The zones of a disk.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceZones {
    /// Sectors per zone.
    pub sectors: SectorNumber,
    /// Ranges of sectors that may be written in any order, ascending; absent if the types of zones
    /// are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conventional: Option<Vec<(SectorNumber, SectorNumber)>>,
}

/// A process of a trace: one entry per pid.
#[derive(Clone, Debug, Serialize)]
pub struct ProcessInfo {
    /// Identifies the process in filters.
    pub index: usize,
    pub pid: u32,
    /// Last known name; `pid 123` when no PROCESS record named it.
    pub name: String,
    /// Device through which its bios came (partition, dm) when a remap names one: `254,1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// Bios that it queued, and their bytes.
    pub queued: u64,
    pub bytes: ByteCount,
}

/// A file, all structures of a kind, or what is unknown.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectInfo {
    /// Identifies it in filters.
    pub index: usize,
    /// Its name: the path of a file, `inode 12`, `inode tables`, `other files`, `unknown`. The same
    /// object has the same name in other traces.
    pub name: String,
    pub kind: ObjectInfoKind,
}

/// What an entry of the objects of a trace is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectInfoKind {
    File,
    OtherFiles,
    Journal,
    Structure,
    Unknown,
}

/// What is missing, damaged or invalid in a trace.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InfoQuality {
    /// From gaps in the sequence numbers or from the tracer's log, whichever is greater.
    pub lost_events: u64,
    /// Events that the tracer's log counts as dropped; absent without a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tracer_dropped: Option<u64>,
    pub truncated_bytes: u64,
    pub unknown_records: u64,
    /// Issues of requests that had been issued before, in recordings without R. Absent for a run of
    /// a table of digests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reissued: Option<u64>,
    /// Commands of the nvme and scsi drivers, if they were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drivers: Option<SummaryDrivers>,
    pub unmatched: SummaryUnmatched,
    pub holes: Vec<InfoLoss>,
    pub warnings: Vec<Warning>,
}

/// A time in which events of a device were lost on a CPU: from its last event before to its first
/// one after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[doc(alias = "LossInterval")]
pub struct InfoLoss {
    /// Index of the device.
    device: u32,
    cpu: u32,
    from: Ns,
    to: Ns,
    reason: LossEvidence,
    /// Missing events, where the sequences count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<u64>,
    /// Events around that lack their partner, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    strays: Option<u64>,
}

impl InfoLoss {
    pub fn new(interval: &LossInterval) -> InfoLoss {
        let (lost, strays) = interval.loss.counts();
        InfoLoss {
            device: interval.device,
            cpu: interval.cpu,
            from: interval.from,
            to: interval.to,
            reason: interval.loss,
            lost,
            strays,
        }
    }
}
