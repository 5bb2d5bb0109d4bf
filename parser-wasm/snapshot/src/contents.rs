//! What a snapshot contains, as types. Field names are the JSON keys of version 1, which links
//! hold: never rename one.
//!
//! Documents and answers of other modules (`info`, `summary`, `digest`, facets, ...) stay JSON:
//! their types write numbers in other ways than the packed ones, and a link has the keys of the
//! version that made it. Numbers are [`Number`]s, not floats, so that a snapshot that is
//! read and packed again is the same bytes.

#![allow(
    missing_docs,
    reason = "fields are named after the answers that they hold"
)]

use super::size::{SnapshotDetail, SnapshotSize};
use seekscope_notes::results::ResultSet;
use seekscope_trace::store::lanes::{LaneKind, LaneSource, LaneUnit, Lanes};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value as Json};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Numbers of a list; `None` (JSON `null`) where an answer had none.
pub type Numbers = Vec<Option<Number>>;

/// Documents as they were when the link was made.
pub type CompareDocumentOrNull = Json;
pub type TraceInfoJson = Json;
pub type TraceSummaryJson = Json;
pub type DigestJson = Json;
pub type FilterJson = Json;
pub type GeometryQueryJson = Json;
pub type FacetsOrNull = Json;
pub type StageMeanListOrNull = Json;
pub type BenchFigureListJson = Json;
pub type SettingListJson = Json;

/// Lists of equal length, by name: an answer of `rate`, `depth` or `sizes`.
pub type Series = BTreeMap<String, Numbers>;

/// A snapshot as a link or a report holds it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// What the page can show before any trace is decoded.
    pub head: SnapshotHead,
    /// The document of the comparison; `null` for a single run.
    #[serde(default)]
    pub document: CompareDocumentOrNull,
    /// Index into `traces` of each run of the document.
    #[serde(default)]
    pub of: Vec<usize>,
    /// `None` where nothing of a trace could be read.
    pub traces: Vec<Option<TraceSnapshot>>,
    /// Results without a trace; only in version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<ResultSet>,
}

/// The first section: what is known without the traces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SnapshotHead {
    pub size: SnapshotSize,
    /// One entry per trace.
    pub runs: Vec<SnapshotRun>,
}

/// What describes a trace besides its contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SnapshotRun {
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Names of devices by `major,minor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_names: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<BenchFigureListJson>,
    /// The settings that differ between the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<SettingListJson>,
}

/// One trace of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceSnapshot {
    /// The answer of `info`.
    pub info: TraceInfoJson,
    /// The answer of `summary`, with the geometry of the snapshot.
    pub summary: TraceSummaryJson,
    /// The answer of `digest`, with the geometry of the snapshot.
    pub digest: DigestJson,
    pub detail: SnapshotDetail,
    /// The geometry of the alignment figures; `null` without them.
    pub geometry: Option<GeometryQueryJson>,
    /// Whether process names are in it, and file names.
    pub names: bool,
    pub files: bool,
    /// Counters and values of tracepoints; only in large sizes, and of traces that have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes: Option<StoredLanes>,
    /// One per shown device and range, the complete range first.
    pub pictures: Vec<Picture>,
}

/// The lanes of a trace and the files that they are from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredLanes {
    pub sources: Vec<LaneSource>,
    pub rows: Vec<StoredLane>,
    /// The lanes, once a query asked for them.
    #[serde(skip)]
    pub read: OnceLock<Lanes>,
}

/// A lane. Times are differences, us: of `at` to the one before, of `length` (rates only) to the
/// start of the interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredLane {
    pub name: String,
    pub meaning: String,
    pub of: String,
    pub unit: LaneUnit,
    pub kind: LaneKind,
    pub source: usize,
    pub main: bool,
    pub at: Numbers,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub length: Numbers,
    pub values: Numbers,
}

/// What the charts show of one device, filter and range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[doc(alias = "SnapshotPicture")]
pub struct Picture {
    pub filter: FilterJson,
    /// Begin and end of the picture, ns.
    pub range: Option<(Number, Number)>,
    /// The answer of `facets`.
    pub facets: FacetsOrNull,
    pub rate: Series,
    /// The part of the answer of `stages` that the charts show.
    pub stages: StageMeanListOrNull,
    pub map: SeekMap,
    /// Absent for devices without a queue depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<Series>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starved: Option<StoredStarvation>,
    /// One series each for `queued`, `issued` and `completed`.
    pub sizes: BTreeMap<String, Series>,
    /// One picture per stage.
    pub latency: BTreeMap<String, LatencyPicture>,
    /// Answer of `alignment`; absent without a geometry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alignment: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stripe_time: Option<StripeTimePicture>,
    /// Marks of zones; only in large sizes, and of zoned disks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones: Option<StoredZones>,
    /// Marks of failed requests; only in large sizes, and of devices that have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<StoredFailures>,
}

/// Answer of `zones`: marks in time order, not always all, and the counts of all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredZones {
    pub kind: Numbers,
    pub at: Numbers,
    pub sector: Numbers,
    pub sectors: Numbers,
    pub pointer: Numbers,
    pub failed: Numbers,
    pub counts: Numbers,
}

/// Answer of `failures`: marks in time order, not always all, and the number of all failures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredFailures {
    pub n: Option<Number>,
    pub at: Numbers,
    pub sector: Numbers,
    pub sectors: Numbers,
    pub errno: Numbers,
    pub count: Numbers,
    /// Latencies; absent on the axis of sectors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub took: Numbers,
}

/// Intervals as begin, end, begin, ..., ns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredStarvation {
    pub intervals: Numbers,
    /// False: there were more, and only the first ones are in the list.
    pub exact: bool,
}

/// Counts once, and the classes of the cells by layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeekMap {
    /// Parts of the LBA axis, ascending: first sector, one past the last.
    pub bands: Vec<(Number, Number)>,
    /// Rows, the same number for each band; high sectors are on top.
    pub h: usize,
    pub n: Option<Number>,
    pub columns: CellColumns,
    /// Colour slot of each process, for the `process` layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<Numbers>,
    /// The same of each file or structure, for the `object` layer.
    #[serde(skip_serializing_if = "Option::is_none", rename = "objectSlots")]
    pub object_slots: Option<Numbers>,
    /// Per layer, the class of each cell that is not empty.
    pub layers: BTreeMap<String, Numbers>,
}

/// The counts of a map's cells, column by column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CellColumns {
    /// Every cell has a number.
    Dense(Vec<Numbers>),
    /// For a large and mostly empty map. Each column is a list of pairs: how many cells are empty,
    /// and the count after them. This is much faster to code.
    Runs { h: usize, runs: Vec<Numbers> },
}

impl Default for CellColumns {
    fn default() -> CellColumns {
        CellColumns::Dense(Vec::new())
    }
}

/// The latencies of one stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LatencyPicture {
    pub distribution: StoredDistribution,
    pub ends: LatencyEnds,
    /// Counts per cell; the highest latencies are in the first row.
    pub columns: CellColumns,
    /// Failed requests; only in large sizes, and of devices that have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<StoredFailures>,
}

/// The lowest and highest row of a latency map, ns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LatencyEnds {
    pub low: Option<Number>,
    pub high: Option<Number>,
}

/// Answer of `distribution`; in small snapshots with fewer points of its curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredDistribution {
    pub n: Option<Number>,
    pub min: Option<Number>,
    pub mean: Option<Number>,
    pub max: Option<Number>,
    pub p50: Option<Number>,
    pub p90: Option<Number>,
    pub p95: Option<Number>,
    pub p99: Option<Number>,
    pub p999: Option<Number>,
    pub p: Numbers,
    pub ns: Numbers,
    /// 95 % interval of each point of the curve; absent in small snapshots.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub low: Numbers,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub high: Numbers,
    pub counts: Numbers,
    /// The first edge alone: the others follow from it.
    pub edges: Option<Number>,
}

/// Answer of `stripeTime`, with cells column by column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct StripeTimePicture {
    pub w: Option<Number>,
    pub h: Option<Number>,
    pub n: Option<Number>,
    pub at_start: Option<Number>,
    pub counts: CellColumns,
    pub begins: CellColumns,
    pub classes: CellColumns,
    pub max: Option<Number>,
    pub full: Numbers,
    pub partial: Numbers,
}
