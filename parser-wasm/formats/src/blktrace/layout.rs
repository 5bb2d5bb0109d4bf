//! Version 7 records with the header of version 8, as dumps of some blkparse versions have them.

use super::{Endian, V7_HEADER, V8_HEADER, magic, u16_at};

/// Whether a version 7 record has the 64-byte layout, decided by where the next magic is. `None`:
/// more bytes are needed.
pub fn wide_layout(data: &[u8], endian: Endian, end: bool) -> Option<bool> {
    let next = |header: usize, length_at: usize| {
        (data.len() >= length_at + 2).then(|| header + usize::from(u16_at(data, length_at, endian)))
    };
    let follows = |length_at: usize| {
        data.get(length_at..)
            .is_some_and(|rest| rest.is_empty() || magic(rest).is_some_and(|m| m.0 == endian))
    };
    let (narrow, wide) = (next(V7_HEADER, 46), next(V8_HEADER, 50));
    match (narrow, wide) {
        (Some(n), _) if data.len() >= n + 4 && follows(n) => Some(false),
        (Some(n), Some(w)) if end || data.len() >= n.max(w) + 4 => Some(!follows(n) && follows(w)),
        _ if end => Some(false),
        _ => None,
    }
}
