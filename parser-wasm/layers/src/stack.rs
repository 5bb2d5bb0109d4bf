//! The devices of a machine as nodes, each with the devices above it and the arithmetic to them.

mod arrays;
mod disks;
mod tables;

use crate::geometry::Texts;
use crate::geometry::thin::ThinMap;
use crate::learn::{self, Links};
use crate::rule::LayerRule;
use rustc_hash::{FxHashMap, FxHashSet};
use seekscope_trace::event::DeviceNumber;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::Store;
use std::ops::Range;

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
        self.above.sort_short_by_key(|above| above.rule.range().0);
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
        found.sort_short();
        found.dedup();
        found
    }
}
