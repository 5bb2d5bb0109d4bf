//! From the columns that are held to those that are asked for.

/// Held columns of one range, and asked ones of another.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    from: f64,
    width: f64,
    held: usize,
    asked: f64,
    step: f64,
    n: usize,
}

impl Axis {
    /// `held` columns over `range`, `n` over `asked`.
    pub fn new(range: (f64, f64), held: usize, asked: (f64, f64), n: usize) -> Axis {
        let width = (range.1 - range.0) / held.max(1) as f64;
        Axis { from: range.0, width, held, asked: asked.0, step: (asked.1 - asked.0) / n.max(1) as f64, n }
    }

    /// Held columns that an asked one touches, and how much of each, in columns.
    fn touched(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + use<> {
        let place = |t: f64| (t - self.from) / self.width;
        let sound = self.width > 0.0 && self.step > 0.0;
        let (low, high) = if sound {
            (place(self.asked + self.step * column as f64), place(self.asked + self.step * (column + 1) as f64))
        } else {
            (0.0, 0.0)
        };
        let end = (high.ceil().max(0.0) as usize).min(self.held);
        let begin = (low.floor().max(0.0) as usize).min(end);
        (begin..end).map(move |i| (i, (high.min((i + 1) as f64) - low.max(i as f64)).max(0.0))).filter(|(_, part)| *part > 1e-9)
    }

    /// The held column in which the middle of an asked one lies.
    fn nearest(&self, column: usize) -> Option<usize> {
        let at = (self.asked + self.step * (column as f64 + 0.5) - self.from) / self.width;
        (at >= 0.0 && at < self.held as f64).then_some(at as usize)
    }

    /// The least or the most of what is touched; 0 beyond.
    pub fn fold(&self, list: &[f64], of: fn(f64, f64) -> f64) -> Vec<f64> {
        let one = |column| self.touched(column).map(|(i, _)| list[i]).reduce(of).unwrap_or(0.0);
        (0..self.n).map(one).collect()
    }
}

/// The mean of what is touched, each by its part.
pub fn weighed(axis: &Axis, list: &[f64]) -> Vec<f64> {
    let one = |column| {
        let (sum, parts) = axis.touched(column).fold((0.0, 0.0), |(sum, parts), (i, part)| (sum + list[i] * part, parts + part));
        if parts > 0.0 { sum / parts } else { 0.0 }
    };
    (0..axis.n).map(one).collect()
}

/// Amounts, spread evenly over their columns: sums stay.
pub fn spread(axis: &Axis, list: &[f64]) -> Vec<f64> {
    (0..axis.n).map(|column| axis.touched(column).map(|(i, part)| list[i] * part).sum()).collect()
}

/// Cells, column by column: what the nearest held one has. `of_row` gives the held row of each asked one.
pub fn cells(axis: &Axis, held: &[Vec<f64>], of_row: &[Option<usize>]) -> Vec<f64> {
    let cell =
        |column: Option<&Vec<f64>>, row: Option<usize>| column.zip(row).and_then(|(c, row)| c.get(row)).copied().unwrap_or(0.0);
    (0..axis.n)
        .flat_map(|x| {
            let column = axis.nearest(x).and_then(|i| held.get(i));
            of_row.iter().map(move |&row| cell(column, row))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_means_stay() {
        let list = [4.0, 0.0, 8.0, 2.0];
        let same = Axis::new((0.0, 4.0), 4, (0.0, 4.0), 4);
        assert_eq!((spread(&same, &list), weighed(&same, &list)), (list.to_vec(), list.to_vec()));
        let half = Axis::new((0.0, 4.0), 4, (0.0, 4.0), 2);
        assert_eq!((spread(&half, &list), weighed(&half, &list)), (vec![4.0, 10.0], vec![2.0, 5.0]));
        assert_eq!((half.fold(&list, f64::min), half.fold(&list, f64::max)), (vec![0.0, 2.0], vec![4.0, 8.0]));
        let fine = Axis::new((0.0, 4.0), 4, (1.0, 3.0), 4);
        assert_eq!((spread(&fine, &list), weighed(&fine, &list)), (vec![0.0, 0.0, 4.0, 4.0], vec![0.0, 0.0, 8.0, 8.0]));
        let beyond = Axis::new((0.0, 4.0), 4, (-2.0, 6.0), 4);
        assert_eq!(spread(&beyond, &list), [0.0, 4.0, 10.0, 0.0]);
        assert_eq!(spread(&Axis::new((0.0, 0.0), 4, (0.0, 1.0), 2), &list), [0.0, 0.0]);
    }

    #[test]
    fn cells_are_those_of_the_nearest_column() {
        let held = [vec![1.0, 2.0], vec![3.0, 4.0]];
        let axis = Axis::new((0.0, 2.0), 2, (0.0, 3.0), 3);
        assert_eq!(cells(&axis, &held, &[Some(1), None, Some(0)]), [2.0, 0.0, 1.0, 4.0, 0.0, 3.0, 0.0, 0.0, 0.0]);
    }
}
