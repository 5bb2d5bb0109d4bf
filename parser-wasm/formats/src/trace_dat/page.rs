//! Pages of the kernel's ring buffer. `header_page` in the file gives the offsets; on 64-bit
//! machines they are
//!
//! | offset | width | name |
//! |---:|---:|---|
//! | 0 | 8 | time of the page |
//! | 8 | 8 | commit: bytes in use (bits 0-19), flags (bits 30 and 31) |
//! | 16 | | events |
//!
//! An event begins with 32 bits: 5 bits of type and 27 bits of time since the event before. The
//! type is in the low bits on little-endian machines, in the high bits on big-endian ones.
//!
//! | type | content |
//! |---:|---|
//! | 0 | length (4, counts itself), sample |
//! | 1-28 | sample of so many words of 4 bytes |
//! | 29 | padding: length (4, counts itself), data; time 0 means that the rest of the page is unused |
//! | 30 | time extension: bits 27 and up of the time since the event before (4) |
//! | 31 | absolute time: bits 27 to 58 (4) |

use crate::cursor::{Cursor, number};
use crate::tep::PageLayout;
use std::ops::Range;

/// Events are missing before this page. With `MISSED_STORED` their number follows the last event.
const MISSED: u64 = 1 << 31;
const MISSED_STORED: u64 = 1 << 30;
const IN_USE: u64 = (1 << 20) - 1;

const PADDING: u32 = 29;
const TIME_EXTEND: u32 = 30;
const TIME_STAMP: u32 = 31;
const DELTA_BITS: u32 = 27;
/// Bits of an absolute time; the higher bits come from the time of the page.
const STAMP_BITS: u32 = 59;

/// The content of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RingPage {
    /// Time of each sample, in units of the trace clock, and its bytes in the page.
    pub samples: Vec<(u64, Range<usize>)>,
    /// Events missing before this page: how many, as far as the kernel counted them.
    pub missed: Option<u64>,
    /// Offset of the first invalid entry.
    pub bad: Option<usize>,
}

/// The time of a page's start.
pub fn start(page: &[u8], big: bool) -> Option<u64> {
    page.get(..8).map(|bytes| number(bytes, big))
}

/// Reads a page, as far as it is present.
pub fn read(page: &[u8], layout: PageLayout, big: bool) -> RingPage {
    let mut out = RingPage::default();
    let (commit_at, size) = layout.commit;
    let (Some(mut time), Some(commit)) = (
        start(page, big),
        page.get(commit_at..commit_at.saturating_add(size)),
    ) else {
        return RingPage {
            bad: Some(0),
            ..out
        };
    };
    let commit = number(commit, big);
    let used = (commit & IN_USE) as usize;
    let end = layout.data.saturating_add(used);
    if commit & MISSED != 0 {
        let stored = if commit & MISSED_STORED != 0 {
            Cursor::new(page, end, big).number(size)
        } else {
            None
        };
        out.missed = Some(stored.unwrap_or(0));
    }
    let mut cursor = Cursor::new(&page[..end.min(page.len())], layout.data, big);
    if end > page.len() {
        out.bad = Some(page.len());
    }
    while cursor.offset < end {
        let from = cursor.offset;
        let Some((length, sample)) = entry(&mut cursor, &mut time) else {
            out.bad.get_or_insert(from);
            break;
        };
        let body = cursor.offset;
        if cursor.take(length).is_none() {
            out.bad.get_or_insert(from);
            break;
        }
        if sample {
            out.samples.push((time, body..body + length));
        }
    }
    out
}

/// Reads an entry's head: the bytes that follow it, and whether they are a sample. Advances the
/// time.
fn entry(cursor: &mut Cursor<'_>, time: &mut u64) -> Option<(usize, bool)> {
    let head = cursor.u32()?;
    let (kind, delta) = if cursor.big {
        (head >> DELTA_BITS, head & ((1 << DELTA_BITS) - 1))
    } else {
        (head & 31, head >> 5)
    };
    match kind {
        PADDING if delta == 0 => {
            cursor.skip_rest();
            Some((0, false))
        }
        PADDING => {
            *time = time.wrapping_add(u64::from(delta));
            Some((cursor.u32()?.checked_sub(4)? as usize, false))
        }
        TIME_EXTEND => {
            let above = u64::from(cursor.u32()?) << DELTA_BITS;
            *time = time.wrapping_add(above + u64::from(delta));
            Some((0, false))
        }
        TIME_STAMP => {
            let above = u64::from(cursor.u32()?) << DELTA_BITS;
            let low_bits = (above + u64::from(delta)) & ((1 << STAMP_BITS) - 1);
            *time = (*time >> STAMP_BITS << STAMP_BITS) | low_bits;
            Some((0, false))
        }
        0 => {
            *time = time.wrapping_add(u64::from(delta));
            let length = cursor.u32()?.checked_sub(4)? as usize;
            Some((length.checked_next_multiple_of(4)?, true))
        }
        words => {
            *time = time.wrapping_add(u64::from(delta));
            Some((words as usize * 4, true))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: PageLayout = PageLayout {
        commit: (8, 8),
        data: 16,
    };
    const START: u64 = 1_000_000;

    /// A page of 256 bytes with these words after its header; `flags` are above the number of bytes
    /// in use.
    fn page(words: &[u32], flags: u64, big: bool) -> Vec<u8> {
        let commit = flags | (words.len() * 4) as u64;
        let mut page = Vec::new();
        for long in [START, commit] {
            page.extend(if big {
                long.to_be_bytes()
            } else {
                long.to_le_bytes()
            });
        }
        for word in words {
            page.extend(if big {
                word.to_be_bytes()
            } else {
                word.to_le_bytes()
            });
        }
        page.resize(256, 0);
        page
    }

    fn head(kind: u32, delta: u32, big: bool) -> u32 {
        if big {
            kind << 27 | delta
        } else {
            delta << 5 | kind
        }
    }

    #[test]
    fn times_and_lengths() {
        for big in [false, true] {
            let h = |kind, delta| head(kind, delta, big);
            // Two words; an extension of 2^27 + 3 ns; one word; a discarded entry of 4 + 8 bytes; a
            // long entry of 8 bytes.
            let words = [
                h(2, 5),
                1,
                2,
                h(30, 3),
                1,
                h(1, 7),
                9,
                h(29, 1),
                8,
                0,
                h(0, 2),
                12,
                3,
                4,
                h(29, 0),
                0xdead,
                0xbeef,
            ];
            let read = read(&page(&words, 0, big), LAYOUT, big);
            let later = START + 5 + 3 + (1 << 27) + 7;
            assert_eq!(
                read.samples,
                [(START + 5, 20..28), (later, 40..44), (later + 3, 64..72)],
                "big {big}"
            );
            assert_eq!((read.missed, read.bad), (None, None));
        }
    }

    #[test]
    fn absolute_times() {
        let stamp = START + 500_000_000;
        let words = [
            head(31, (stamp & ((1 << 27) - 1)) as u32, false),
            (stamp >> 27) as u32,
            head(1, 4, false),
            0,
        ];
        assert_eq!(
            read(&page(&words, 0, false), LAYOUT, false).samples,
            [(stamp + 4, 28..32)]
        );
    }

    #[test]
    fn missing_events() {
        let words = [head(1, 1, false), 0];
        assert_eq!(
            read(&page(&words, MISSED, false), LAYOUT, false).missed,
            Some(0)
        );
        let mut counted = page(&words, MISSED | MISSED_STORED, false);
        counted[24..32].copy_from_slice(&17u64.to_le_bytes());
        let read = read(&counted, LAYOUT, false);
        assert_eq!((read.missed, read.samples.len()), (Some(17), 1));
    }

    #[test]
    fn damage() {
        let cut = page(&[head(1, 1, false), 0, head(2, 1, false), 0, 0], 0, false);
        let short = read(&cut[..28], LAYOUT, false);
        assert_eq!((short.samples.len(), short.bad), (1, Some(28)));
        // An entry that reaches beyond what is in use.
        let long = read(
            &page(&[head(1, 1, false), 0, head(28, 1, false), 0], 0, false),
            LAYOUT,
            false,
        );
        assert_eq!((long.samples.len(), long.bad), (1, Some(24)));
        assert_eq!(read(&[], LAYOUT, false).bad, Some(0));
    }
}
