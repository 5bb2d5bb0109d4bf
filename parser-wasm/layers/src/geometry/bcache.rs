//! bcache: where the data of a backing device begins.

use super::names::MAX_SECTORS;

/// The usual sectors before the data of a backing device.
pub const DATA_OFFSET: u64 = 16;

/// Limit for the offsets.
const MAX_OFFSETS: usize = 64;

/// What `make-bcache`, `bcache-super-show` and sysfs print.
#[derive(Clone, Debug, Default)]
pub struct Bcache {
    /// Sectors before the data, of each backing device that a text describes.
    pub offsets: Vec<u64>,
}

impl Bcache {
    pub fn line(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        let (key, value, more) = (words.next(), words.next(), words.next());
        if let (Some("data_offset:" | "dev.data.first_sector"), Some(value), None) =
            (key, value, more)
        {
            let offset = value.parse().ok().filter(|n: &u64| *n <= MAX_SECTORS);
            let is_new = |n: &u64| !self.offsets.contains(n) && self.offsets.len() < MAX_OFFSETS;
            let offset = offset.filter(is_new);
            self.offsets.extend(offset);
        }
    }

    /// Whether a line is one of a superblock.
    pub fn is_superblock(line: &str) -> bool {
        line.starts_with("data_offset:") || line.starts_with("dev.data.first_sector")
    }
}
