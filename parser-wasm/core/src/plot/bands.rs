//! The parts of the LBA axis that have requests.

use super::answer::{Answer, BadQuery};
use super::query::{Filter, MOST, TimeRange, cells};
use super::select::Selection;
use super::view::{View, placed};
use serde::Deserialize;

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

/// Answers `bands`: ascending [first, one past the last) of each band.
pub fn bands(view: View, query: &BandsQuery) -> Result<Answer, BadQuery> {
    let found = parts(view, &Selection::new(view.store, &query.filter)?, query.range, cells(query.most), query.gap_share);
    let pairs: Vec<[f64; 2]> = found.iter().map(|&(first, end)| [first as f64, end as f64]).collect();
    Ok(Answer::Json(serde_json::json!({ "bands": pairs })))
}

/// Two passes: first the extent of all requests; then, for equal slices of it, the extent of the requests that start in the slice.
/// Two neighbours in one slice are closer than any gap that counts, so the slices need no sorting of requests.
fn parts(view: View, selection: &Selection, range: TimeRange, most: usize, gap_share: f64) -> Vec<(u64, u64)> {
    let requests = &view.store.requests;
    let extents = || {
        view.alive(range).filter(|&row| placed(requests, row) && selection.takes(row)).map(|row| {
            let first = requests.sector(row);
            (first, first.saturating_add(requests.sectors(row).max(1)))
        })
    };
    let (low, high) = extents().fold((u64::MAX, 0), |(low, high), (first, end)| (low.min(first), high.max(end)));
    if low >= high || most == 0 {
        return Vec::new();
    }
    let slice = (high - low).div_ceil(MOST as u64).max(1);
    let mut slices = vec![(u64::MAX, 0u64); MOST + 1];
    for (first, end) in extents() {
        if let Some(s) = slices.get_mut(((first - low) / slice) as usize) {
            *s = (s.0.min(first), s.1.max(end));
        }
    }
    let least = (((high - low) as f64 * gap_share.clamp(0.0, 1.0)) as u64).max(slice);
    let mut found: Vec<(u64, u64)> = Vec::new();
    for (first, end) in slices.into_iter().filter(|s| s.1 > 0) {
        match found.last_mut() {
            Some(last) if first < last.1.saturating_add(least) => last.1 = last.1.max(end),
            _ => found.push((first, end)),
        }
    }
    close_smallest(found, most)
}

/// Joins the bands with the smallest gaps between them until there are at most `most`.
fn close_smallest(parts: Vec<(u64, u64)>, most: usize) -> Vec<(u64, u64)> {
    let mut gaps: Vec<(u64, usize)> = parts.windows(2).enumerate().map(|(i, w)| (w[1].0 - w[0].1, i + 1)).collect();
    gaps.sort_unstable_by(|a, b| b.cmp(a));
    gaps.truncate(most - 1);
    let mut starts: Vec<usize> = gaps.into_iter().map(|(_, i)| i).chain([0, parts.len()]).collect();
    starts.sort_unstable();
    starts.windows(2).filter(|w| w[0] < w[1]).map(|w| (parts[w[0]].0, parts[w[1] - 1].1)).collect()
}
