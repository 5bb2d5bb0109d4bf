//! Optional time differences in ns, in 32 bits where they fit, else in a table.

use super::column::reserve;
use std::collections::HashMap;

const NONE: u32 = u32::MAX;
const LARGE: u32 = u32::MAX - 1;

/// One per row.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    short: Vec<u32>,
    long: HashMap<u32, u64>,
}

impl Spans {
    pub(super) fn reserve(&mut self, more: usize) {
        reserve(&mut self.short, more);
    }

    pub(super) fn push(&mut self, span: Option<u64>) {
        let short = self.short_of(self.short.len(), span);
        self.short.push(short);
    }

    pub(super) fn set(&mut self, row: usize, span: Option<u64>) {
        self.short[row] = self.short_of(row, span);
    }

    #[inline]
    fn short_of(&mut self, row: usize, span: Option<u64>) -> u32 {
        match span {
            None => NONE,
            Some(ns) if ns < u64::from(LARGE) => ns as u32,
            Some(ns) => {
                self.long.insert(row as u32, ns);
                LARGE
            }
        }
    }

    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<u64> {
        match self.short[row] {
            NONE => None,
            LARGE => self.long.get(&(row as u32)).copied(),
            ns => Some(u64::from(ns)),
        }
    }

    /// Bytes.
    pub(super) fn bytes(&self) -> usize {
        self.short.len() * 4 + self.long.len() * 16
    }
}
