//! Long walks over rows, cut into calls.

use std::ops::Range;

/// Rows of one call.
const CALL: usize = 4096;

/// Visits rows in their order. A WebAssembly engine begins with code that it made in a hurry and goes over to better code only
/// between calls, never within a loop; so a walk over millions of rows is made of many calls.
pub fn each(rows: Range<usize>, mut visit: impl FnMut(usize)) {
    until(rows, |row| {
        visit(row);
        false
    });
}

/// As [`each`], until `visit` says that it has seen enough.
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

#[inline(never)]
fn any(mut rows: Range<usize>, visit: &mut impl FnMut(usize) -> bool) -> bool {
    rows.any(visit)
}
