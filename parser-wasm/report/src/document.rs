//! Types of the document of `summary --json`. Names and units are fixed (ns, sectors, bytes); what
//! does not apply is absent. `web/engine/summary.ts` describes the same document.

use super::counters::CountersSummary;
use super::drivers::SummaryDrivers;
use super::tail::TailSummary;
use super::unreliable::SummaryLoss;
use seekscope_measure::access::{interleaving, seek};
use seekscope_measure::arrays::alignment::ClassCount;
use seekscope_measure::arrays::cost;
use seekscope_measure::arrays::members::MemberCheck;
use seekscope_measure::arrays::suggestion::{MappedDevice, Suggestion};
use seekscope_measure::calls::CallsUsed;
use seekscope_measure::failed::FailedRequests;
use seekscope_measure::layers::LayerTime;
use seekscope_measure::objects::ObjectsUsed;
use seekscope_measure::size::SizeCount;
use seekscope_measure::stacks::StacksUsed;
use seekscope_measure::zones::ZoneFigures;
use seekscope_measure::{coverage, depth, flush, latency, throughput};
use seekscope_trace::store::{
    ClockDoubt, Role, RowMeaning, SourceFile, Stage, TimeWindow, UnmatchedCounts, Warning,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde::{Deserialize, Serialize as Derive};
use std::collections::BTreeMap;

/// The document that `summary --json` prints.
#[derive(Clone, Debug, Derive)]
pub struct SummaryDocument {
    /// Schema version, for scripts that read the document.
    pub schema: u32,
    /// One entry per trace.
    pub traces: Vec<TraceSummary>,
}

impl SummaryDocument {
    /// A document of the current version.
    pub fn new(traces: Vec<TraceSummary>) -> SummaryDocument {
        SummaryDocument { schema: 1, traces }
    }
}

/// The figures of one trace. Names and units are fixed: ns, sectors, bytes. Absent means not
/// applicable.
#[derive(Clone, Debug, Derive)]
pub struct TraceSummary {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) format: String,
    /// What the format lacks, in words; figures that need it are absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) not_in_format: Vec<&'static str>,
    pub(super) files: Vec<SummaryFile>,
    /// The part of the recording that was read, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) window: Option<TimeWindow>,
    pub(super) quality: SummaryQuality,
    pub(super) processes: Vec<SummaryProcess>,
    pub(super) devices: Vec<DeviceSummary>,
    /// Counters of other tools over the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) counters: Vec<CountersSummary>,
}

/// A file of a trace, and the format in which it was read.
#[derive(Clone, Debug, PartialEq, Derive)]
pub struct SummaryFile {
    pub name: String,
    pub bytes: u64,
    pub records: u64,
}

impl SummaryFile {
    pub fn new(file: &SourceFile) -> SummaryFile {
        SummaryFile {
            name: file.name.clone(),
            bytes: file.bytes,
            records: file.records,
        }
    }
}

#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryQuality {
    /// Events that the recording lacks, by its sequence numbers or the log of the tracer.
    pub(super) lost_events: u64,
    /// Dropped events that the tracer's log reports; absent without a log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tracer_dropped: Option<u64>,
    pub(super) truncated_bytes: u64,
    pub(super) unknown_records: u64,
    pub(super) unmatched: SummaryUnmatched,
    /// Issues of requests that had been issued before, in recordings without R.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) reissued: u64,
    /// Commands of the nvme and scsi drivers, if trace points of these were recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) drivers: Option<SummaryDrivers>,
    pub(super) holes: Vec<SummaryLoss>,
    /// Why times are unreliable; absent where they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<ClockDoubt>,
    pub(super) warnings: Vec<Warning>,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Numbers of unmatched events, see [`UnmatchedCounts`].
#[derive(Clone, Debug, PartialEq, Derive)]
#[serde(rename_all = "UPPERCASE")]
pub struct SummaryUnmatched {
    pub q: u64,
    pub d: u64,
    pub c: u64,
}

impl SummaryUnmatched {
    pub fn new(UnmatchedCounts { q, d, c }: UnmatchedCounts) -> SummaryUnmatched {
        SummaryUnmatched { q, d, c }
    }
}

/// A process that queued bios.
#[derive(Clone, Debug, Default, PartialEq, Eq, Derive, Deserialize)]
pub struct SummaryProcess {
    pub pid: u32,
    /// The last recorded name, or `pid 123`.
    pub name: String,
    pub queued: u64,
    pub bytes: u64,
}

#[derive(Clone, Debug, Derive)]
#[doc(alias = "SummaryDevice")]
pub(super) struct DeviceSummary {
    pub(super) dev: String,
    /// The name, if the format has only names and the number is made up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) role: Role,
    /// What it does in a stack, as texts name it: `crypt`, `raid1`; absent where none says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
    /// Indices of the recorded devices on which it lies, in the order of `devices`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) below: Vec<u32>,
    /// Time from the first Q to the last C, ns.
    pub(super) span_ns: u64,
    pub(super) events: OrderedMap<&'static str, u64>,
    /// Letters of the actions that occurred: `QGIDC`. Absent for a run of a table of digests, as
    /// the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) recorded: Option<String>,
    /// What one row of the request table is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) row: Option<RowMeaning>,
    /// Whether actions are missing that such a device has; then it is in the document.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) masked: bool,
    /// Bytes that were completed; absent if C was not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<SummaryBytes>,
    /// Completions with an error; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<FailedRequests>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) throughput: Option<throughput::Throughput>,
    /// Throughput of the device; absent if no completion was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate: Option<SummaryRate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<depth::Depth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waiting: Option<depth::Waiting>,
    /// Bios between Q and C, of a disk recorded without D.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outstanding: Option<depth::Waiting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) starved: Option<depth::Starved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) states: Option<depth::States>,
    /// Latencies of requests, per stage.
    pub(super) latency_ns: OrderedMap<Stage, latency::Latency>,
    /// Latencies of bios, per stage, as btt counts them.
    pub(super) latency_bio_ns: OrderedMap<Stage, BioLatency>,
    /// The files and structures of file systems that requests were for; absent without a map of
    /// the disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) objects: Option<ObjectsUsed>,
    /// The paths through the kernel by which requests were submitted; absent without call stacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stacks: Option<StacksUsed>,
    /// The system calls and io_uring operations by which requests were made; absent where none are
    /// known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) calls: Option<CallsUsed>,
    /// The time in this layer of a stack; absent for devices that lie on none that was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) layer: Option<LayerTime>,
    /// Why the slowest requests were slow; absent for devices without requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tail: Option<TailSummary>,
    pub(super) sizes: SummarySizes,
    pub(super) seek: SummarySeek,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interleaving: Option<interleaving::Interleaving>,
    /// Bios merged behind and in front of requests, and requests merged into others.
    pub(super) merges: SummaryMerges,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flush: Option<flush::Flush>,
    /// The zones of a zoned disk; absent if no note names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zones: Option<ZoneFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sync_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alignment: Option<AlignmentSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) geometry_suggestion: Option<Suggestion>,
    /// Partitions and the like that begin on it, by the remaps that it recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) mapped: Vec<MappedDevice>,
    /// Names of figures that are absent because of what was recorded, with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) absent: BTreeMap<String, String>,
    /// What the recording probably lacks, though its actions do not prove it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<&'static str>,
    /// Figures above that lost events make wrong, by name: `depth`, `latency_ns.q2c`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) spoiled: Vec<String>,
}

/// Entries written as one JSON object, in this order.
#[derive(Clone, Debug)]
pub(super) struct OrderedMap<K, T>(pub(super) Vec<(K, T)>);

impl<K: Serialize, T: Serialize> Serialize for OrderedMap<K, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// Bytes by operation.
#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryBytes {
    pub(super) read: u64,
    pub(super) write: u64,
    pub(super) discard: u64,
}

/// Times of bios in a stage, ns.
#[derive(Clone, Debug, Derive)]
pub(super) struct BioLatency {
    pub(super) n: u64,
    pub(super) min: u64,
    pub(super) mean: f64,
    pub(super) max: u64,
}

/// Numbers of I/Os by their exact size, at Q, D and C.
#[derive(Clone, Debug, Derive)]
pub(super) struct SummarySizes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queued: Option<Vec<SizeCount>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) issued: Option<Vec<SizeCount>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) completed: Option<Vec<SizeCount>>,
}

/// The action that bytes were counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Derive)]
#[serde(rename_all = "lowercase")]
pub(super) enum RateSource {
    Queued,
    Issued,
}

/// Reads and writes per second of run time, as queued or issued.
#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryRate {
    pub(super) at: RateSource,
    #[serde(flatten)]
    pub(super) rate: throughput::Throughput,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct SummarySeek {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) issued: Option<seek::Seek>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queued: Option<seek::Seek>,
    /// Only where nothing but C was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) completed: Option<seek::Seek>,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryMerges {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) back: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) front: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) requests: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) q_per_d: Option<f64>,
}

/// Requests by the alignment of both ends.
#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryClasses {
    pub(super) full_stripe: ClassCount,
    pub(super) unit_aligned: ClassCount,
    pub(super) inside_unit: ClassCount,
    pub(super) straddles: ClassCount,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct AlignmentSummary {
    pub(super) spec: String,
    pub(super) classes: SummaryClasses,
    pub(super) misaligned_4k: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stripes: Option<coverage::StripeCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rmw: Option<cost::Rmw>,
    /// Extra I/O counted on members in the same trace, to check the estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) members: Option<MemberCheck>,
}
