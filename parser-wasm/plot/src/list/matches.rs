//! The entries that match a filter, one bit each, found step by step. Finds the n-th match and the
//! number of matches before an entry.
//!
//! This is a bit vector with rank and select: each block of [`BLOCK`] words stores the number of
//! matches before it, so that [`Matches::rank`] counts at most one block and [`Matches::select`]
//! searches the blocks in two halves and then counts one. Bits are only appended; entries beyond
//! `examined` have none yet, and `before` must gain an entry exactly when a block begins.

use super::entries::{ListEntries, ListEntry};
use super::event_filter::EventSelection;
use seekscope_trace::store::rows;
use std::ops::Range;

/// Bits per word.
const WORD: usize = 64;
/// Words per block.
const BLOCK: usize = 64;

/// Matching entries of one filter: about an eighth of a byte per entry, nothing for a filter that
/// matches everything.
#[derive(Clone, Debug, Default)]
pub struct Matches {
    all: bool,
    bits: Vec<u64>,
    /// Matches before each block.
    before: Vec<usize>,
    examined: usize,
    total: usize,
}

impl Matches {
    /// Examines the next entries; done when `examined` is the number of entries.
    pub fn advance(&mut self, entries: &ListEntries, selection: &EventSelection) {
        let end = if selection.all() {
            entries.len()
        } else {
            entries.len().min(self.examined + selection.piece())
        };
        self.all = selection.all();
        if self.all {
            (self.examined, self.total) = (end, end);
            return;
        }
        let mut text = String::new();
        let mut k = self.examined;
        // Messages are looked up once per run of events, not per entry.
        while k < end {
            match entries.get(k) {
                Some(ListEntry::Event(first)) => {
                    let stretch = entries.events_from(k).min(end - k).max(1);
                    rows::blocks(first..first + stretch, |events| {
                        self.examine(k + events.start - first, events, selection, &mut text)
                    });
                    k += stretch;
                }
                Some(message) => {
                    self.push(k, u64::from(selection.takes(message, &mut text)), 1);
                    k += 1;
                }
                None => break,
            }
        }
        self.examined = end;
    }

    /// Examines consecutive events, a word of bits at a time; `entry` is the number of the first
    /// one.
    fn examine(
        &mut self,
        mut entry: usize,
        events: Range<usize>,
        selection: &EventSelection,
        text: &mut String,
    ) {
        let mut i = events.start;
        while i < events.end {
            let count = (WORD - entry % WORD).min(events.end - i);
            let (bits, n) = selection.take_events(i..i + count, text);
            self.push(entry, bits, n);
            entry += n;
            i += n;
        }
    }

    /// Adds the bits of `n` entries that are in one word.
    #[inline]
    fn push(&mut self, entry: usize, taken: u64, n: usize) {
        if entry.is_multiple_of(WORD) {
            if (entry / WORD).is_multiple_of(BLOCK) {
                self.before.push(self.total);
            }
            self.bits.push(0);
        }
        debug_assert!(entry % WORD + n <= WORD);
        if let Some(word) = self.bits.last_mut() {
            *word |= taken << (entry % WORD);
            self.total += taken.count_ones() as usize;
        }
    }

    /// Entries examined so far.
    pub fn examined(&self) -> usize {
        self.examined
    }

    /// Matches found so far.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Entry number of match `n`, counted from 0; absent beyond those found so far.
    pub fn select(&self, n: usize) -> Option<usize> {
        if n >= self.total {
            return None;
        }
        if self.all {
            return Some(n);
        }
        let block = self.before.partition_point(|&b| b <= n).checked_sub(1)?;
        let mut left = n - self.before.get(block)?;
        for (w, &bits) in self.bits.iter().enumerate().skip(block * BLOCK) {
            let here = bits.count_ones() as usize;
            if left < here {
                let mut rest = bits;
                for _ in 0..left {
                    rest &= rest - 1;
                }
                return Some(w * WORD + rest.trailing_zeros() as usize);
            }
            left -= here;
        }
        None
    }

    /// Matches before `entry`, of those found so far.
    pub fn rank(&self, entry: usize) -> usize {
        if self.all {
            return entry.min(self.total);
        }
        let word = entry / WORD;
        let Some(&bits) = self.bits.get(word) else {
            return self.total;
        };
        let from = word / BLOCK * BLOCK;
        let whole: usize = self
            .bits
            .get(from..word)
            .unwrap_or_default()
            .iter()
            .map(|w| w.count_ones() as usize)
            .sum();
        let part = (bits & ((1 << (entry % WORD)) - 1)).count_ones() as usize;
        self.before
            .get(word / BLOCK)
            .map_or(self.total, |before| before + whole + part)
    }

    pub fn has(&self, entry: usize) -> bool {
        if self.all {
            entry < self.total
        } else {
            self.bits
                .get(entry / WORD)
                .is_some_and(|bits| bits >> (entry % WORD) & 1 == 1)
        }
    }

    pub fn memory(&self) -> usize {
        self.bits.len() * 8 + self.before.len() * size_of::<usize>()
    }
}
