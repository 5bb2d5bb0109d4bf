//! Long walks over rows, cut into calls.

use std::ops::Range;

/// Rows of one call.
const CALL: usize = 4096;

/// Visits rows in their order. A WebAssembly engine begins with code that it made in a hurry and goes over to better code only
/// between calls, never within a loop; so a walk over millions of rows is made of many calls.
pub fn each(rows: Range<usize>, mut visit: impl FnMut(usize)) {
    let mut from = rows.start;
    while from < rows.end {
        let to = rows.end.min(from + CALL);
        some(from..to, &mut visit);
        from = to;
    }
}

#[inline(never)]
fn some(rows: Range<usize>, visit: &mut impl FnMut(usize)) {
    rows.for_each(visit);
}
