//! The row of an event: 12 bytes.

use crate::store::packed::{PackedRow, read_words, write_words};

/// 32-bit words: the time in its block; the sector's low half; its next 8 bits, and in 24 bits the
/// number of the kind and process.
#[derive(Clone, Copy, Debug)]
pub struct PackedEvent(pub [u32; 3]);

/// "No sector", all ones, as a row has it.
pub const NO_SECTOR: u64 = (1 << 40) - 1;
/// Number of a row that does not fit: it is in a table.
pub const FAR: u32 = (1 << 24) - 1;

impl PackedRow for PackedEvent {
    const BYTES: usize = 12;

    fn write(&self, bytes: &mut [u8]) {
        write_words(&self.0, bytes);
    }

    fn read(bytes: &[u8]) -> PackedEvent {
        PackedEvent(read_words(bytes))
    }
}

impl PackedEvent {
    /// Whether a sector and a number fit into a row.
    #[inline]
    pub fn fits(sector: u64, number: u32) -> bool {
        (sector < NO_SECTOR || sector == u64::MAX) && number < FAR
    }

    #[inline]
    pub fn new(time: u32, sector: u64, number: u32) -> PackedEvent {
        PackedEvent([
            time,
            sector as u32,
            (sector >> 32) as u32 & 0xff | number << 8,
        ])
    }

    #[inline]
    pub fn sector(self) -> u64 {
        let sector = u64::from(self.0[1]) | u64::from(self.0[2] & 0xff) << 32;
        if sector == NO_SECTOR {
            u64::MAX
        } else {
            sector
        }
    }

    #[inline]
    pub fn number(self) -> u32 {
        self.0[2] >> 8
    }
}
