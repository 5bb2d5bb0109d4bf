//! Offsets of requests in their stripe over time, and how many stripes were written fully and
//! partially.

use crate::answer::{BadQuery, answer_object};
use crate::query::{Filter, GeometryQuery, TimeRange, grid};
use crate::select::Selection;
use crate::view::View;
use seekscope_measure::Geometry;
use seekscope_measure::arrays::alignment::{Class, class};
use seekscope_measure::arrays::array::Arrays;
use seekscope_measure::coverage::{Coverage, StripesOverTime};
use serde::Deserialize;

/// Parameters of `stripeTime`.
#[derive(Clone, Debug, Deserialize)]
pub struct StripeTimeQuery {
    pub filter: Filter,
    pub range: TimeRange,
    pub geometry: GeometryQuery,
    /// Number of columns.
    pub w: f64,
    /// Rows over the stripe, its start at the bottom.
    pub h: f64,
}

answer_object! {
    /// Where in the stripe requests begin and what they touch, over time.
    pub struct StripeTime {
        w: usize,
        h: usize,
        /// Requests with data, and how many of them begin where a stripe begins.
        n: f64,
        at_start as "atStart": f64,
        /// Requests that touch a cell, in whatever stripes, and those that begin in it.
        counts: Vec<u32>,
        begins: Vec<u32>,
        /// 1 + the number of the alignment class of most requests in the cell; 0 without requests.
        classes: Vec<u8>,
        /// Largest of `counts`.
        max: f64,
        /// Stripes written in full and in part, by column.
        full: Vec<f64>,
        partial: Vec<f64>,
    }
}

/// Answers `stripeTime`. A request with data counts in the column in which it starts, in each row
/// of the stripe that it touches, over all stripes. A stripe counts in the column in which its
/// visit started. The class of a cell is that of most of its requests.
pub fn stripe_time(view: View, query: &StripeTimeQuery) -> Result<StripeTime, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let geometry = query.geometry.geometry()?;
    let ((w, h), range) = (grid(query.w, query.h), query.range);
    let arrays = Arrays::collect(view.store);
    let over = StripesOverTime::new(range.t0, range.t1, w);
    let mut coverage = Coverage::new(geometry, view.store, &arrays, query.filter.device).over(over);
    let (mut counts, mut begins, mut classes) =
        (vec![0u32; w * h], vec![0u32; w * h], vec![0u8; w * h]);
    let (mut n, mut at_start) = (0u64, 0u64);
    let r = &view.store.requests;
    if !counts.is_empty() && range.length() > 0.0 {
        let columns = counts
            .chunks_mut(h)
            .zip(begins.chunks_mut(h))
            .zip(classes.chunks_mut(h));
        for (rows, ((counts, begins), classes)) in view.columns(range, w).zip(columns) {
            let mut column = StripeColumn::new(geometry, h);
            for row in rows {
                let request = r.row(row);
                let (sector, sectors) = (request.sector(), request.sectors());
                if sectors == 0 || !selection.takes(request) {
                    continue;
                }
                coverage.add(view.store, row);
                let place = geometry.place(sector).1;
                if let Some(class) = class(&geometry, sector, sectors) {
                    column.add(place, sectors, class);
                    begins[h - 1 - column.row(place)] += 1;
                    n += 1;
                    at_start += u64::from(place == 0);
                }
            }
            column.finish(counts, classes);
        }
    }
    let covered = coverage.finish();
    let max = counts.iter().copied().max().unwrap_or(0);
    Ok(StripeTime {
        w,
        h,
        n: n as f64,
        at_start: at_start as f64,
        counts,
        begins,
        classes,
        max: f64::from(max),
        full: covered.over_time.full,
        partial: covered.over_time.partial,
    })
}

/// Requests of one column, as differences: for each class and row how many more requests touch the
/// row than the one below. So a request costs a few additions however many rows it touches; a sum
/// from the bottom gives the counts. Each request counts once per row, also one that wraps around
/// the end of its stripe into the row where it began.
struct StripeColumn {
    geometry: Geometry,
    h: usize,
    more: [Vec<i64>; 4],
}

impl StripeColumn {
    fn new(geometry: Geometry, h: usize) -> StripeColumn {
        StripeColumn {
            geometry,
            h,
            more: std::array::from_fn(|_| vec![0; h + 1]),
        }
    }

    /// Row of an offset in the stripe, counted from the bottom.
    fn row(&self, place: u64) -> usize {
        let row = u128::from(place) * self.h as u128 / u128::from(self.geometry.stripe());
        (row as usize).min(self.h - 1)
    }

    fn add(&mut self, place: u64, sectors: u64, class: Class) {
        let stripe = self.geometry.stripe();
        let end = place.saturating_add(sectors);
        if sectors >= stripe {
            self.touch(0, stripe, class);
        } else if end <= stripe {
            self.touch(place, end, class);
        } else {
            // If both ends are in the same row, it counts once.
            let low = self.row(end - stripe - 1);
            self.touch(0, end - stripe, class);
            if self.row(place) > low {
                self.touch(place, stripe, class);
            } else {
                self.more[class as usize][low + 1] += 1;
                self.more[class as usize][self.h] -= 1;
            }
        }
    }

    fn touch(&mut self, from: u64, to: u64, class: Class) {
        let (low, high) = (self.row(from), self.row(to - 1));
        let more = &mut self.more[class as usize];
        more[low] += 1;
        more[high + 1] -= 1;
    }

    /// Writes the counts from the top row down, and 1 + the class of most requests; 0 for none. Of
    /// equally frequent classes the first one wins.
    fn finish(&self, counts: &mut [u32], classes: &mut [u8]) {
        let mut now = [0i64; 4];
        for row in 0..self.h {
            (0..4).for_each(|c| now[c] += self.more[c][row]);
            let cell = self.h - 1 - row;
            counts[cell] = now.iter().sum::<i64>() as u32;
            let class = (0..4).rev().max_by_key(|&c| now[c]).unwrap_or(0);
            classes[cell] = if counts[cell] == 0 {
                0
            } else {
                class as u8 + 1
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_measure::Level;

    /// A stripe of 32 sectors in four rows.
    fn column(requests: &[(u64, u64, Class)]) -> (Vec<u32>, Vec<u8>) {
        let mut column = StripeColumn::new(Geometry::new(Level::Raid5, 8, 4, 0).unwrap(), 4);
        requests
            .iter()
            .for_each(|&(place, sectors, class)| column.add(place, sectors, class));
        let (mut counts, mut classes) = (vec![9; 4], vec![9; 4]);
        column.finish(&mut counts, &mut classes);
        (counts, classes)
    }

    #[test]
    fn requests_touch_rows_once() {
        assert_eq!(column(&[]), (vec![0; 4], vec![0; 4]));
        assert_eq!(
            column(&[(0, 32, Class::Full), (8, 8, Class::Unit)]),
            (vec![1, 1, 2, 1], vec![1; 4])
        );
        // Beyond the end of the stripe, and so far that both ends are in one row.
        assert_eq!(
            column(&[(24, 16, Class::Unit)]),
            (vec![1, 0, 0, 1], vec![2, 0, 0, 2])
        );
        assert_eq!(
            column(&[(12, 31, Class::Straddles)]),
            (vec![1; 4], vec![4; 4])
        );
        assert_eq!(
            column(&[(3, 1 << 40, Class::Straddles)]),
            (vec![1; 4], vec![4; 4])
        );
        assert_eq!(
            column(&[
                (31, 1, Class::Inside),
                (30, 1, Class::Inside),
                (16, 16, Class::Unit)
            ])
            .1,
            [3, 2, 0, 0]
        );
    }
}
