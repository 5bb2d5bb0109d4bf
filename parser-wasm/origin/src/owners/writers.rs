//! Whose data a write carries: the task that dirtied a page last, or that began direct I/O.

use super::changes::single;
use super::inodes::Inodes;
use super::volumes::Volumes;
use crate::events::Volume as Named;
use crate::events::log::{DirtyRow, EventLog, SpanRow};
use crate::tasks::{NO_TASK, Tasks};
use rustc_hash::FxHashMap;

/// Bytes of a page.
const PAGE: u64 = 4096;
/// Rows that are looked at for one page: dirtied again by threads of the kernel.
const MAX_STEPS: usize = 16;
/// Rows of direct I/O and of folios that are looked at.
const MAX_SPANS: usize = 256;
/// A time in text is rounded to microseconds.
pub const ROUNDING: u64 = 1_000;

/// A write whose writers are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Submitted {
    /// When it was queued, on the clock of the trace.
    pub time: u64,
    /// The task of its first bio.
    pub task: u32,
}

#[derive(Debug, Default)]
pub struct Writers {
    /// By file, page and time.
    dirty: Vec<DirtyRow>,
    /// Whether a row's page was written since.
    used: Vec<bool>,
    /// By file, offset and time.
    folios: Vec<SpanRow>,
    /// By file and time.
    direct: Vec<SpanRow>,
    /// The files of inodes, by file system.
    files: FxHashMap<(u32, u64), u32>,
}

impl Writers {
    pub fn new(log: &mut EventLog, volumes: &Volumes, inodes: &[Inodes]) -> Writers {
        let mut files = FxHashMap::default();
        for (file, &(name, inode)) in (0..).zip(&log.files) {
            let mut found = volumes.of_event(name);
            if found.len() > 1 {
                // File systems of one disk share inode numbers: the one whose map has it.
                let device =
                    |&volume: &u32| u64::from(volumes.list[volume as usize].device.0) == inode;
                match found.iter().copied().find(|volume| device(volume)) {
                    Some(volume) => found = vec![volume],
                    None => found.retain(|&volume| inodes[volume as usize].has(inode)),
                }
            }
            if let Some(volume) = single(found) {
                // Direct I/O names the partition, dirty pages name the disk.
                files
                    .entry((volume, inode))
                    .and_modify(|_| ())
                    .or_insert(file);
            }
        }
        Writers::sorted(log, volumes, files)
    }

    /// Gives rows of one inode under several names one file, and sorts the tables.
    fn sorted(log: &mut EventLog, volumes: &Volumes, files: FxHashMap<(u32, u64), u32>) -> Writers {
        let mut same: Vec<u32> = (0..log.files.len() as u32).collect();
        for (file, &(name, inode)) in log.files.iter().enumerate() {
            if let (Named::Partition(_), Some(volume)) = (name, single(volumes.of_event(name)))
                && let Some(&first) = files.get(&(volume, inode))
            {
                same[file] = first;
            }
        }
        let mut dirty = std::mem::take(&mut log.dirty);
        dirty
            .iter_mut()
            .for_each(|row| row.file = same[row.file as usize]);
        dirty.sort_by_key(|row| (row.file, row.page, row.time));
        let mut folios = std::mem::take(&mut log.folios);
        folios
            .iter_mut()
            .for_each(|row| row.file = same[row.file as usize]);
        folios.sort_by_key(|row| (row.file, row.offset, row.time));
        let mut direct = std::mem::take(&mut log.direct);
        direct
            .iter_mut()
            .for_each(|row| row.file = same[row.file as usize]);
        direct.sort_by_key(|row| (row.file, row.time));
        let used = vec![false; dirty.len()];
        Writers {
            dirty,
            used,
            folios,
            direct,
            files,
        }
    }

    pub fn file(&self, volume: u32, inode: u64) -> Option<u32> {
        self.files.get(&(volume, inode)).copied()
    }

    /// The last row of a page up to `time` that is not of a thread of the kernel.
    fn last_row(&self, file: u32, page: u32, time: u64, tasks: &Tasks) -> Option<usize> {
        let key = |row: &DirtyRow| (row.file, row.page, row.time);
        let end = self
            .dirty
            .partition_point(|row| key(row) <= (file, page, time));
        let rows = self.dirty[..end].iter().enumerate().rev().take(MAX_STEPS);
        let mut rows = rows.take_while(|(_, row)| (row.file, row.page) == (file, page));
        rows.find(|(_, row)| !tasks.is_kernel(row.task))
            .map(|(i, _)| i)
    }

    /// The row of the page that a folio with `page` begins with.
    fn folio_row(&self, file: u32, page: u32, time: u64, tasks: &Tasks) -> Option<usize> {
        let offset = u64::from(page) * PAGE;
        let end = self
            .folios
            .partition_point(|row| (row.file, row.offset) <= (file, offset));
        let rows = self.folios[..end].iter().rev().take(MAX_SPANS);
        let covers = |row: &&SpanRow| {
            row.time <= time && row.offset.saturating_add(row.length.into()) > offset
        };
        let folio = rows.take_while(|row| row.file == file).find(covers)?;
        let first = u32::try_from(folio.offset / PAGE).ok()?;
        (first..page)
            .rev()
            .find_map(|page| self.last_row(file, page, time, tasks))
    }

    /// The task whose direct I/O covers a byte, and when it began.
    fn direct_row(&self, file: u32, offset: u64, by: Submitted, tasks: &Tasks) -> Option<SpanRow> {
        let end = self
            .direct
            .partition_point(|row| (row.file, row.time) <= (file, by.time));
        let pid = tasks.tasks.get(by.task as usize)?.pid;
        let rows = self.direct[..end].iter().rev().take(MAX_SPANS);
        let covers = |row: &&SpanRow| {
            let behind = offset.checked_sub(row.offset);
            let task = tasks.tasks.get(row.task as usize);
            behind.is_some_and(|behind| behind < row.length.into())
                && task.is_some_and(|task| task.pid == pid)
        };
        rows.take_while(|row| row.file == file)
            .find(covers)
            .copied()
    }

    /// The writer of the page at `page`, or [`NO_TASK`].
    pub fn page(&mut self, file: Option<u32>, page: u32, by: Submitted, tasks: &Tasks) -> u32 {
        let time = by.time.saturating_add(ROUNDING);
        let row = file.and_then(|file| {
            self.last_row(file, page, time, tasks)
                .or_else(|| self.folio_row(file, page, time, tasks))
        });
        let by = Submitted { time, ..by };
        let direct = file.and_then(|file| self.direct_row(file, u64::from(page) * PAGE, by, tasks));
        if let Some(direct) = direct
            && row.is_none_or(|row| self.dirty[row].time < direct.time)
        {
            return direct.task;
        }
        let user = !tasks.is_kernel(by.task) && by.task != NO_TASK;
        match row {
            Some(row) if !self.used[row] || !user || !self.direct.is_empty() => {
                self.used[row] = true;
                self.dirty[row].task
            }
            // Without events of direct I/O, a page that no task dirtied since its last write is
            // written past the page cache, by the task that queued it.
            _ if user && self.direct.is_empty() => by.task,
            _ => NO_TASK,
        }
    }
}
