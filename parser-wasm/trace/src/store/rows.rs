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

/// Maximum number of rows in a chunk: a byte is enough for the index of one.
pub const CHUNK: usize = 256;

/// The indices of the rows of a chunk whose kinds are `taken`, by number, or beyond the end of that
/// list; and whether there are any beyond. Each index is written, and only the place of the next
/// one depends on the kind: a branch on kinds that alternate would be mispredicted.
#[inline(always)]
pub(super) fn indices<'i>(
    kinds: impl Iterator<Item = u32>,
    taken: &[bool],
    indices: &'i mut [u8; CHUNK],
) -> (&'i [u8], bool) {
    let (mut found, mut is_any_beyond) = (0, false);
    for (index, kind) in kinds.enumerate() {
        indices[found % CHUNK] = index as u8;
        found += usize::from(taken.get(kind as usize).is_none_or(|is_taken| *is_taken));
        is_any_beyond |= kind as usize >= taken.len();
    }
    (&indices[..found], is_any_beyond)
}

#[inline(never)]
fn block(rows: Range<usize>, visit: &mut impl FnMut(Range<usize>)) {
    visit(rows);
}

#[inline(never)]
fn any(mut rows: Range<usize>, visit: &mut impl FnMut(usize) -> bool) -> bool {
    rows.any(visit)
}
