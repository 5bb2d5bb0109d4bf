//! Resamples stored columns and rows to queried ones.

use std::ops::Range;

/// Stored columns of one range, and queried columns of another.
#[derive(Clone, Copy, Debug)]
pub struct ResampledAxis {
    from: f64,
    width: f64,
    held: usize,
    asked: f64,
    step: f64,
    n: usize,
}

impl ResampledAxis {
    /// `held` columns over `range`, `n` over `asked`.
    pub fn new(range: (f64, f64), held: usize, asked: (f64, f64), n: usize) -> ResampledAxis {
        let width = (range.1 - range.0) / held.max(1) as f64;
        ResampledAxis {
            from: range.0,
            width,
            held,
            asked: asked.0,
            step: (asked.1 - asked.0) / n.max(1) as f64,
            n,
        }
    }

    /// Stored columns that a queried one overlaps, and the overlap in columns.
    fn touched(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + use<> {
        let place = |t: f64| (t - self.from) / self.width;
        let sound = self.width > 0.0 && self.step > 0.0;
        let (low, high) = if sound {
            (
                place(self.asked + self.step * column as f64),
                place(self.asked + self.step * (column + 1) as f64),
            )
        } else {
            (0.0, 0.0)
        };
        let end = (high.ceil().max(0.0) as usize).min(self.held);
        let begin = (low.floor().max(0.0) as usize).min(end);
        (begin..end)
            .map(move |i| (i, (high.min((i + 1) as f64) - low.max(i as f64)).max(0.0)))
            .filter(|(_, part)| *part > 1e-9)
    }

    /// The stored columns that a queried one shows: those that begin in it, else the one at its
    /// middle.
    fn shown(&self, column: usize) -> Range<usize> {
        let place = |t: f64| (t - self.from) / self.width;
        let (low, high) = (
            place(self.asked + self.step * column as f64),
            place(self.asked + self.step * (column + 1) as f64),
        );
        shown(low, high, self.held)
    }

    /// The least or the greatest overlapped value; 0 outside.
    pub fn fold(&self, list: &[f64], choose: fn(f64, f64) -> f64) -> Vec<f64> {
        let folded = |column| {
            self.touched(column)
                .map(|(i, _)| list[i])
                .reduce(choose)
                .unwrap_or(0.0)
        };
        (0..self.n).map(folded).collect()
    }
}

/// The mean of the overlapped values, weighted by overlap.
pub fn weighed(axis: &ResampledAxis, list: &[f64]) -> Vec<f64> {
    let mean = |column| {
        let (sum, parts) = axis
            .touched(column)
            .fold((0.0, 0.0), |(sum, parts), (i, part)| {
                (sum + list[i] * part, parts + part)
            });
        if parts > 0.0 { sum / parts } else { 0.0 }
    };
    (0..axis.n).map(mean).collect()
}

/// Amounts, spread evenly over their columns: sums are preserved.
pub fn spread(axis: &ResampledAxis, list: &[f64]) -> Vec<f64> {
    (0..axis.n)
        .map(|column| axis.touched(column).map(|(i, part)| list[i] * part).sum())
        .collect()
}

/// The parts, of `held` equal ones, that begin in `low..high`; if none does, the one at the middle.
pub fn shown(low: f64, high: f64, held: usize) -> Range<usize> {
    // Rounding errors must not move the begin of a part.
    let begin = |edge: f64| ((edge - 1e-6).ceil().max(0.0) as usize).min(held);
    let (first, end) = (begin(low), begin(high));
    if first < end {
        return first..end;
    }
    let middle = (low + high) / 2.0;
    if middle >= 0.0 && middle < held as f64 {
        middle as usize..middle as usize + 1
    } else {
        0..0
    }
}

/// How several stored rows become one queried row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMerge {
    /// Adds the rows: each request is in only one of them.
    Sum,
    /// A request may be in several rows: the count of the fullest row is a lower bound.
    Most,
}

/// Counts of the queried cells, column by column, and the class of the fullest stored cell in each.
/// `of_row`: the stored rows of each queried row. A request is in one column only.
pub fn cells(
    axis: &ResampledAxis,
    (counts, classes): (&[Vec<f64>], &[Vec<f64>]),
    of_row: &[Range<usize>],
    rows: RowMerge,
) -> (Vec<f64>, Vec<f64>) {
    let value_at = |list: &[Vec<f64>], x: usize, y: usize| {
        list.get(x)
            .and_then(|column| column.get(y))
            .copied()
            .unwrap_or(0.0)
    };
    let cell = |columns: Range<usize>, shown: &Range<usize>| {
        let (mut sum, mut fullest, mut class) = (0.0, 0.0, 0.0);
        for x in columns {
            let (mut most, mut all) = (0.0f64, 0.0);
            for y in shown.clone() {
                let count = value_at(counts, x, y);
                all += count;
                most = most.max(count);
                if count > fullest {
                    (fullest, class) = (count, value_at(classes, x, y));
                }
            }
            sum += if rows == RowMerge::Sum { all } else { most };
        }
        (sum, class)
    };
    (0..axis.n)
        .flat_map(|x| of_row.iter().map(move |shown| cell(axis.shown(x), shown)))
        .unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_means_stay() {
        let list = [4.0, 0.0, 8.0, 2.0];
        let same = ResampledAxis::new((0.0, 4.0), 4, (0.0, 4.0), 4);
        assert_eq!(
            (spread(&same, &list), weighed(&same, &list)),
            (list.to_vec(), list.to_vec())
        );
        let half = ResampledAxis::new((0.0, 4.0), 4, (0.0, 4.0), 2);
        assert_eq!(
            (spread(&half, &list), weighed(&half, &list)),
            (vec![4.0, 10.0], vec![2.0, 5.0])
        );
        assert_eq!(
            (half.fold(&list, f64::min), half.fold(&list, f64::max)),
            (vec![0.0, 2.0], vec![4.0, 8.0])
        );
        let fine = ResampledAxis::new((0.0, 4.0), 4, (1.0, 3.0), 4);
        assert_eq!(
            (spread(&fine, &list), weighed(&fine, &list)),
            (vec![0.0, 0.0, 4.0, 4.0], vec![0.0, 0.0, 8.0, 8.0])
        );
        let beyond = ResampledAxis::new((0.0, 4.0), 4, (-2.0, 6.0), 4);
        assert_eq!(spread(&beyond, &list), [0.0, 4.0, 10.0, 0.0]);
        assert_eq!(
            spread(&ResampledAxis::new((0.0, 0.0), 4, (0.0, 1.0), 2), &list),
            [0.0, 0.0]
        );
    }

    #[test]
    fn cells_show_every_request_once_or_the_same_column_larger() {
        let held = [vec![1.0, 2.0], vec![3.0, 4.0]];
        let classes = [vec![7.0, 8.0], vec![9.0, 5.0]];
        let finer = ResampledAxis::new((0.0, 2.0), 2, (0.0, 4.0), 8);
        let rows = [1..2, 0..0, 0..1];
        let (counts, _) = cells(&finer, (&held, &classes), &rows, RowMerge::Sum);
        assert_eq!(
            counts[..12],
            [2.0, 0.0, 1.0, 2.0, 0.0, 1.0, 4.0, 0.0, 3.0, 4.0, 0.0, 3.0]
        );
        assert_eq!(counts[12..], [0.0; 12]);
        let single = ResampledAxis::new((0.0, 2.0), 2, (0.0, 2.0), 1);
        let both = std::slice::from_ref(&(0..2));
        assert_eq!(
            cells(&single, (&held, &classes), both, RowMerge::Sum),
            (vec![10.0], vec![5.0])
        );
        assert_eq!(
            cells(&single, (&held, &classes), both, RowMerge::Most),
            (vec![6.0], vec![5.0])
        );
    }

    #[test]
    fn no_part_is_lost_or_shown_twice() {
        for (held, n) in [(1600, 260), (7, 3), (10, 10), (999, 1000)] {
            let mut seen = vec![0; held];
            for i in 0..n {
                let place = |i: usize| i as f64 * held as f64 / n as f64;
                for part in shown(place(i), place(i + 1), held) {
                    seen[part] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times >= 1), "{held} {n}");
            assert!(
                held < n || seen.iter().all(|&times| times == 1),
                "{held} {n}"
            );
        }
    }
}
