//! The devices of a machine as nodes, each with the devices above it and the arithmetic to them.

use crate::geometry::Texts;
use crate::geometry::bcache::DATA_OFFSET;
use crate::geometry::dm::{RaidTarget, Segment, TableTarget};
use crate::geometry::md::{MdArray, RaidType};
use crate::geometry::names::MAX_SECTORS;
use crate::geometry::thin::ThinMap;
use crate::learn::{self, Links};
use crate::raid::{Parity, Raid10};
use crate::rule::LayerRule;
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::store::Store;
use std::ops::Range;

/// Limit for the tables whose device is found by remaps.
const MAX_UNNAMED: usize = 256;

/// A device above another one.
#[derive(Clone, Debug)]
pub struct Above {
    /// Number of its node.
    pub upper: usize,
    pub rule: LayerRule,
}

#[derive(Clone, Debug, Default)]
pub struct Node {
    pub number: Option<DeviceNumber>,
    /// What it does, as texts name it: `crypt`, `raid1`, `partition`.
    pub kind: Option<String>,
    /// Index of the device in the store, if it has requests there.
    pub device: Option<u32>,
    pub above: Vec<Above>,
    /// For each rule the end of the sectors that it and those before it have.
    reach: Vec<u64>,
    /// Whether it lies on another device.
    pub has_lower: bool,
    /// Whether a recorded device lies on it.
    pub is_below: bool,
    /// Whether data may reach the devices below long after its request is complete.
    pub is_late: bool,
    /// Whether its remaps name no parent: those of parity have made-up sectors.
    pub has_parity: bool,
    /// Whether its remaps name sector 0 where none is meant.
    pub has_zeros: bool,
}

/// All devices.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    pub nodes: Vec<Node>,
    pub thin: Vec<ThinMap>,
    pub links: Links,
    /// The maps of a thin device, by its number in the pool.
    thin_maps: FxHashMap<u64, Range<usize>>,
    /// Sectors of a block, if there is only one pool.
    pool_block: Option<u64>,
    /// Number of tables whose device was looked for.
    unnamed: usize,
    pairs: FxHashSet<(usize, usize)>,
    numbers: FxHashMap<DeviceNumber, usize>,
    names: FxHashMap<String, usize>,
}

impl Node {
    /// Notes what it does, or what one more of its segments does.
    fn set_kind(&mut self, kind: &str) {
        match &self.kind {
            None => self.kind = Some(kind.to_owned()),
            Some(other) if other != kind => self.kind = Some("several targets".to_owned()),
            Some(_) => {}
        }
    }

    fn sort(&mut self) {
        self.above.sort_by_key(|above| above.rule.range().0);
        self.reach.clear();
        let mut end = 0;
        for above in &self.above {
            end = above.rule.range().1.max(end);
            self.reach.push(end);
        }
    }

    /// The rules that have sectors of a range, and perhaps a few more.
    pub fn rules(&self, from: u64, to: u64) -> &[Above] {
        let last = self
            .above
            .partition_point(|above| above.rule.range().0 < to);
        let first = self.reach.partition_point(|end| *end <= from);
        self.above.get(first..last).unwrap_or_default()
    }
}

/// The data of a member of an array, as its rules need it.
struct MemberPlace {
    node: usize,
    slot: usize,
    lower: u64,
    sectors: u64,
}

impl Stack {
    /// The stack of a trace.
    pub fn new(mut texts: Texts, store: &Store) -> Stack {
        let mut stack = Stack::default();
        for (index, device) in store.devices.iter().enumerate() {
            let node = stack.numbered(device.number);
            stack.nodes[node].device = Some(index as u32);
            stack.names.insert(device.name.clone(), node);
            texts.names.add(&device.name, device.number);
        }
        let links = learn::links(store);
        stack.add_tables(&texts, &links);
        stack.add_arrays(&mut texts, store, &links);
        stack.add_partitions(&texts);
        stack.add_bcache(&texts, store);
        stack.add_links(&links);
        for number in learn::with_parity(store) {
            let node = stack.numbered(number);
            stack.nodes[node].has_zeros = true;
        }
        stack.links = links;
        stack.finish();
        stack
    }

    /// The node with a number, if a trace or a text has named it.
    pub fn find(&self, number: DeviceNumber) -> Option<usize> {
        self.numbers.get(&number).copied()
    }

    fn numbered(&mut self, number: DeviceNumber) -> usize {
        let nodes = &mut self.nodes;
        *self.numbers.entry(number).or_insert_with(|| {
            nodes.push(Node {
                number: Some(number),
                ..Node::default()
            });
            nodes.len() - 1
        })
    }

    /// The node of a device as a text names it.
    fn node(&mut self, texts: &Texts, word: &str) -> usize {
        let name = crate::geometry::names::base(word);
        if let Some(&node) = self.names.get(name) {
            return node;
        }
        if let Some(number) = texts.names.resolve(word) {
            return self.numbered(number);
        }
        self.nodes.push(Node::default());
        let node = self.nodes.len() - 1;
        self.names.insert(name.to_owned(), node);
        node
    }

    fn add(&mut self, lower: usize, upper: usize, rule: LayerRule) {
        if lower != upper {
            self.pairs.insert((upper, lower));
            self.nodes[lower].above.push(Above { upper, rule });
        }
    }

    /// Tables of device mapper.
    fn add_tables(&mut self, texts: &Texts, links: &Links) {
        let mut tables: Vec<(&str, &[Segment])> = texts.tables.each().collect();
        tables.sort_unstable_by_key(|table| table.0);
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
                TableTarget::Linear(part) => {
                    let lower = self.node(texts, &part.device);
                    let rule = LayerRule::Linear {
                        lower: part.start,
                        sectors,
                        upper: start,
                    };
                    self.add(lower, upper, rule);
                }
                TableTarget::Mirror(parts) => {
                    for part in parts {
                        let lower = self.node(texts, &part.device);
                        let rule = LayerRule::Linear {
                            lower: part.start,
                            sectors,
                            upper: start,
                        };
                        self.add(lower, upper, rule);
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

    fn add_raid_target(
        &mut self,
        texts: &Texts,
        upper: usize,
        segment: &Segment,
        raid: &RaidTarget,
    ) {
        let disks = raid.data.len() as u64;
        let share = match raid.kind {
            RaidType::Parity(parities, _) => disks.saturating_sub(parities),
            RaidType::Raid0 => disks,
            RaidType::Raid10 => 0,
            RaidType::Raid1 | RaidType::Linear => 1,
        };
        let sectors = segment
            .sectors
            .checked_div(share)
            .map_or(MAX_SECTORS, |n| n.saturating_add(raid.chunk));
        let mut members = Vec::new();
        for (slot, word) in raid.data.iter().enumerate() {
            if let Some(word) = word {
                members.push(MemberPlace {
                    node: self.node(texts, word),
                    slot,
                    lower: raid.offset,
                    sectors,
                });
            }
        }
        let array = MdArray {
            kind: Some(raid.kind),
            chunk: Some(raid.chunk),
            layout: Some(raid.layout),
            disks: Some(raid.data.len()),
            ..MdArray::default()
        };
        // The start of the segment is always 0: md has no other.
        if segment.start == 0 {
            self.add_members(upper, &array, &members);
        }
        for word in &raid.metadata {
            let lower = self.node(texts, word);
            self.add(lower, upper, LayerRule::Internal { sectors: u64::MAX });
        }
    }

    fn add_arrays(&mut self, texts: &mut Texts, store: &Store, links: &Links) {
        texts.arrays.assemble(&texts.names);
        let mut arrays: Vec<(String, MdArray)> = texts
            .arrays
            .arrays
            .iter()
            .map(|(name, array)| (name.clone(), array.clone()))
            .collect();
        arrays.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (name, array) in arrays {
            let upper = self.node(texts, &name);
            self.nodes[upper].has_parity |= matches!(array.kind, Some(RaidType::Parity(..)));
            if let Some(kind) = array.kind {
                self.nodes[upper].set_kind(kind.level());
            }
            if array.is_unstable {
                continue;
            }
            let mut members = Vec::new();
            for (slot, member) in array.slots.iter().enumerate() {
                let Some(member) = member else { continue };
                let node = self.node(texts, member);
                let facts = texts.arrays.members.get(member);
                let said = facts.and_then(|facts| facts.offset);
                let lower = said
                    .or_else(|| array.begins_at_zero.then_some(0))
                    .or_else(|| {
                        let (upper, lower) = (self.nodes[upper].number?, self.nodes[node].number?);
                        learn::offset(store, links, (upper, lower), |sector| {
                            member_sector(&array, slot as u64, sector)
                        })
                    });
                if let Some(lower) = lower {
                    let sectors = facts.and_then(|facts| facts.sectors).or(array.used);
                    members.push(MemberPlace {
                        node,
                        slot,
                        lower,
                        sectors: sectors.unwrap_or(MAX_SECTORS),
                    });
                }
            }
            self.add_members(upper, &array, &members);
        }
    }

    /// The rules of the members of an array; none where the description is not complete.
    fn add_members(&mut self, upper: usize, array: &MdArray, members: &[MemberPlace]) {
        let disks = array.disks.unwrap_or(array.slots.len()) as u64;
        let chunk = array.chunk.filter(|n| *n > 0);
        // RAID 0 of disks of several sizes has more zones; only the first one is known.
        let least = members.iter().map(|m| m.sectors).min().unwrap_or(0);
        for member in members {
            let (lower, slot) = (member.lower, member.slot as u64);
            let rule = match array.kind {
                Some(RaidType::Raid1) => Some(LayerRule::Linear {
                    lower,
                    sectors: member.sectors,
                    upper: 0,
                }),
                Some(RaidType::Raid0) => chunk.map(|chunk| LayerRule::Striped {
                    lower,
                    sectors: least / chunk * chunk,
                    upper: 0,
                    chunk,
                    count: disks.max(1),
                    index: slot,
                }),
                Some(RaidType::Raid10) => chunk
                    .zip(array.layout)
                    .and_then(|(chunk, layout)| {
                        let used = array.used.or(Some(least).filter(|n| *n < MAX_SECTORS));
                        Raid10::new(chunk, disks, layout, used)
                    })
                    .map(|raid| LayerRule::Raid10 {
                        lower,
                        sectors: member.sectors,
                        raid,
                        slot,
                    }),
                Some(RaidType::Parity(..)) => parity(array, disks).map(|raid| LayerRule::Parity {
                    lower,
                    sectors: member.sectors,
                    raid: Parity {
                        is_degraded: (members.len() as u64) < disks,
                        ..raid
                    },
                    slot,
                }),
                Some(RaidType::Linear) | None => None,
            };
            if let Some(rule) = rule.filter(|_| slot < disks) {
                self.nodes[upper].has_parity |= matches!(rule, LayerRule::Parity { .. });
                // Superblocks and bitmaps lie before the data.
                self.add(member.node, upper, LayerRule::Internal { sectors: lower });
                self.add(member.node, upper, rule);
            }
        }
    }

    fn add_partitions(&mut self, texts: &Texts) {
        let mut partitions: Vec<_> = texts.names.partitions().collect();
        partitions
            .sort_unstable_by_key(|(name, partition)| (&partition.disk, partition.start, *name));
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
    fn add_bcache(&mut self, texts: &Texts, store: &Store) {
        let recorded = store.devices.iter().map(|device| device.name.as_str());
        let mut uppers: Vec<&str> = texts
            .names
            .uppers()
            .chain(recorded)
            .filter(|name| name.starts_with("bcache"))
            .collect();
        uppers.sort_unstable();
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

    fn size(&self, texts: &Texts, store: &Store, node: usize) -> Option<u64> {
        let by_name = self.nodes[node].device.and_then(|device| {
            let name = &store.devices.get(device as usize)?.name;
            texts.names.size(name)
        });
        by_name.or_else(|| texts.names.size_of(self.nodes[node].number?))
    }

    /// What remaps show beyond the texts.
    fn add_links(&mut self, links: &Links) {
        for (from, to) in links.each() {
            let (upper, lower) = (self.numbered(from), self.numbered(to));
            if !self.pairs.contains(&(upper, lower)) {
                self.add(lower, upper, LayerRule::Unknown);
            }
        }
    }

    /// Marks what lies below others, and below recorded devices; sorts the rules of each node.
    fn finish(&mut self) {
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &(upper, lower) in &self.pairs {
            below[upper].push(lower);
            self.nodes[upper].has_lower = true;
        }
        let recorded = (0..self.nodes.len()).filter(|&node| self.nodes[node].device.is_some());
        let mut open: Vec<usize> = recorded.collect();
        while let Some(upper) = open.pop() {
            for &lower in &below[upper] {
                if !self.nodes[lower].is_below {
                    self.nodes[lower].is_below = true;
                    // What is below a recorded device has been reached from there.
                    if self.nodes[lower].device.is_none() {
                        open.push(lower);
                    }
                }
            }
        }
        self.nodes.iter_mut().for_each(Node::sort);
    }

    /// What the devices of a store do, by their index; `None` where no text says it.
    pub fn kinds(&self, store: &Store) -> Vec<Option<String>> {
        let kind = |number| self.nodes.get(self.find(number)?)?.kind.clone();
        store.devices.iter().map(|d| kind(d.number)).collect()
    }

    /// The recorded devices next above a node.
    pub fn recorded_above(&self, node: usize) -> Vec<u32> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut open: Vec<usize> = vec![node];
        while let Some(lower) = open.pop() {
            for above in &self.nodes[lower].above {
                if !seen.insert(above.upper) || above.upper == node {
                    continue;
                }
                match self.nodes[above.upper].device {
                    Some(device) => found.push(device),
                    None => open.push(above.upper),
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn parity(array: &MdArray, disks: u64) -> Option<Parity> {
    let Some(RaidType::Parity(parities, fixed)) = array.kind else {
        return None;
    };
    let layout = match fixed {
        Some(layout) => layout,
        None => array.layout?.try_into().ok()?,
    };
    Parity::new(array.chunk?, disks, parities, layout)
}

/// The sector of a member, before its data offset, that holds a sector of its array; `None` if
/// another member has it.
fn member_sector(array: &MdArray, slot: u64, sector: u64) -> Option<u64> {
    let disks = array.disks.unwrap_or(array.slots.len()) as u64;
    match array.kind? {
        RaidType::Raid1 => Some(sector),
        RaidType::Raid0 => {
            let chunk = array.chunk.filter(|n| *n > 0)?;
            let index = sector / chunk;
            (index % disks.max(1) == slot).then(|| index / disks.max(1) * chunk + sector % chunk)
        }
        RaidType::Raid10 => {
            Raid10::new(array.chunk?, disks, array.layout?, None)?.member_sector(sector, slot)
        }
        // Remaps of parity name sector 0.
        RaidType::Parity(..) => {
            (sector > 0).then(|| Some(parity(array, disks)?.member_sector(sector)))?
        }
        RaidType::Linear => None,
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
