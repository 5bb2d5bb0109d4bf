//! What is going to happen, the earliest first.
//!
//! Most requests complete in the order of their issue, and what is added is then the latest of all:
//! it is appended to a list. Where there are several kinds of moments, each in order, the second
//! kind has a list of its own. Only what comes earlier than something in each list goes into a
//! heap, whose cost grows with the number of requests in flight.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Items that come out in ascending order.
#[derive(Clone, Debug)]
pub(super) struct TimeQueue<T, const LISTS: usize> {
    /// Each ascending.
    lists: [VecDeque<T>; LISTS],
    heap: BinaryHeap<Reverse<T>>,
}

impl<T: Ord + Copy, const LISTS: usize> TimeQueue<T, LISTS> {
    pub(super) fn new() -> TimeQueue<T, LISTS> {
        TimeQueue {
            lists: std::array::from_fn(|_| VecDeque::new()),
            heap: BinaryHeap::new(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        let takes = |list: &&mut VecDeque<T>| list.back().is_none_or(|last| *last <= item);
        match self.lists.iter_mut().find(takes) {
            Some(list) => list.push_back(item),
            None => self.heap.push(Reverse(item)),
        }
    }

    /// The first item, and the index of its list, or `LISTS` of the heap.
    #[inline]
    fn first(&self) -> Option<(T, usize)> {
        let mut first = self.heap.peek().map(|&Reverse(item)| (item, LISTS));
        for (index, list) in self.lists.iter().enumerate() {
            if let Some(&item) = list.front()
                && first.is_none_or(|(other, _)| item <= other)
            {
                first = Some((item, index));
            }
        }
        first
    }

    /// The first item.
    #[inline]
    pub(super) fn peek(&self) -> Option<T> {
        self.first().map(|(item, _)| item)
    }

    /// Takes the first item out.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        self.pop_if(|_| true)
    }

    /// Takes the first item out if `takes` takes it.
    #[inline]
    pub(super) fn pop_if(&mut self, takes: impl FnOnce(&T) -> bool) -> Option<T> {
        let (item, index) = self.first().filter(|(item, _)| takes(item))?;
        match self.lists.get_mut(index) {
            Some(list) => drop(list.pop_front()),
            None => drop(self.heap.pop()),
        }
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_in_their_order_whatever_the_order_in_which_they_come() {
        come_out_in_order::<1>();
        come_out_in_order::<2>();
    }

    fn come_out_in_order<const LISTS: usize>() {
        let (mut queue, mut expected) = (TimeQueue::<u64, LISTS>::new(), Vec::new());
        let mut value = 1u64;
        for i in 0..5_000u64 {
            value = value
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            // Mostly ascending, with equal ones, and now and then one that is far ahead.
            let item = i / 3 + if value >> 60 == 0 { 900 } else { value >> 60 };
            queue.push(item);
            expected.push(item);
            if value >> 62 == 0 {
                expected.sort_unstable();
                let first = expected.remove(0);
                assert_eq!((queue.peek(), queue.pop()), (Some(first), Some(first)));
            }
        }
        expected.sort_unstable();
        let rest: Vec<u64> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(rest, expected);
        assert_eq!((queue.peek(), queue.pop()), (None, None));
    }
}
