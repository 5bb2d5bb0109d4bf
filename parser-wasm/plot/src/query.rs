//! Parameters of queries, as they arrive in JSON. The table of queries names them.

use super::answer::BadQuery;
use seekscope_measure::arrays::alignment::Class;
use seekscope_measure::latency::STAGES;
use seekscope_measure::{Geometry, Level};
use seekscope_trace::event::Op;
use seekscope_trace::json;
use seekscope_trace::protocol::{FloatNs, FloatSector};
use seekscope_trace::store::Stage;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Maximum pixels, bins or rows per answer. Bounds the memory of an answer, whatever a query
/// requests.
pub const MAX_POINTS: usize = 8192;
/// Maximum cells of a picture: 8,192 columns and 2,048 rows.
const MAX_CELLS: usize = 1 << 24;

/// Reads the parameters of a query.
pub fn parse<T: DeserializeOwned>(parameters: &str) -> Result<T, BadQuery> {
    json::read(parameters).map_err(|e| BadQuery(format!("invalid parameters: {e}")))
}

/// A number of pixels, bins or rows, limited to [`MAX_POINTS`].
pub fn cells(n: f64) -> usize {
    if n >= 1.0 {
        (n as usize).min(MAX_POINTS)
    } else {
        0
    }
}

/// Columns and rows of a picture, limited to [`MAX_POINTS`] each and [`MAX_CELLS`] together.
pub fn grid(w: f64, h: f64) -> (usize, usize) {
    let w = cells(w);
    (w, cells(h).min(MAX_CELLS / w.max(1)))
}

/// A range of time [t0, t1), ns. One that ends at the span of the trace includes the last event. A
/// request belongs to the range in which it starts (D of a disk's request, Q of a stacked device's
/// bio), so counts of neighbouring ranges add up; exceptions are documented at their query.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[doc(alias = "Range")]
pub struct TimeRange {
    pub t0: FloatNs,
    pub t1: FloatNs,
}

impl TimeRange {
    pub const ALL: TimeRange = TimeRange {
        t0: 0.0,
        t1: f64::MAX,
    };

    /// Length in ns, 0 if reversed.
    pub fn length(&self) -> f64 {
        (self.t1 - self.t0).max(0.0)
    }
}

/// Stripe geometry of an array. Sizes in sectors.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[doc(alias = "Geometry")]
pub struct GeometryQuery {
    pub level: Level,
    pub unit: FloatSector,
    pub data_disks: f64,
    /// First sector of the array or partition.
    pub start: FloatSector,
}

/// Largest integer up to which a float is exact: 2^53.
pub const EXACT: f64 = 9_007_199_254_740_992.0;

impl GeometryQuery {
    /// Validates the numbers, which arrive as floats.
    pub fn geometry(&self) -> Result<Geometry, BadQuery> {
        let whole = |name: &str, n: f64| {
            let fits = (0.0..=EXACT).contains(&n) && n.fract() == 0.0;
            fits.then_some(n as u64).ok_or_else(|| {
                BadQuery(format!(
                    "{name} must be a whole number of sectors or disks, not {n}"
                ))
            })
        };
        let (unit, disks) = (
            whole("the stripe unit", self.unit)?,
            whole("data disks", self.data_disks)?,
        );
        Geometry::new(self.level, unit, disks, whole("the start", self.start)?)
            .map_err(BadQuery::new)
    }
}

/// Which requests of one device a query examines. What is absent does not restrict.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    /// Index of the device.
    pub device: u32,
    #[serde(default)]
    pub hide_ops: Vec<Op>,
    /// Leaves out requests that carry one of these.
    #[serde(default)]
    pub hide_flags: Vec<Flag>,
    /// Indices of processes, as in `info`.
    #[serde(default)]
    pub hide_processes: Vec<u32>,
    /// Indices of objects, as in `info`: a request that covers several belongs to the one that has
    /// most of its sectors.
    #[serde(default)]
    pub hide_objects: Vec<u32>,
    /// Indices of writers, as in `info`: those of most of a request's sectors.
    #[serde(default)]
    pub hide_writers: Vec<u32>,
    /// CPUs on which requests were submitted.
    #[serde(default)]
    pub hide_cpus: Vec<u32>,
    /// Requires `geometry`.
    #[serde(default)]
    pub hide_alignment: Vec<Class>,
    /// Required by everything that refers to alignment.
    pub geometry: Option<GeometryQuery>,
    /// Sectors [from, to): includes the requests that touch it. Flushes have no place and are left
    /// out.
    pub lba: Option<(FloatSector, FloatSector)>,
    /// Minimum and maximum length in sectors, inclusive.
    pub sectors: Option<(f64, f64)>,
    /// Minimum and maximum Q2C (D2C where no Q is known) in ns, inclusive; leaves out what did not
    /// complete. Bios as queued are not judged by it.
    pub latency: Option<(FloatNs, FloatNs)>,
    /// Functions of the kernel from the outermost one inwards, as in a tree of call stacks:
    /// includes the requests that were submitted through all of them.
    #[serde(default)]
    pub functions: Vec<String>,
}

/// A part of the LBA axis and the pixel rows it is drawn on, counted from the top.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Band {
    /// First sector, at the bottom.
    pub lba0: FloatSector,
    /// One past the last sector, at the top.
    pub lba1: FloatSector,
    /// Top row.
    pub y0: f64,
    /// One past the bottom row.
    pub y1: f64,
}

/// A property of requests, in the order of the bits of `select::flag_bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flag {
    Sync,
    Fua,
    Meta,
    Ahead,
    Preflush,
    Passthrough,
}

impl Flag {
    /// All flags, in the order of their numbers.
    pub const ALL: [Flag; 6] = [
        Flag::Sync,
        Flag::Fua,
        Flag::Meta,
        Flag::Ahead,
        Flag::Preflush,
        Flag::Passthrough,
    ];
}

/// A stage that requests have, in the order of [`STAGES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[doc(alias = "Stage")]
pub enum RequestStage {
    Q2C,
    D2C,
    Q2D,
    Q2G,
    G2I,
    I2D,
    G2D,
}

impl RequestStage {
    pub const ALL: [RequestStage; STAGES.len()] = [
        RequestStage::Q2C,
        RequestStage::D2C,
        RequestStage::Q2D,
        RequestStage::Q2G,
        RequestStage::G2I,
        RequestStage::I2D,
        RequestStage::G2D,
    ];

    pub fn stage(self) -> Stage {
        STAGES[self as usize]
    }
}
