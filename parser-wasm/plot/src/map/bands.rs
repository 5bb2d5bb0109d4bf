//! The parts of the LBA axis that have requests.
//!
//! Bands are the requests joined over every gap that is smaller than a share of their complete
//! extent. Sorting millions of requests by sector would be slow; instead the axis is cut into
//! slices that are shorter than any gap that counts ([`Slices`]), and each slice keeps only the
//! lowest and the highest sector of its requests. The result is exact, for any cut that is fine
//! enough. The cut needs the extent, and the extent needs a pass: if the sectors of the whole
//! device are indexed, a finer cut of these usually suffices, else there are two passes
//! ([`find_parts`]).

use crate::answer::BadQuery;
use crate::query::{Filter, MAX_POINTS, TimeRange, cells};
use crate::select::Selection;
use crate::view::{View, placed};
use seekscope_trace::protocol::FloatSector;
use seekscope_trace::sorting::SortShort;
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
    let found = find_parts(view, &selection, query, cells(query.most));
    let float = |(first, end): (u64, u64)| (first as f64, end as f64);
    Ok(Bands {
        bands: found.into_iter().map(float).collect(),
    })
}

/// Slices of a pass that does not know the extent of the requests yet: finer than [`MAX_POINTS`],
/// because the filter may include only a part of the axis.
const FINE: usize = 4 * MAX_POINTS;

/// The extent of the requests that start in each slice of the axis, and of all. Two requests in one
/// slice are closer than any gap that counts, so they are in the same band; therefore all slices
/// that are not longer than such a gap give the same bands.
struct Slices {
    low: u64,
    length: u64,
    /// Smallest gap that counts, as a share of the extent of all.
    gap_share: f64,
    /// Lowest sector and highest end per slice; `low > high` without requests.
    extents: Vec<(u64, u64)>,
    all: (u64, u64),
}

/// Maximum number of blocks of requests between two updates of the parts found so far.
const MAX_STRIDE: usize = 64;

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

    /// Adds the requests in flight in `range`. A block of rows whose sectors are within a part
    /// found so far can change nothing and is not visited. The parts are updated after 1, 2, 4, ...
    /// blocks, later after every [`MAX_STRIDE`].
    fn fill(mut self, view: View, selection: &Selection, range: TimeRange) -> Slices {
        let (mut parts, mut visited, mut look): (Vec<(u64, u64)>, usize, usize) =
            (Vec::new(), 0, 1);
        for block in view.blocks() {
            if view
                .block_reach(block)
                .is_some_and(|reach| within(&parts, reach))
            {
                continue;
            }
            view.each_taken_in(block, range, selection, |row| {
                if placed(row) {
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
                look += visited.min(MAX_STRIDE);
            }
        }
        self
    }

    /// The smallest gap that counts. It grows with the extent found so far, so parts only join.
    fn min_gap(&self) -> u64 {
        let extent = self.all.1.saturating_sub(self.all.0);
        let slice = extent.div_ceil(MAX_POINTS as u64).max(1);
        ((extent as f64 * self.gap_share) as u64).max(slice)
    }

    /// The parts between gaps of at least [`Slices::min_gap`], if the slices are fine enough.
    fn parts(&self) -> Vec<(u64, u64)> {
        let min_gap = self.min_gap();
        let mut found: Vec<(u64, u64)> = Vec::new();
        for &(first, end) in self.extents.iter().filter(|s| s.1 > 0) {
            match found.last_mut() {
                Some(last) if first < last.1.saturating_add(min_gap) => last.1 = last.1.max(end),
                _ => found.push((first, end)),
            }
        }
        found
    }
}

/// Whether the sectors of a block are within one of some ascending parts.
fn within(parts: &[(u64, u64)], (first, end): (u64, u64)) -> bool {
    let after = parts.partition_point(|part| part.0 <= first);
    after
        .checked_sub(1)
        .and_then(|index| parts.get(index))
        .is_some_and(|part| end <= part.1)
}

/// Finds the bands in one pass over slices of the whole device, if these are fine enough for the
/// requests that the filter includes; else in two: first their extent, then slices of it.
fn find_parts(
    view: View,
    selection: &Selection,
    query: &BandsQuery,
    max_bands: usize,
) -> Vec<(u64, u64)> {
    let reach = view.reach(query.filter.device);
    let slices = |axis, n| Slices::new(axis, n, query.gap_share).fill(view, selection, query.range);
    let mut found = slices(
        reach.unwrap_or_default(),
        if reach.is_some() { FINE } else { 1 },
    );
    let (low, high) = found.all;
    if low >= high || max_bands == 0 {
        return Vec::new();
    }
    if reach.is_none() || found.length > found.min_gap() {
        found = slices((low, high), MAX_POINTS);
    }
    close_smallest(found.parts(), max_bands)
}

/// Joins the bands with the smallest gaps between them until there are at most `max_bands`.
fn close_smallest(parts: Vec<(u64, u64)>, max_bands: usize) -> Vec<(u64, u64)> {
    let mut gaps: Vec<(u64, usize)> = parts
        .windows(2)
        .enumerate()
        .map(|(i, w)| (w[1].0 - w[0].1, i + 1))
        .collect();
    gaps.sort_short_by(|a, b| b.cmp(a));
    gaps.truncate(max_bands - 1);
    let mut starts: Vec<usize> = gaps
        .into_iter()
        .map(|(_, i)| i)
        .chain([0, parts.len()])
        .collect();
    starts.sort_short();
    starts
        .windows(2)
        .filter(|w| w[0] < w[1])
        .map(|w| (parts[w[0]].0, parts[w[1] - 1].1))
        .collect()
}
