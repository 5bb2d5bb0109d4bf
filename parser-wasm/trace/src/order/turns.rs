//! Decides which file's item is next. After a piece of one file, only what changed is looked at,
//! because a recording may have thousands of files.

use super::queue::{FileQueue, OrderKey};
use super::recorded_kind::RecordedKinds;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// An open file by whether items of it wait, and its latest time: the lowest is needed next.
type Need = (bool, u64, usize);

/// The state of a file when it was settled last.
#[derive(Clone, Copy, Debug)]
struct FileTurn {
    /// Whether its first item is among the heads.
    has_head: bool,
    /// Open, and none of its items wait.
    is_awaited: bool,
    /// What the merge waits for while the file is open; `None` once it is closed.
    need: Option<(bool, u64)>,
}

/// The heads of all files, and what the merge waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    files: Vec<FileTurn>,
    /// First items of all files of which items wait.
    heads: BinaryHeap<Reverse<(OrderKey, usize)>>,
    needs: BTreeSet<Need>,
    /// Files that items may still come of before all that wait.
    awaited: usize,
    /// Files that got items since they were settled.
    fed: Vec<usize>,
}

impl Turns {
    /// The turns of so many files, all open and without items.
    pub fn new(files: usize) -> Turns {
        let turn = FileTurn {
            has_head: false,
            is_awaited: true,
            need: Some((false, 0)),
        };
        Turns {
            files: vec![turn; files],
            needs: (0..files).map(|file| (false, 0, file)).collect(),
            awaited: files,
            ..Turns::default()
        }
    }

    /// Notes that a file has new items.
    #[inline]
    pub fn note(&mut self, file: usize) {
        if self.fed.last() != Some(&file) {
            self.fed.push(file);
        }
    }

    /// Settles the files that got new items.
    pub fn settle_fed(&mut self, queues: &[FileQueue], kinds: &RecordedKinds) {
        while let Some(file) = self.fed.pop() {
            self.settle(file, &queues[file], kinds);
        }
    }

    /// Takes over what changed of a file.
    pub fn settle(&mut self, file: usize, queue: &FileQueue, kinds: &RecordedKinds) {
        let turn = &mut self.files[file];
        let first = queue.first(kinds);
        if let Some(key) = first.filter(|_| !turn.has_head) {
            turn.has_head = true;
            self.heads.push(Reverse((key, file)));
        }
        let is_awaited = first.is_none() && !queue.closed;
        self.awaited = self.awaited + usize::from(is_awaited) - usize::from(turn.is_awaited);
        turn.is_awaited = is_awaited;
        let need = (!queue.closed && !queue.paused).then_some((first.is_some(), queue.last));
        if need != turn.need {
            if let Some((waits, last)) = std::mem::replace(&mut turn.need, need) {
                self.needs.remove(&(waits, last, file));
            }
            self.needs
                .extend(need.map(|(waits, last)| (waits, last, file)));
        }
    }

    /// The file whose data the merge needs next: one without items, the one that is furthest
    /// behind.
    pub fn hungry(&self) -> Option<usize> {
        self.needs.first().map(|need| need.2)
    }

    /// Whether an item may come that is before all that wait.
    pub fn waits(&self) -> bool {
        self.awaited > 0
    }

    /// Takes the earliest head; it comes back with [`Turns::swap`] or [`Turns::settle`].
    pub fn pop(&mut self) -> Option<(OrderKey, usize)> {
        let Reverse(head) = self.heads.pop()?;
        self.files[head.1].has_head = false;
        Some(head)
    }

    /// The place of the earliest head in the order.
    #[inline]
    pub fn next(&self) -> Option<OrderKey> {
        self.heads.peek().map(|next| next.0.0)
    }

    /// Gives a head back and takes the earliest other one; `None` if there is no other.
    #[inline]
    pub fn swap(&mut self, head: (OrderKey, usize)) -> Option<(OrderKey, usize)> {
        let mut next = self.heads.peek_mut()?;
        let Reverse(other) = std::mem::replace(&mut *next, Reverse(head));
        (self.files[head.1].has_head, self.files[other.1].has_head) = (true, false);
        Some(other)
    }

    /// Forgets all heads: nothing waits any more.
    pub fn give_up(&mut self, queues: &[FileQueue], kinds: &RecordedKinds) {
        self.heads.clear();
        self.files.iter_mut().for_each(|turn| turn.has_head = false);
        queues
            .iter()
            .enumerate()
            .for_each(|(file, queue)| self.settle(file, queue, kinds));
    }
}
