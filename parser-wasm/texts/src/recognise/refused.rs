//! Parts of a text that look like tables and are none.

use crate::tables::{figure_count, is_rule};

/// Lines with the shape of a table that holds no results. Each of them could be the heading of a
/// table of the lines below it: after a few tries the rest is passed over, or the time would grow
/// with the square of the lines.
#[derive(Default)]
pub struct Refused {
    end: usize,
    count: u32,
    /// The line behind the rows below headings that were refused.
    rows_end: usize,
}

/// Lines of a refused table that are tried as headings: titles above the real heading.
const MAX_REFUSALS: u32 = 4;
/// Figures that make a line a row and no heading; between bars one is enough.
const MIN_FIGURES: usize = 2;

impl Refused {
    pub fn add(&mut self, index: usize, end: usize, is_grid: bool) {
        self.count = if index < self.end { self.count + 1 } else { 1 };
        self.end = self.end.max(end);
        if is_grid {
            self.rows_end = self.rows_end.max(end);
        }
    }

    /// Whether nothing begins at a line: `before 12 81 812` below `min avg max` is a row.
    pub fn covers(&self, index: usize, text: &str) -> bool {
        let figures = if text.contains('|') { 1 } else { MIN_FIGURES };
        let is_part = figure_count(text) >= figures || is_rule(text);
        let is_row = index < self.rows_end && is_part;
        is_row || index < self.end && self.count >= MAX_REFUSALS
    }
}
