//! Devices of device mapper, from their tables.

use super::Stack;
use crate::geometry::Texts;
use crate::geometry::dm::{Part, Segment, TableTarget};
use crate::learn::Links;
use crate::rule::LayerRule;
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::sorting::SortShort;

/// Limit for the tables whose device is found by remaps.
const MAX_UNNAMED: usize = 256;

impl Stack {
    /// Tables of device mapper.
    pub(super) fn add_tables(&mut self, texts: &Texts, links: &Links) {
        let mut tables: Vec<(&str, &[Segment])> = texts.tables.each().collect();
        tables.sort_short_by_key(|table| table.0);
        let segments = tables.iter().flat_map(|(_, segments)| segments.iter());
        let mut pools = segments.filter_map(|segment| match segment.target {
            TableTarget::ThinPool { block, .. } => Some(block),
            _ => None,
        });
        self.pool_block = pools.next().filter(|_| pools.next().is_none());
        let mut unnamed = Vec::new();
        for (name, segments) in &tables {
            if texts.names.resolve(name).is_some() || self.names.contains_key(*name) {
                let upper = self.node(texts, name);
                self.add_segments(texts, upper, segments);
            } else {
                unnamed.push((*name, *segments));
            }
        }
        // A table without a number is that of the device whose remaps go to the same devices.
        for (name, segments) in unnamed {
            let mut fitting = Vec::new();
            if self.unnamed < MAX_UNNAMED {
                self.unnamed += 1;
                let lowers: Vec<usize> = devices(segments)
                    .iter()
                    .map(|word| self.node(texts, word))
                    .collect();
                let is_lower =
                    |number| self.find(number).is_some_and(|node| lowers.contains(&node));
                let fits = |pairs: &&[(DeviceNumber, DeviceNumber)]| {
                    pairs.iter().all(|pair| is_lower(pair.1))
                };
                let sources = links.sources().filter(fits);
                fitting.extend(sources.filter_map(|pairs| Some(pairs.first()?.0)).take(2));
            }
            let upper = match fitting.as_slice() {
                &[only] => self.numbered(only),
                _ => self.node(texts, name),
            };
            self.add_segments(texts, upper, segments);
        }
    }

    fn add_segments(&mut self, texts: &Texts, upper: usize, segments: &[Segment]) {
        for segment in segments {
            let (start, sectors) = (segment.start, segment.sectors);
            self.nodes[upper].set_kind(&segment.kind);
            match &segment.target {
                TableTarget::Linear(part) => self.add_copy(texts, upper, segment, part),
                TableTarget::Mirror(parts) => {
                    for part in parts {
                        self.add_copy(texts, upper, segment, part);
                    }
                }
                TableTarget::Striped { chunk, parts } => {
                    for (index, part) in parts.iter().enumerate() {
                        let lower = self.node(texts, &part.device);
                        let rule = LayerRule::Striped {
                            lower: part.start,
                            sectors: sectors.div_ceil(parts.len() as u64),
                            upper: start,
                            chunk: *chunk,
                            count: parts.len() as u64,
                            index: index as u64,
                        };
                        self.add(lower, upper, rule);
                    }
                }
                TableTarget::Raid(raid) => self.add_raid_target(texts, upper, segment, raid),
                TableTarget::ThinPool { metadata, data, .. } => {
                    let lower = self.node(texts, data);
                    let rule = LayerRule::Linear {
                        lower: 0,
                        sectors,
                        upper: start,
                    };
                    self.add(lower, upper, rule);
                    let lower = self.node(texts, metadata);
                    self.add(lower, upper, LayerRule::Internal { sectors: u64::MAX });
                }
                TableTarget::Thin { pool, id } => {
                    let lower = self.node(texts, pool);
                    self.add_thin(texts, upper, lower, *id);
                }
                TableTarget::Other(devices) => {
                    for device in devices {
                        let lower = self.node(texts, device);
                        self.add(lower, upper, LayerRule::Unknown);
                    }
                }
            }
        }
    }

    /// A part that has all sectors of a segment, in their order.
    fn add_copy(&mut self, texts: &Texts, upper: usize, segment: &Segment, part: &Part) {
        let lower = self.node(texts, &part.device);
        let rule = LayerRule::Linear {
            lower: part.start,
            sectors: segment.sectors,
            upper: segment.start,
        };
        self.add(lower, upper, rule);
    }

    /// A thin device. Its mappings are those of a dump, if only one pool can be meant.
    fn add_thin(&mut self, texts: &Texts, upper: usize, pool: usize, id: u64) {
        if !self.thin_maps.contains_key(&id) {
            let maps = self
                .pool_block
                .map_or_else(Vec::new, |block| texts.thin.maps(id, block));
            let from = self.thin.len();
            self.thin.extend(maps);
            self.thin_maps.insert(id, from..self.thin.len());
        }
        let maps = self.thin_maps.get(&id).cloned().unwrap_or_default();
        if maps.is_empty() {
            self.add(pool, upper, LayerRule::Unknown);
        }
        for maps in maps {
            self.add(pool, upper, LayerRule::Thin { maps });
        }
    }
}

/// The devices that a table names.
fn devices(segments: &[Segment]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for segment in segments {
        match &segment.target {
            TableTarget::Linear(part) => found.push(&part.device),
            TableTarget::Striped { parts, .. } | TableTarget::Mirror(parts) => {
                found.extend(parts.iter().map(|part| part.device.as_str()));
            }
            TableTarget::Raid(raid) => found.extend(raid.data.iter().flatten().map(String::as_str)),
            TableTarget::ThinPool { data, .. } => found.push(data),
            TableTarget::Thin { pool, .. } => found.push(pool),
            TableTarget::Other(devices) => found.extend(devices.iter().map(String::as_str)),
        }
    }
    found
}
