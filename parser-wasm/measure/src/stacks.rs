//! By which paths through the kernel the requests of a device were submitted: as a tree of
//! functions, and as a list of paths by their telling functions.
//!
//! Over the request rows of a device, by the stacks that [`CallStacks`] has of them. The tree has
//! the paths with the largest shares; the sums of a function include what is left out below it.

use crate::call_path::path_of;
use crate::span::Window;
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{CallStacks, NO_FRAME, StackEvent, Store};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Stacks that are kept in the tree: those with the largest share of requests, bytes or time.
pub const MAX_STACKS: usize = 64;
/// Paths that are kept in the list.
pub const MAX_PATHS: usize = 32;

/// Sums over the requests of a path, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StackSums {
    pub requests: u64,
    pub bytes: u64,
    /// Sum of the times from D to C, ns.
    pub d2c_ns: u64,
}

impl StackSums {
    pub fn add(&mut self, other: &StackSums) {
        self.requests += other.requests;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.d2c_ns = self.d2c_ns.saturating_add(other.d2c_ns);
    }

    /// The largest of its shares.
    fn share(&self, all: &StackSums) -> f64 {
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        share(self.requests, all.requests)
            .max(share(self.bytes, all.bytes))
            .max(share(self.d2c_ns, all.d2c_ns))
    }
}

/// Functions that call each other one by one, with nothing else between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackNode {
    /// Index of the node that called the first of them, which is smaller; absent for an outermost
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u32>,
    /// The outermost one first.
    pub calls: Vec<String>,
    #[serde(flatten)]
    pub sums: StackSums,
}

/// Stacks that have the same telling functions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackPath {
    /// `openat() > ext4_lookup > ext4_bread_batch`.
    pub path: String,
    #[serde(flatten)]
    pub sums: StackSums,
}

/// The paths of the requests of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StacksUsed {
    /// The most requests first, at most [`MAX_PATHS`].
    pub paths: Vec<StackPath>,
    /// Each behind its parent.
    pub tree: Vec<StackNode>,
    /// Requests without a stack.
    pub unknown: StackSums,
    /// All requests.
    pub all: StackSums,
    /// Requests whose stack is that of their issue: nothing was recorded of their submission.
    #[serde(default)]
    pub by_issue: u64,
    /// Whether functions are addresses, because their names are not known.
    #[serde(default)]
    pub has_addresses: bool,
    /// What found no room while stacks were read, of all devices.
    #[serde(default)]
    pub left_out: u64,
    /// Stacks of another clock than the trace's that cannot be aligned with it, of all devices.
    #[serde(default)]
    pub other_clock: u64,
    /// Whether symbols were there that are of another kernel.
    #[serde(default)]
    pub other_symbols: bool,
}

/// The sums of a device while rows are visited.
#[derive(Default)]
struct StackTally {
    /// By innermost frame.
    stacks: FxHashMap<u32, StackSums>,
    unknown: StackSums,
    all: StackSums,
    by_issue: u64,
}

/// Per device; `None` where no request of it has a stack, and there is no reason to name.
pub fn stacks_used(store: &Store, window: Window) -> Vec<Option<StacksUsed>> {
    let Some(stacks) = store.stacks.as_deref() else {
        return store.devices.iter().map(|_| None).collect();
    };
    let mut tallies: Vec<StackTally> = Vec::new();
    tallies.resize_with(store.devices.len(), StackTally::default);
    store.requests.each(window.rows(&store.requests), |row| {
        let Some(tally) = tallies.get_mut(row.device() as usize) else {
            return;
        };
        let sums = StackSums {
            requests: 1,
            bytes: u64::from(row.bytes()),
            d2c_ns: row.d2c().unwrap_or_default(),
        };
        tally.all.add(&sums);
        let found = stacks.of_row(row.row);
        match found.submitted {
            NO_FRAME => tally.unknown.add(&sums),
            frame => tally.stacks.entry(frame).or_default().add(&sums),
        }
        tally.by_issue += u64::from(found.event == StackEvent::Issue);
    });
    let used = tallies.into_iter();
    let has_some = |tally: &StackTally| {
        !tally.stacks.is_empty() || (stacks.other_clock > 0 && tally.all.requests > 0)
    };
    used.map(|tally| has_some(&tally).then(|| used_of(stacks, tally)))
        .collect()
}

fn used_of(stacks: &CallStacks, tally: StackTally) -> StacksUsed {
    StacksUsed {
        paths: paths(stacks, &tally.stacks),
        tree: tree(stacks, &tally),
        unknown: tally.unknown,
        all: tally.all,
        by_issue: tally.by_issue,
        has_addresses: stacks.addresses > 0,
        left_out: stacks.left_out,
        other_clock: stacks.other_clock,
        other_symbols: stacks.other_symbols,
    }
}

fn paths(stacks: &CallStacks, by_frame: &FxHashMap<u32, StackSums>) -> Vec<StackPath> {
    let mut by_path: FxHashMap<String, StackSums> = FxHashMap::default();
    for (&frame, sums) in by_frame {
        let path = path_of(&stacks.names(frame));
        by_path.entry(path).or_default().add(sums);
    }
    let mut list: Vec<StackPath> = by_path
        .into_iter()
        .map(|(path, sums)| StackPath { path, sums })
        .collect();
    list.sort_short_by(|x, y| {
        let key = |path: &StackPath| (Reverse(path.sums.requests), Reverse(path.sums.bytes));
        key(x).cmp(&key(y)).then_with(|| x.path.cmp(&y.path))
    });
    list.truncate(MAX_PATHS);
    list
}

/// The frames of the stacks with the largest shares, those without branches as one node.
fn tree(stacks: &CallStacks, tally: &StackTally) -> Vec<StackNode> {
    let mut inclusive: FxHashMap<u32, StackSums> = FxHashMap::default();
    for (&innermost, sums) in &tally.stacks {
        for frame in stacks.path(innermost) {
            inclusive.entry(frame).or_default().add(sums);
        }
    }
    let mut ranked: Vec<(&u32, &StackSums)> = tally.stacks.iter().collect();
    ranked.sort_short_by(|(x, a), (y, b)| {
        let shares = b.share(&tally.all).total_cmp(&a.share(&tally.all));
        shares.then(x.cmp(y))
    });
    let largest = ranked.iter().take(MAX_STACKS);
    let mut frames: Vec<u32> = largest
        .flat_map(|(frame, _)| stacks.path(**frame))
        .collect();
    frames.sort_short();
    frames.dedup();
    let mut nodes: Vec<StackNode> = Vec::new();
    let mut node_of: FxHashMap<u32, u32> = FxHashMap::default();
    // A frame has a larger number than the one that called it, which has its node already.
    for frame in frames {
        let sums = inclusive.get(&frame).copied().unwrap_or_default();
        let parent = stacks.frames.get(frame as usize).map(|frame| frame.parent);
        let parent = parent.and_then(|parent| node_of.get(&parent).copied());
        let name = stacks.name(frame).to_owned();
        // Equal sums leave nothing for another branch, nor for an end here.
        let number = match parent.and_then(|parent| Some((parent, nodes.get_mut(parent as usize)?)))
        {
            Some((parent, node)) if node.sums == sums => {
                node.calls.push(name);
                parent
            }
            _ => {
                nodes.push(StackNode {
                    parent,
                    calls: vec![name],
                    sums,
                });
                (nodes.len() - 1) as u32
            }
        };
        node_of.insert(frame, number);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::store::StackFrame;

    fn stacks() -> CallStacks {
        let frames = [(NO_FRAME, 0), (0, 1), (1, 2), (1, 3), (3, 4)];
        CallStacks {
            functions: [
                "entry_x",
                "__x64_sys_read",
                "ext4_a",
                "ext4_b",
                "submit_bio",
            ]
            .map(str::to_owned)
            .to_vec(),
            frames: frames
                .map(|(parent, function)| StackFrame { parent, function })
                .to_vec(),
            ..CallStacks::default()
        }
    }

    fn sums(requests: u64) -> StackSums {
        StackSums {
            requests,
            bytes: requests * 512,
            d2c_ns: requests,
        }
    }

    #[test]
    fn functions_without_branches_are_one_node() {
        let stacks = stacks();
        let tally = StackTally {
            stacks: [(2, sums(3)), (4, sums(1))].into_iter().collect(),
            all: sums(4),
            ..StackTally::default()
        };
        let used = used_of(&stacks, tally);
        let nodes: Vec<_> = used
            .tree
            .iter()
            .map(|node| (node.parent, node.calls.join(" "), node.sums.requests))
            .collect();
        let expected = [
            (None, "entry_x __x64_sys_read", 4),
            (Some(0), "ext4_a", 3),
            (Some(0), "ext4_b submit_bio", 1),
        ];
        assert_eq!(
            nodes,
            expected.map(|(parent, calls, n)| (parent, calls.to_owned(), n))
        );
        let paths: Vec<_> = used.paths.iter().map(|path| path.path.as_str()).collect();
        assert_eq!(paths, ["read() > ext4_a", "read() > ext4_b"]);
    }
}
