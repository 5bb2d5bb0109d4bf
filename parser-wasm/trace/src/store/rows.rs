//! Loops over many rows, in calls of bounded length.

use std::ops::Range;

/// Number of rows that one call visits.
const CALL: usize = 4096;

/// Visits rows in order. A WebAssembly engine starts with quickly compiled code and switches to
/// optimised code only between calls, never inside a loop; so a loop over millions of rows is split
/// into many calls.
pub fn each(rows: Range<usize>, mut visit: impl FnMut(usize)) {
    until(rows, |row| {
        visit(row);
        false
    });
}

/// Visits rows as [`each`], until `visit` returns true.
pub fn until(rows: Range<usize>, mut visit: impl FnMut(usize) -> bool) {
    let mut from = rows.start;
    while from < rows.end {
        let to = rows.end.min(from + CALL);
        if any(from..to, &mut visit) {
            return;
        }
        from = to;
    }
}

/// Visits rows in order, a bounded number at once: for work that is done on one column after
/// another.
pub fn blocks(rows: Range<usize>, mut visit: impl FnMut(Range<usize>)) {
    let mut from = rows.start;
    while from < rows.end {
        let to = rows.end.min(from + CALL);
        block(from..to, &mut visit);
        from = to;
    }
}

#[inline(never)]
fn block(rows: Range<usize>, visit: &mut impl FnMut(Range<usize>)) {
    visit(rows);
}

#[inline(never)]
fn any(mut rows: Range<usize>, visit: &mut impl FnMut(usize) -> bool) -> bool {
    rows.any(visit)
}
