//! Parts of a text that look like tables and are none.

/// Lines with the shape of a table that holds no results. Each of them could be the heading of a
/// table of the lines below it: after a few tries the rest is passed over, or the time would grow
/// with the square of the lines.
#[derive(Default)]
pub struct Refused {
    end: usize,
    count: u32,
}

/// Lines of a refused table that are tried as headings: titles above the real heading.
const MAX_REFUSALS: u32 = 4;

impl Refused {
    pub fn add(&mut self, index: usize, end: usize) {
        self.count = if index < self.end { self.count + 1 } else { 1 };
        self.end = self.end.max(end);
    }

    pub fn covers(&self, index: usize) -> bool {
        index < self.end && self.count >= MAX_REFUSALS
    }
}
