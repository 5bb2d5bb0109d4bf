//! Mappings of thin devices: the XML of `thin_dump`.

use super::names::MAX_SECTORS;
use crate::place::{Step, UpperPlace};
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;

/// Limit for the mappings of all devices.
const MAX_RANGES: usize = 1 << 24;

/// Blocks of a pool's data that are blocks of a thin device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    data: u64,
    origin: u64,
    blocks: u64,
}

/// The mappings of one thin device, by their place in the pool.
#[derive(Clone, Debug, Default)]
pub struct ThinMap {
    /// Sectors of a block.
    block: u64,
    ranges: Vec<Range>,
}

impl ThinMap {
    /// What the first sectors of a range of the pool hold.
    pub fn step(&self, sector: u64, sectors: u64) -> Step {
        let block = sector / self.block.max(1);
        let after = self.ranges.partition_point(|range| range.data <= block);
        let found = after.checked_sub(1).and_then(|i| self.ranges.get(i));
        let outside = |sectors| Step {
            sectors,
            place: UpperPlace::Outside,
        };
        if let Some(range) = found.filter(|range| block - range.data < range.blocks) {
            let begin = range.data.saturating_mul(self.block);
            let length = range.blocks.saturating_mul(self.block);
            let within = sector - begin;
            return Step {
                sectors: sectors.min(length - within),
                place: UpperPlace::Data(
                    range
                        .origin
                        .saturating_mul(self.block)
                        .saturating_add(within),
                ),
            };
        }
        let next = self.ranges.get(after).map_or(u64::MAX, |range| range.data);
        let end = next.saturating_mul(self.block.max(1));
        outside(sectors.min(end.saturating_sub(sector).max(1)))
    }
}

/// Reads the XML, one line at a time.
#[derive(Clone, Debug, Default)]
pub struct ThinDump {
    device: Option<u64>,
    /// Sectors of a block, and the mappings by the number of the thin device, of each dump.
    dumps: Vec<(u64, FxHashMap<u64, Vec<Range>>)>,
    ranges: usize,
    /// Whether mappings were left out.
    is_cut: bool,
}

impl ThinDump {
    /// Whether a text has the XML.
    pub fn is_dump(text: &str) -> bool {
        text.contains("<superblock") && text.contains("data_block_size=")
    }

    pub fn line(&mut self, line: &str) {
        let line = line.trim_start();
        let value = |key: &str| -> Option<u64> {
            let (_, rest) = line.split_once(key)?;
            rest.split_once('"')?
                .0
                .parse()
                .ok()
                .filter(|n| *n <= MAX_SECTORS)
        };
        if line.starts_with("<superblock ") {
            let block = value(" data_block_size=\"").unwrap_or(0);
            self.dumps.push((block, FxHashMap::default()));
            self.device = None;
        } else if line.starts_with("<device ") {
            self.device = value(" dev_id=\"");
        } else if line.starts_with("</device") {
            self.device = None;
        } else if line.starts_with("<single_mapping ") {
            let numbers = (value(" origin_block=\""), value(" data_block=\""));
            self.add(numbers.0, numbers.1, Some(1));
        } else if line.starts_with("<range_mapping ") {
            let numbers = (value(" origin_begin=\""), value(" data_begin=\""));
            self.add(numbers.0, numbers.1, value(" length=\""));
        }
    }

    fn add(&mut self, origin: Option<u64>, data: Option<u64>, blocks: Option<u64>) {
        let (Some(device), Some(origin), Some(data), Some(blocks)) =
            (self.device, origin, data, blocks)
        else {
            return;
        };
        let Some((_, maps)) = self.dumps.last_mut() else {
            return;
        };
        if self.ranges >= MAX_RANGES {
            self.is_cut = true;
            return;
        }
        self.ranges += 1;
        maps.entry(device).or_default().push(Range {
            data,
            origin,
            blocks,
        });
    }

    /// The mappings of a thin device in a pool with blocks of so many sectors, of each dump: before
    /// and after a recording they may differ.
    pub fn maps(&self, device: u64, block: u64) -> Vec<ThinMap> {
        if block == 0 || self.is_cut {
            return Vec::new();
        }
        let mut found: Vec<ThinMap> = Vec::new();
        for (_, maps) in self.dumps.iter().filter(|dump| dump.0 == block) {
            let mut ranges = maps.get(&device).cloned().unwrap_or_default();
            ranges.sort_short();
            if !ranges.is_empty() && found.iter().all(|map| map.ranges != ranges) {
                found.push(ThinMap { block, ranges });
            }
        }
        found
    }
}
