//! Sets of sectors as disjoint ascending intervals.

/// Disjoint ascending intervals [from, to); adjacent ones are joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectorSet(Vec<(u64, u64)>);

impl SectorSet {
    /// Adds the interval [from, to).
    pub fn insert(&mut self, mut from: u64, mut to: u64) {
        if from >= to {
            return;
        }
        let first = self.0.partition_point(|i| i.1 < from);
        let last = self.0.partition_point(|i| i.0 <= to);
        if let Some(&(low, _)) = self.0.get(first).filter(|_| first < last) {
            from = from.min(low);
            to = to.max(self.0[last - 1].1);
        }
        self.0.splice(first..last, [(from, to)]);
    }

    /// Removes [from, to); returns the removed intervals.
    pub fn take(&mut self, from: u64, to: u64) -> Vec<(u64, u64)> {
        if from >= to {
            return Vec::new();
        }
        let first = self.0.partition_point(|i| i.1 <= from);
        let last = self.0.partition_point(|i| i.0 < to).max(first);
        let taken: Vec<(u64, u64)> = self.0[first..last]
            .iter()
            .map(|i| (i.0.max(from), i.1.min(to)))
            .collect();
        let ends = [
            self.0[first..last].first().map(|i| (i.0, from)),
            self.0[first..last].last().map(|i| (to, i.1)),
        ];
        let rest: Vec<(u64, u64)> = ends.into_iter().flatten().filter(|i| i.0 < i.1).collect();
        self.0.splice(first..last, rest);
        taken
    }

    /// Whether all of [from, to) is in the set.
    pub fn covers(&self, from: u64, to: u64) -> bool {
        let index = self.0.partition_point(|i| i.1 < to);
        self.0.get(index).is_some_and(|i| i.0 <= from)
    }

    /// Whether any part of [from, to) is in the set.
    pub fn meets(&self, from: u64, to: u64) -> bool {
        let index = self.0.partition_point(|i| i.1 <= from);
        self.0.get(index).is_some_and(|i| i.0 < to)
    }

    /// Number of sectors in all intervals.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|i| i.1 - i.0).sum()
    }

    /// The intervals, ascending and apart.
    pub fn parts(&self) -> &[(u64, u64)] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn union(parts: &[(u64, u64)]) -> SectorSet {
        let mut u = SectorSet::default();
        parts.iter().for_each(|&(from, to)| u.insert(from, to));
        u
    }

    #[test]
    fn unions_join() {
        let u = union(&[
            (10, 20),
            (30, 40),
            (0, 5),
            (5, 10),
            (19, 31),
            (50, 60),
            (70, 70),
        ]);
        assert_eq!((u.parts(), u.total()), ([(0, 40), (50, 60)].as_slice(), 50));
        assert!(
            u.covers(0, 40)
                && u.covers(51, 60)
                && !u.covers(39, 41)
                && !u.covers(40, 45)
                && !u.covers(40, 51)
        );
        assert!(u.meets(39, 45) && u.meets(0, 1) && !u.meets(40, 50) && !u.meets(60, 99));
    }

    #[test]
    fn what_is_taken_is_gone() {
        let mut u = union(&[(0, 10), (20, 30), (40, 50)]);
        assert_eq!(
            (u.take(5, 45), u.parts()),
            (
                vec![(5, 10), (20, 30), (40, 45)],
                [(0, 5), (45, 50)].as_slice()
            )
        );
        assert_eq!(
            (u.take(1, 2), u.parts()),
            (vec![(1, 2)], [(0, 1), (2, 5), (45, 50)].as_slice())
        );
        assert_eq!(
            (u.take(5, 45), u.take(46, 46), u.parts().len(), u.total()),
            (vec![], vec![], 3, 9)
        );
    }
}
