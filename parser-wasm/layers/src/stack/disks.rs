//! Partitions of disks, and bcache on them.

use super::Stack;
use crate::geometry::Texts;
use crate::geometry::bcache::DATA_OFFSET;
use crate::geometry::names::MAX_SECTORS;
use crate::learn;
use crate::rule::LayerRule;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::Store;

impl Stack {
    pub(super) fn add_partitions(&mut self, texts: &Texts) {
        let mut partitions: Vec<_> = texts.names.partitions().collect();
        partitions.sort_short_by_key(|(name, partition)| (&partition.disk, partition.start, *name));
        for (i, (name, partition)) in partitions.iter().enumerate() {
            let next = partitions
                .get(i + 1)
                .filter(|(_, next)| next.disk == partition.disk)
                .map(|(_, next)| next.start - partition.start);
            let sectors = texts.names.size(name).or(next).unwrap_or(MAX_SECTORS);
            let upper = self.node(texts, name);
            self.nodes[upper].set_kind("partition");
            let lower = self.node(texts, &partition.disk);
            let rule = LayerRule::Linear {
                lower: partition.start,
                sectors,
                upper: 0,
            };
            self.add(lower, upper, rule);
        }
    }

    /// bcache: texts name the devices below, the trace shows which of them is the backing one.
    pub(super) fn add_bcache(&mut self, texts: &Texts, store: &Store) {
        let recorded = store.devices.iter().map(|device| device.name.as_str());
        let mut uppers: Vec<&str> = texts
            .names
            .uppers()
            .chain(recorded)
            .filter(|name| name.starts_with("bcache"))
            .collect();
        uppers.sort_short();
        uppers.dedup();
        for name in uppers {
            let upper = self.node(texts, name);
            let Some(device) = self.nodes[upper].device else {
                continue;
            };
            self.nodes[upper].is_late = true;
            self.nodes[upper].set_kind("bcache");
            let mut lowers: Vec<(usize, u32)> = Vec::new();
            for lower in texts.names.below(name) {
                let node = self.node(texts, lower);
                lowers.extend(self.nodes[node].device.map(|device| (node, device)));
            }
            if lowers.is_empty() {
                lowers = self.free_disks(store, upper);
            }
            let mut offsets = texts.bcache.offsets.clone();
            offsets.push(DATA_OFFSET);
            // The device of the size that the upper one leaves, if only one is.
            let size = |node: usize| self.size(texts, store, node);
            let mut fitting = lowers.iter().filter(|lower| {
                let (below, above) = (size(lower.0), size(upper));
                let offset = below.zip(above).and_then(|(a, b)| a.checked_sub(b));
                offset.is_some_and(|offset| offsets.contains(&offset))
            });
            let fitting = fitting.next().filter(|_| fitting.next().is_none()).copied();
            let backing = match fitting {
                Some(only) => learn::backing(store, device, &[only], &offsets),
                None => learn::backing(store, device, &lowers, &offsets),
            };
            for (lower, _) in lowers {
                let rule = match backing {
                    Some((node, offset)) if node == lower => LayerRule::Linear {
                        lower: offset,
                        sectors: MAX_SECTORS,
                        upper: 0,
                    },
                    // Of a disk that no text names it is not even known that it lies below.
                    None if texts.names.below(name).is_empty() => continue,
                    _ => LayerRule::Unknown,
                };
                self.add(lower, upper, rule);
            }
        }
    }

    /// Recorded disks that nothing lies on.
    fn free_disks(&self, store: &Store, upper: usize) -> Vec<(usize, u32)> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(|(node, entry)| *node != upper && entry.above.is_empty())
            .filter_map(|(node, entry)| Some((node, entry.device?)))
            .filter(|(_, device)| {
                let name = &store.devices[*device as usize].name;
                !["bcache", "dm-", "md"]
                    .iter()
                    .any(|kind| name.starts_with(kind))
            })
            .collect()
    }

    pub(super) fn size(&self, texts: &Texts, store: &Store, node: usize) -> Option<u64> {
        let by_name = self.nodes[node].device.and_then(|device| {
            let name = &store.devices.get(device as usize)?.name;
            texts.names.size(name)
        });
        by_name.or_else(|| texts.names.size_of(self.nodes[node].number?))
    }
}
