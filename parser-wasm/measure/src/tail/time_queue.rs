//! What is going to happen, the earliest first.
//!
//! Most requests complete in the order of their issue, and what is added is then the latest of all:
//! it is appended to a list. Only what comes earlier than something in the list goes into a heap,
//! whose cost grows with the number of requests in flight.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Items that come out in ascending order.
#[derive(Clone, Debug)]
pub(super) struct TimeQueue<T> {
    /// Ascending.
    list: VecDeque<T>,
    heap: BinaryHeap<Reverse<T>>,
}

impl<T: Ord + Copy> TimeQueue<T> {
    pub(super) fn new() -> TimeQueue<T> {
        TimeQueue {
            list: VecDeque::new(),
            heap: BinaryHeap::new(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        if self.list.back().is_none_or(|last| *last <= item) {
            self.list.push_back(item);
        } else {
            self.heap.push(Reverse(item));
        }
    }

    /// The first item, and whether it is in the list.
    #[inline]
    fn first(&self) -> Option<(T, bool)> {
        match (self.list.front(), self.heap.peek()) {
            (Some(&listed), Some(&Reverse(other))) => Some((listed.min(other), listed <= other)),
            (Some(&listed), None) => Some((listed, true)),
            (None, other) => other.map(|&Reverse(other)| (other, false)),
        }
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
        let (item, is_listed) = self.first().filter(|(item, _)| takes(item))?;
        if is_listed {
            self.list.pop_front();
        } else {
            self.heap.pop();
        }
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_out_in_their_order_whatever_the_order_in_which_they_come() {
        let (mut queue, mut expected) = (TimeQueue::new(), Vec::new());
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
