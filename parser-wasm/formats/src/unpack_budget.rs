//! Limits what the packed parts of a file may unpack to, together. Recordings unpack to three to
//! twenty times their bytes, a file that was made for it to tens of thousands.

use std::cell::Cell;
use std::io::Read;

const FIRST: u64 = 64 << 20;
const PER_BYTE: u64 = 100;
/// More is not held: the engine has 4 GiB of memory at most.
const MAX_BYTES: u64 = 1 << 30;

/// Bytes that may still be unpacked.
#[derive(Clone, Debug, Default)]
pub struct UnpackBudget(Cell<u64>);

impl UnpackBudget {
    /// The budget of a file of so many bytes.
    pub fn for_file(bytes: usize) -> UnpackBudget {
        UnpackBudget(Cell::new(
            (bytes as u64)
                .saturating_mul(PER_BYTE)
                .saturating_add(FIRST)
                .min(MAX_BYTES),
        ))
    }

    /// Unpacks up to `most` bytes; whether all of them are there, up to the end of `from`. What was
    /// unpacked of a damaged part counts.
    pub fn unpack(&self, from: impl Read, most: u64, out: &mut Vec<u8>) -> bool {
        let before = out.len();
        let room = self.0.get().min(most);
        // One byte more shows that there are more.
        let read = from.take(room.saturating_add(1)).read_to_end(out);
        let unpacked = (out.len() - before) as u64;
        self.0.set(self.0.get().saturating_sub(unpacked));
        out.truncate(before + room as usize);
        read.is_ok() && unpacked <= room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_count_together() {
        let budget = UnpackBudget(Cell::new(10));
        let mut out = Vec::new();
        assert!(budget.unpack(&b"12345"[..], 100, &mut out));
        assert!(
            !budget.unpack(&b"12345"[..], 4, &mut out),
            "more than was asked for"
        );
        assert_eq!(out, b"123451234");
        assert!(!budget.unpack(&b"1"[..], 100, &mut out), "nothing is left");
    }
}
