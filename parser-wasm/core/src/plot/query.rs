//! Parameters of queries, as they arrive in JSON. Names are those of `web/engine/protocol.ts`.

use super::answer::BadQuery;
use crate::measure::{Geometry, Level};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Maximum pixels, bins or rows per answer. Bounds the memory of an answer, whatever a query
/// requests.
pub const MAX_POINTS: usize = 8192;
/// Maximum cells of a picture: 8,192 columns and 2,048 rows.
const MAX_CELLS: usize = 1 << 24;

/// Reads the parameters of a query.
pub fn parse<T: DeserializeOwned>(parameters: &str) -> Result<T, BadQuery> {
    serde_json::from_str(parameters).map_err(|e| BadQuery(format!("invalid parameters: {e}")))
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

/// A time range [t0, t1) in ns. Numbers in JSON are finite.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct TimeRange {
    pub t0: f64,
    pub t1: f64,
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

/// Stripe geometry of an array, in sectors.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GeometryQuery {
    /// `raid0`, `raid5`, `raid6`, `raid10` or `none`.
    pub level: String,
    pub unit: f64,
    pub data_disks: f64,
    pub start: f64,
}

/// Largest integer up to which a float is exact: 2^53.
pub const EXACT: f64 = 9_007_199_254_740_992.0;

impl GeometryQuery {
    /// The validated geometry.
    pub fn geometry(&self) -> Result<Geometry, BadQuery> {
        let level = Level::from_name(&self.level)
            .ok_or_else(|| BadQuery(format!("unknown RAID level `{}`", self.level)))?;
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
        Geometry::new(level, unit, disks, whole("the start", self.start)?).map_err(BadQuery::new)
    }
}

/// Which requests of one device are included. Absent fields do not restrict.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Filter {
    pub device: u32,
    pub hide_ops: Vec<String>,
    /// Requests with one of these are hidden.
    pub hide_flags: Vec<String>,
    pub hide_processes: Vec<u32>,
    /// CPUs of the submission.
    pub hide_cpus: Vec<u32>,
    pub hide_alignment: Vec<String>,
    /// Required by everything that refers to alignment.
    pub geometry: Option<GeometryQuery>,
    /// [from, to): requests that overlap it.
    pub lba: Option<(f64, f64)>,
    /// Minimum and maximum length in sectors, inclusive.
    pub sectors: Option<(f64, f64)>,
    /// Minimum and maximum Q2C (D2C without Q) in ns, inclusive.
    pub latency: Option<(f64, f64)>,
}

/// A part of the LBA axis and its pixel rows, counted from the top.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Band {
    /// First sector, at the bottom.
    pub lba0: f64,
    /// One past the last sector, at the top.
    pub lba1: f64,
    /// Top row.
    pub y0: f64,
    /// One past the bottom row.
    pub y1: f64,
}

/// The index of a word in a list of words.
pub fn index_of(words: &[&str], given: &str) -> Result<usize, BadQuery> {
    words
        .iter()
        .position(|w| *w == given)
        .ok_or_else(|| BadQuery(format!("`{given}` must be one of {}", words.join(", "))))
}
