//! The parts of the LBA axis that have requests.

use crate::answer::BadQuery;
use crate::query::{Filter, MAX_POINTS, TimeRange, cells};
use crate::select::Selection;
use crate::view::{View, placed};
use seekscope_trace::protocol::FloatSector;
use serde::{Deserialize, Serialize};

/// Parameters of `bands`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BandsQuery {
    pub filter: Filter,
    pub range: TimeRange,
    /// Maximum number of bands.
    pub most: f64,
    /// Gaps smaller than this share of the complete extent are not gaps; at least 1/8192.
    pub gap_share: f64,
}

/// Parts of the LBA axis.
#[derive(Clone, Debug, Serialize)]
pub struct Bands {
    /// First sector, and one past the last.
    pub bands: Vec<(FloatSector, FloatSector)>,
}

/// Answers `bands`: ascending [first, one past the last) of each band.
pub fn bands(view: View, query: &BandsQuery) -> Result<Bands, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let found = parts(view, &selection, query, cells(query.most));
    let float = |(first, end): (u64, u64)| (first as f64, end as f64);
    Ok(Bands {
        bands: found.into_iter().map(float).collect(),
    })
}

/// Slices of the pass that does not know the extent of the requests yet.
const FINE: usize = 4 * MAX_POINTS;

/// The extent of the requests that start in each slice of the axis, and of all. Two neighbours in
/// one slice are closer than any gap that counts, so the slices need no sorting of requests; any
/// slices give the same bands that are not longer than such a gap.
struct Slices {
    low: u64,
    length: u64,
    /// Smallest gap that counts, as a share of the extent of all.
    gap_share: f64,
    extents: Vec<(u64, u64)>,
    all: (u64, u64),
}

/// Blocks of requests between two looks at what was found so far, at most.
const SELDOM: usize = 64;

impl Slices {
    /// `n` equal slices from `low` to `high`; requests elsewhere count only for the extent of all.
    fn new((low, high): (u64, u64), n: usize, gap_share: f64) -> Slices {
        let length = high.saturating_sub(low).div_ceil(n as u64).max(1);
        Slices {
            low,
            length,
            gap_share: gap_share.clamp(0.0, 1.0),
            extents: vec![(u64::MAX, 0); n + 1],
            all: (u64::MAX, 0),
        }
    }

    /// Requests within a part change nothing: blocks of them are not visited.
    fn fill(mut self, view: View, selection: &Selection, range: TimeRange) -> Slices {
        let (mut parts, mut visited, mut look): (Vec<(u64, u64)>, usize, usize) =
            (Vec::new(), 0, 1);
        for block in view.blocks() {
            if view
                .reach_of(block)
                .is_some_and(|reach| within(&parts, reach))
            {
                continue;
            }
            view.each_alive_of(block, range, |row| {
                if selection.takes(row) && placed(row) {
                    let first = row.sector();
                    let end = first.saturating_add(row.sectors().max(1));
                    self.all = (self.all.0.min(first), self.all.1.max(end));
                    if let Some(s) = self
                        .extents
                        .get_mut((first.wrapping_sub(self.low) / self.length) as usize)
                    {
                        *s = (s.0.min(first), s.1.max(end));
                    }
                }
            });
            visited += 1;
            if visited == look {
                parts = self.parts();
                look += visited.min(SELDOM);
            }
        }
        self
    }

    /// Smallest gap that counts. It grows with what is found.
    fn least(&self) -> u64 {
        let extent = self.all.1.saturating_sub(self.all.0);
        let slice = extent.div_ceil(MAX_POINTS as u64).max(1);
        ((extent as f64 * self.gap_share) as u64).max(slice)
    }

    /// The parts between such gaps, if the slices are fine enough.
    fn parts(&self) -> Vec<(u64, u64)> {
        let least = self.least();
        let mut found: Vec<(u64, u64)> = Vec::new();
        for &(first, end) in self.extents.iter().filter(|s| s.1 > 0) {
            match found.last_mut() {
                Some(last) if first < last.1.saturating_add(least) => last.1 = last.1.max(end),
                _ => found.push((first, end)),
            }
        }
        found
    }
}

/// Whether a block of requests is within one of some ascending parts.
fn within(parts: &[(u64, u64)], (first, end): (u64, u64)) -> bool {
    let after = parts.partition_point(|part| part.0 <= first);
    after
        .checked_sub(1)
        .and_then(|at| parts.get(at))
        .is_some_and(|part| end <= part.1)
}

/// One pass in slices of all requests of the device, if they are fine enough for those that the
/// filter includes; else two: first their extent, then slices of it.
fn parts(view: View, selection: &Selection, query: &BandsQuery, most: usize) -> Vec<(u64, u64)> {
    let reach = view.reach(query.filter.device);
    let slices = |axis, n| Slices::new(axis, n, query.gap_share).fill(view, selection, query.range);
    let mut found = slices(
        reach.unwrap_or_default(),
        if reach.is_some() { FINE } else { 1 },
    );
    let (low, high) = found.all;
    if low >= high || most == 0 {
        return Vec::new();
    }
    if reach.is_none() || found.length > found.least() {
        found = slices((low, high), MAX_POINTS);
    }
    close_smallest(found.parts(), most)
}

/// Joins the bands with the smallest gaps between them until there are at most `most`.
fn close_smallest(parts: Vec<(u64, u64)>, most: usize) -> Vec<(u64, u64)> {
    let mut gaps: Vec<(u64, usize)> = parts
        .windows(2)
        .enumerate()
        .map(|(i, w)| (w[1].0 - w[0].1, i + 1))
        .collect();
    gaps.sort_unstable_by(|a, b| b.cmp(a));
    gaps.truncate(most - 1);
    let mut starts: Vec<usize> = gaps
        .into_iter()
        .map(|(_, i)| i)
        .chain([0, parts.len()])
        .collect();
    starts.sort_unstable();
    starts
        .windows(2)
        .filter(|w| w[0] < w[1])
        .map(|w| (parts[w[0]].0, parts[w[1] - 1].1))
        .collect()
}
