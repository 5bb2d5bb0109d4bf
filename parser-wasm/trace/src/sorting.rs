//! Sorting of short lists: of devices, processes, figures, files.
//!
//! The sort of the standard library is compiled again for each type and key, 8 to 13 KB each: with
//! all lists of this crate a tenth of the WASM module. Here one sort serves all types. It sorts
//! positions through a pointer, which takes a few times longer per item: lists of events and
//! requests are sorted by the standard library.

use std::cmp::Ordering;
use std::collections::BTreeSet;

pub trait SortShort<T> {
    /// As `sort_by`: equal items keep their order.
    fn sort_short_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// As `sort_by_key`.
    fn sort_short_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.sort_short_by(|a, b| key(a).cmp(&key(b)));
    }

    /// As `sort`.
    fn sort_short(&mut self)
    where
        T: Ord,
    {
        self.sort_short_by(T::cmp);
    }
}

impl<T> SortShort<T> for [T] {
    fn sort_short_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let mut order = order_of(self.len(), &|a, b| compare(&self[a], &self[b]));
        // Each swap puts one item in its place.
        for start in 0..order.len() {
            let mut index = start;
            while order[index] != start {
                let from = std::mem::replace(&mut order[index], index);
                self.swap(index, from);
                index = from;
            }
            order[index] = index;
        }
    }
}

/// Which item comes at each place.
#[inline(never)]
fn order_of(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// As `collect` for a map of few entries. `collect` sorts them first, with a sort of their type.
pub fn map_of<M: Default + Extend<E>, E>(entries: impl IntoIterator<Item = E>) -> M {
    let mut map = M::default();
    map.extend(entries);
    map
}

/// As `collect` for a set of few items.
pub fn set_of<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    map_of(items)
}

/// The number of different items among few.
pub fn distinct_count<T: Ord>(items: impl IntoIterator<Item = T>) -> usize {
    set_of(items).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_like_the_standard_library() {
        for len in [0, 1, 2, 3, 17, 100, 1009] {
            let list: Vec<(u64, usize)> = (0..len)
                .map(|i| (i as u64 * 2_654_435_761 % 101 % 37, i))
                .collect();
            let (mut sorted_short, mut expected) = (list.clone(), list.clone());
            sorted_short.sort_short_by_key(|item| item.0);
            expected.sort_by_key(|item| item.0);
            assert_eq!(sorted_short, expected);
            sorted_short.sort_short_by(|a, b| b.cmp(a));
            expected.sort_by(|a, b| b.cmp(a));
            assert_eq!(sorted_short, expected);
            let mut texts: Vec<String> = list.iter().map(|item| item.0.to_string()).collect();
            let mut sorted = texts.clone();
            texts.sort_short();
            sorted.sort();
            assert_eq!(texts, sorted);
        }
    }
}
