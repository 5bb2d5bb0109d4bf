//! Sets of numbers, as spans: sectors, or bytes of a file.

use std::collections::BTreeMap;

/// Spans that neither overlap nor meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// Ends by starts.
    spans: BTreeMap<u64, u64>,
}

impl Spans {
    /// Whether the set has anything of a span.
    pub fn touches(&self, start: u64, end: u64) -> bool {
        let before = self.spans.range(..end).next_back();
        before.is_some_and(|(_, &last)| last > start)
    }

    pub fn add(&mut self, start: u64, end: u64) {
        if start >= end {
            return;
        }
        let (mut from, mut to) = (start, end);
        while let Some((&first, &last)) = self.spans.range(..=to).next_back()
            && last >= from
        {
            self.spans.remove(&first);
            (from, to) = (from.min(first), to.max(last));
        }
        self.spans.insert(from, to);
    }

    /// Spans of the set.
    pub fn count(&self) -> usize {
        self.spans.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_meet_are_one() {
        let mut set = Spans::default();
        set.add(10, 20);
        set.add(30, 40);
        set.add(20, 30);
        set.add(5, 5);
        assert_eq!(set.spans, BTreeMap::from([(10, 40)]));
        assert!(set.touches(39, 50) && set.touches(0, 11));
        assert!(!set.touches(40, 50) && !set.touches(0, 10));
        set.add(0, 100);
        assert_eq!((set.count(), set.touches(99, u64::MAX)), (1, true));
    }
}
