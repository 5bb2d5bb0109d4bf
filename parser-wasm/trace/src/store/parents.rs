//! Which request of an upper device caused a request: for stacks of device mapper, md and bcache.
//!
//! A row has its direct parents, which lie on the next recorded device above; those on the top
//! device are found by going up. So the time that each layer took can be read from the rows, and
//! the tasks of the top rows replace the threads of the layers.

use super::Store;
use serde::Serialize;

/// Devices of a stack that are gone through upwards; more than the kernel allows to be stacked.
const MAX_DEPTH: usize = 32;
/// Limit for the rows that one request is traced back to.
const MAX_TOPS: usize = 4096;
/// No task.
pub const NO_TASK: u32 = u32::MAX;

/// A number of requests and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ParentTally {
    pub requests: u64,
    pub bytes: u64,
}

impl ParentTally {
    pub fn add(&mut self, bytes: u64) {
        self.requests += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// How many requests of a device have parents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ParentTallies {
    /// All sectors have a parent.
    pub found: ParentTally,
    /// Some sectors have one.
    pub partial: ParentTally,
    /// Several requests above could be it, and nothing decides.
    pub ambiguous: ParentTally,
    /// Sectors of the layer itself: superblocks, bitmaps, metadata.
    pub internal: ParentTally,
    /// No device above has these sectors.
    pub outside: ParentTally,
    /// No request above fits, or the layer's arithmetic is not known.
    pub unknown: ParentTally,
    /// Requests without sectors: flushes.
    pub empty: ParentTally,
}

/// A recorded device that lies on others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StackLayer {
    /// Index of the device.
    pub device: u32,
    /// Indices of the recorded devices below it, ascending.
    pub below: Vec<u32>,
}

/// The parents of all requests.
#[derive(Clone, Debug, Default)]
pub struct Parents {
    /// Per request row the first of its `rows`, and one more at the end.
    first: Vec<u32>,
    /// Request rows of the next recorded device above.
    rows: Vec<u32>,
    /// Rows whose parent is ambiguous although all candidates are of one task, and the task;
    /// ascending.
    tasks: Vec<(u32, u32)>,
    layers: Vec<StackLayer>,
    /// By index of the device: whether another one lies on it.
    is_below: Vec<bool>,
    /// What a device does, as texts name it: `crypt`, `raid1`; by its index.
    pub kinds: Vec<Option<String>>,
    /// By index of the device.
    pub tallies: Vec<ParentTallies>,
}

impl Parents {
    /// Parents that are added row after row with [`Parents::push`].
    pub fn with_rows(rows: usize) -> Parents {
        let mut first = Vec::with_capacity(rows + 1);
        first.push(0);
        Parents {
            first,
            ..Parents::default()
        }
    }

    /// Adds the parents of the next row, and its task if only that is known.
    pub fn push(&mut self, parents: &[u32], task: Option<u32>) {
        if let Some(task) = task {
            self.tasks
                .push((self.first.len().saturating_sub(1) as u32, task));
        }
        self.rows.extend_from_slice(parents);
        self.first.push(self.rows.len() as u32);
    }

    /// The direct parents of a row, ascending.
    pub fn direct(&self, row: usize) -> &[u32] {
        match (self.first.get(row), self.first.get(row + 1)) {
            (Some(&from), Some(&to)) => self
                .rows
                .get(from as usize..to as usize)
                .unwrap_or_default(),
            _ => &[],
        }
    }

    /// Sets `tops` to the rows of top devices that a row comes from, ascending; empty for rows of
    /// top devices, and where a parent on the way is not known.
    pub fn tops(&self, store: &Store, row: usize, tops: &mut Vec<u32>) {
        tops.clear();
        tops.extend_from_slice(self.direct(row));
        for _ in 0..MAX_DEPTH {
            let before = tops.len();
            let mut is_done = true;
            for i in 0..before {
                let parent = tops[i] as usize;
                if self.is_top(store, parent) {
                    continue;
                }
                is_done = false;
                match self.direct(parent) {
                    [] => {
                        tops.clear();
                        return;
                    }
                    [above, more @ ..] => {
                        tops[i] = *above;
                        tops.extend_from_slice(more);
                    }
                }
            }
            tops.sort_unstable();
            tops.dedup();
            tops.truncate(MAX_TOPS);
            if is_done {
                return;
            }
        }
        tops.clear();
    }

    /// Whether no recorded device lies on the device of a row.
    pub fn is_top(&self, store: &Store, row: usize) -> bool {
        row >= store.requests.len() || self.is_top_device(store.requests.row(row).device())
    }

    /// Whether no recorded device lies on a device.
    pub fn is_top_device(&self, device: u32) -> bool {
        !self.is_below.get(device as usize).is_some_and(|is| *is)
    }

    /// The devices that lie on others, by their index.
    pub fn layers(&self) -> &[StackLayer] {
        &self.layers
    }

    pub fn set_layers(&mut self, layers: Vec<StackLayer>) {
        self.is_below.clear();
        for &device in layers.iter().flat_map(|layer| &layer.below) {
            let device = device as usize;
            if self.is_below.len() <= device {
                self.is_below.resize(device + 1, false);
            }
            self.is_below[device] = true;
        }
        self.layers = layers;
    }

    /// Sets `tasks` to the tasks that sent the rows of the top device which a row comes from:
    /// indices of [`Store::processes`]. `tops` is room for their rows.
    pub fn tasks(&self, store: &Store, row: usize, tops: &mut Vec<u32>, tasks: &mut Vec<u32>) {
        self.tops(store, row, tops);
        tasks.clear();
        tasks.extend(
            tops.iter()
                .map(|&top| store.requests.row(top as usize).process()),
        );
        if tasks.is_empty() {
            tasks.extend(self.lone_task(row));
        }
        tasks.sort_unstable();
        tasks.dedup();
    }

    /// The task of a row whose parent is ambiguous.
    fn lone_task(&self, row: usize) -> Option<u32> {
        self.tasks
            .binary_search_by_key(&(row as u32), |entry| entry.0)
            .ok()
            .map(|i| self.tasks[i].1)
    }

    /// What a device does, if a text says it.
    pub fn kind(&self, device: usize) -> Option<&str> {
        self.kinds.get(device)?.as_deref()
    }

    /// Adds what happened to a request of a device to its tallies.
    pub fn tally(&mut self, device: u32) -> &mut ParentTallies {
        let device = device as usize;
        if self.tallies.len() <= device {
            self.tallies.resize(device + 1, ParentTallies::default());
        }
        &mut self.tallies[device]
    }

    /// Memory of all columns, bytes.
    pub fn memory(&self) -> usize {
        (self.first.len() + self.rows.len()) * 4 + self.tasks.len() * 8
    }
}
