//! Parameters of questions, as they arrive in JSON. Names are those of `web/engine/protocol.ts`.

use super::answer::BadQuery;
use crate::measure::{Geometry, Level};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Most pixels, bins or rows of one answer.
pub const MOST: usize = 8192;

/// Reads the parameters of a question.
pub fn parse<T: DeserializeOwned>(parameters: &str) -> Result<T, BadQuery> {
    serde_json::from_str(parameters).map_err(|e| BadQuery(format!("its parameters are not understood ({e})")))
}

/// A number of pixels, bins or rows, at most [`MOST`].
pub fn cells(n: f64) -> usize {
    if n >= 1.0 { (n as usize).min(MOST) } else { 0 }
}

/// [t0, t1) in ns. Numbers out of JSON are finite.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct TimeRange {
    /// From.
    pub t0: f64,
    /// Up to, not including.
    pub t1: f64,
}

impl TimeRange {
    /// All of time.
    pub const ALL: TimeRange = TimeRange { t0: 0.0, t1: f64::MAX };

    /// Length in ns, 0 when reversed.
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
    /// Stripe unit.
    pub unit: f64,
    /// Data disks.
    pub data_disks: f64,
    /// First sector.
    pub start: f64,
}

/// Largest whole number that a float holds exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl GeometryQuery {
    /// The geometry, checked.
    pub fn geometry(&self) -> Result<Geometry, BadQuery> {
        let level = Level::from_name(&self.level).ok_or_else(|| BadQuery(format!("`{}` is no RAID level", self.level)))?;
        let whole = |name: &str, n: f64| {
            let fits = (0.0..=EXACT).contains(&n) && n.fract() == 0.0;
            fits.then_some(n as u64)
                .ok_or_else(|| BadQuery(format!("{name} must be a whole number of sectors or disks, not {n}")))
        };
        let (unit, disks) = (whole("the stripe unit", self.unit)?, whole("data disks", self.data_disks)?);
        Geometry::new(level, unit, disks, whole("the start", self.start)?).map_err(BadQuery::new)
    }
}

/// Which requests of one device take part; what is absent does not restrict.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Filter {
    /// Index of the store's devices.
    pub device: u32,
    /// Operations left out.
    pub hide_ops: Vec<String>,
    /// Requests that carry one of these are left out.
    pub hide_flags: Vec<String>,
    /// Indices of processes left out.
    pub hide_processes: Vec<u32>,
    /// Submitting CPUs left out.
    pub hide_cpus: Vec<u32>,
    /// Alignment classes left out.
    pub hide_alignment: Vec<String>,
    /// Needed by everything that speaks of alignment.
    pub geometry: Option<GeometryQuery>,
    /// [from, to): requests that touch it.
    pub lba: Option<(f64, f64)>,
    /// Least and most length in sectors, both included.
    pub sectors: Option<(f64, f64)>,
    /// Least and most Q2C (D2C where no Q is known) in ns, both included.
    pub latency: Option<(f64, f64)>,
}

/// A part of the LBA axis and its pixel rows, counted from the top.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Band {
    /// First sector, at the bottom.
    pub lba0: f64,
    /// One past the last, at the top.
    pub lba1: f64,
    /// Top row.
    pub y0: f64,
    /// One past the bottom row.
    pub y1: f64,
}

/// The place of a word in a list of words.
pub fn index_of(words: &[&str], given: &str) -> Result<usize, BadQuery> {
    words.iter().position(|w| *w == given).ok_or_else(|| BadQuery(format!("`{given}` is none of {}", words.join(", "))))
}
