//! Types of the document of `summary --json`. Names and units are fixed (ns, sectors, bytes); what
//! does not apply is absent. `web/engine/summary.ts` describes the same document.

use super::counters::CountersSummary;
use super::drivers::SummaryDrivers;
use super::tail::TailSummary;
use super::unreliable::SummaryLoss;
use crate::measure::alignment::ClassCount;
use crate::measure::failed::FailedRequests;
use crate::measure::members::MemberCheck;
use crate::measure::size::SizeCount;
use crate::measure::suggestion::{MappedDevice, Suggestion};
use crate::measure::zones::ZoneFigures;
use crate::measure::{cost, coverage, depth, flush, interleaving, latency, seek, throughput};
use crate::store::{ClockDoubt, TimeWindow, Warning};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde::{Deserialize, Serialize as Derive};
use serde_json::{Map, Value as Json};

/// The document.
#[derive(Clone, Debug, Derive)]
pub struct SummaryDocument {
    /// Version of the document.
    pub schema: u32,
    /// One entry per trace.
    pub traces: Vec<TraceSummary>,
}

impl SummaryDocument {
    /// With the current schema version.
    pub fn new(traces: Vec<TraceSummary>) -> SummaryDocument {
        SummaryDocument { schema: 1, traces }
    }
}

/// One trace.
#[derive(Clone, Debug, Derive)]
pub struct TraceSummary {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) format: String,
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

#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryFile {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) records: u64,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryQuality {
    pub(super) lost_events: u64,
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
fn is_false(given: &bool) -> bool {
    !given
}

#[derive(Clone, Debug, Derive)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct SummaryUnmatched {
    pub(super) q: u64,
    pub(super) d: u64,
    pub(super) c: u64,
}

/// A process that queued bios.
#[derive(Clone, Debug, Default, PartialEq, Eq, Derive, Deserialize)]
pub struct SummaryProcess {
    pub pid: u32,
    /// Last recorded name, or `pid 123`.
    pub name: String,
    /// Number of bios at Q.
    pub queued: u64,
    pub bytes: u64,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct DeviceSummary {
    pub(super) dev: String,
    /// Where the number is made up, because the format has only names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) role: &'static str,
    pub(super) span_ns: u64,
    pub(super) events: OrderedMap<u64>,
    /// Letters of the actions that occurred.
    pub(super) recorded: String,
    /// What a row of the requests is.
    pub(super) row: &'static str,
    /// Whether actions are missing that such a device has; then it is in the document.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) masked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<SummaryBytes>,
    /// Completions with an error; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<FailedRequests>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) throughput: Option<throughput::Throughput>,
    /// Where no completion was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rate: Option<SummaryRate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<depth::Depth>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) waiting: Option<depth::Waiting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outstanding: Option<depth::Waiting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) starved: Option<depth::Starved>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) states: Option<depth::States>,
    pub(super) latency_ns: OrderedMap<latency::Latency>,
    pub(super) latency_bio_ns: OrderedMap<BioLatency>,
    /// Why the slowest requests were slow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tail: Option<TailSummary>,
    pub(super) sizes: SummarySizes,
    pub(super) seek: SummarySeek,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interleaving: Option<interleaving::Interleaving>,
    pub(super) merges: SummaryMerges,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flush: Option<flush::Flush>,
    /// Of a zoned disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zones: Option<ZoneFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sync_share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alignment: Option<AlignmentSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) geometry_suggestion: Option<Suggestion>,
    /// Partitions and other devices that start on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) mapped: Vec<MappedDevice>,
    /// Names of figures that are absent because of what was recorded, with the reason.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) absent: Map<String, Json>,
    /// What the recording may lack, though its actions do not prove it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<&'static str>,
    /// Names of the figures above that are unreliable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) spoiled: Vec<String>,
}

/// Entries written as one JSON object, in this order.
#[derive(Clone, Debug)]
pub(super) struct OrderedMap<T>(pub(super) Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for OrderedMap<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryBytes {
    pub(super) read: u64,
    pub(super) write: u64,
    pub(super) discard: u64,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct BioLatency {
    pub(super) n: u64,
    pub(super) min: u64,
    pub(super) mean: f64,
    pub(super) max: u64,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct SummarySizes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queued: Option<Vec<SizeCount>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) issued: Option<Vec<SizeCount>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) completed: Option<Vec<SizeCount>>,
}

/// Reads and writes per second of run time, as queued or issued.
#[derive(Clone, Debug, Derive)]
pub(super) struct SummaryRate {
    pub(super) at: &'static str,
    #[serde(flatten)]
    pub(super) rate: throughput::Throughput,
}

#[derive(Clone, Debug, Derive)]
pub(super) struct SummarySeek {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) issued: Option<seek::Seek>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) queued: Option<seek::Seek>,
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

#[derive(Clone, Debug, Derive)]
pub(super) struct AlignmentSummary {
    pub(super) spec: String,
    pub(super) classes: OrderedMap<ClassCount>,
    pub(super) misaligned_4k: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stripes: Option<coverage::StripeCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rmw: Option<cost::Rmw>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) members: Option<MemberCheck>,
}
