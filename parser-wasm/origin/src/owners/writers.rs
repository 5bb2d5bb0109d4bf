//! Whose data a write carries: the task that dirtied a page last, or that began direct I/O.

use super::changes::single;
use super::inodes::Inodes;
use super::volumes::Volumes;
use crate::events::Volume as Named;
use crate::events::log::{DirtyRow, EventLog, SpanRow};
use crate::ranges::SECTOR;
use crate::tasks::{NO_TASK, Tasks};
use rustc_hash::FxHashMap;

/// Bytes of a page.
const PAGE: u64 = 4096;
/// Rows that are looked at for one page: dirtied again by threads of the kernel.
const MAX_STEPS: usize = 16;
/// Pages of new blocks; later ones are left out.
const MAX_CREATED: usize = 16 << 20;
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

/// The last rows of a page.
#[derive(Clone, Copy, Debug)]
struct Rows {
    last: usize,
    /// The last one of a program.
    user: Option<usize>,
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
    /// New blocks of files, as pages: by file, page and time.
    created: Vec<DirtyRow>,
    /// The only task that changed a file, or [`NO_TASK`].
    touched: FxHashMap<u32, u32>,
    /// The files of inodes, by file system.
    files: FxHashMap<(u32, u64), u32>,
}

impl Writers {
    pub fn new(log: &mut EventLog, volumes: &Volumes, inodes: &[Inodes]) -> Writers {
        let mut files: FxHashMap<(u32, u64), u32> = FxHashMap::default();
        // Direct I/O names the partition, dirty pages name the disk: both are one file.
        let mut same: Vec<u32> = (0..log.files.len() as u32).collect();
        for (file, &(name, inode)) in (0..).zip(&log.files) {
            if let Some(volume) = volume_of(name, inode, volumes, inodes) {
                same[file as usize] = *files.entry((volume, inode)).or_insert(file);
            }
        }
        let spans = |rows: &mut Vec<SpanRow>| {
            let mut rows = std::mem::take(rows);
            let file = |row: &mut SpanRow| row.file = same[row.file as usize];
            rows.iter_mut().for_each(file);
            rows
        };
        let (mut folios, mut direct) = (spans(&mut log.folios), spans(&mut log.direct));
        folios.sort_by_key(|row| (row.file, row.offset, row.time));
        direct.sort_by_key(|row| (row.file, row.time));
        let mut dirty = std::mem::take(&mut log.dirty);
        dirty
            .iter_mut()
            .for_each(|row| row.file = same[row.file as usize]);
        dirty.sort_by_key(|row| (row.file, row.page, row.time));
        let mut created = Vec::new();
        for row in std::mem::take(&mut log.created) {
            let (name, inode) = log.files[row.file as usize];
            let volume = volume_of(name, inode, volumes, inodes);
            if let Some(block) = volume.and_then(|volume| volumes.list[volume as usize].block) {
                add_pages(&mut created, &row, block * SECTOR, same[row.file as usize]);
            }
        }
        created.sort_by_key(|row| (row.file, row.page, row.time));
        let touched = std::mem::take(&mut log.touched).into_iter();
        Writers {
            used: vec![false; dirty.len()],
            dirty,
            folios,
            direct,
            created,
            touched: touched
                .map(|(file, task)| (same[file as usize], task))
                .collect(),
            files,
        }
    }

    pub fn file(&self, volume: u32, inode: u64) -> Option<u32> {
        self.files.get(&(volume, inode)).copied()
    }

    /// The last row of a page up to `time`, and the last that is not of a thread of the kernel.
    fn last_rows(&self, file: u32, page: u32, time: u64, tasks: &Tasks) -> Option<Rows> {
        let key = |row: &DirtyRow| (row.file, row.page, row.time);
        let end = self
            .dirty
            .partition_point(|row| key(row) <= (file, page, time));
        let last = end.checked_sub(1)?;
        let rows = self.dirty[..end].iter().enumerate().rev().take(MAX_STEPS);
        let mut rows = rows.take_while(|(_, row)| (row.file, row.page) == (file, page));
        let is_user = |row: &(usize, &DirtyRow)| !tasks.is_kernel(row.1.task);
        let found = (self.dirty[last].file, self.dirty[last].page) == (file, page);
        found.then(|| Rows {
            last,
            user: rows.find(is_user).map(|row| row.0),
        })
    }

    /// The row of the page that a folio with `page` begins with.
    fn folio_rows(&self, file: u32, page: u32, time: u64, tasks: &Tasks) -> Option<Rows> {
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
            .find_map(|page| self.last_rows(file, page, time, tasks))
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

    /// Bytes that direct I/O of the submitter carries from an offset on, if it does.
    pub fn direct_length(
        &self,
        file: u32,
        offset: u64,
        by: Submitted,
        tasks: &Tasks,
    ) -> Option<u64> {
        let time = by.time.saturating_add(ROUNDING);
        let row = self.direct_row(file, offset, Submitted { time, ..by }, tasks)?;
        let end = row.offset.saturating_add(row.length.into());
        end.checked_sub(offset)
    }

    /// The writer of a page of a file's data, or [`NO_TASK`].
    pub fn page(&mut self, file: Option<u32>, page: u32, by: Submitted, tasks: &Tasks) -> u32 {
        let time = by.time.saturating_add(ROUNDING);
        let rows = file.and_then(|file| {
            self.last_rows(file, page, time, tasks)
                .or_else(|| self.folio_rows(file, page, time, tasks))
        });
        let by = Submitted { time, ..by };
        let direct = file.and_then(|file| self.direct_row(file, u64::from(page) * PAGE, by, tasks));
        if let Some(direct) = direct
            && rows.is_none_or(|rows| self.dirty[rows.last].time < direct.time)
        {
            return direct.task;
        }
        // Without events of direct I/O, a page that no task dirtied since its last write is
        // written past the page cache, by the task that queued it.
        let user = !tasks.is_kernel(by.task) && by.task != NO_TASK;
        let past_cache = user && self.direct.is_empty() && !self.dirty.is_empty();
        let Some(rows) = rows.filter(|rows| !self.used[rows.last] || !past_cache) else {
            return if past_cache { by.task } else { NO_TASK };
        };
        self.used[rows.last] = true;
        match rows.user {
            Some(row) => self.dirty[row].task,
            // The journal's thread dirties pages again that it has journaled.
            None => self.created_by(rows.last, time),
        }
    }

    /// The only task that changed the file of a row; else the one that got the block of its page,
    /// if the page was not written since.
    fn created_by(&self, last: usize, time: u64) -> u32 {
        let row = self.dirty[last];
        let page = (row.file, row.page);
        if let Some(&only) = self.touched.get(&row.file).filter(|&&only| only != NO_TASK) {
            return only;
        }
        let end = self
            .created
            .partition_point(|row| (row.file, row.page, row.time) <= (page.0, page.1, time));
        let before = last.checked_sub(1).map(|before| &self.dirty[before]);
        let before = before.filter(|row| (row.file, row.page) == page);
        let created = end.checked_sub(1).map(|last| &self.created[last]);
        let fresh = |row: &&DirtyRow| before.is_none_or(|before| before.time < row.time);
        created
            .filter(|row| (row.file, row.page) == page)
            .filter(fresh)
            .map_or(NO_TASK, |row| row.task)
    }

    /// The task that dirtied a page of metadata, or [`NO_TASK`].
    pub fn metadata_page(&self, file: Option<u32>, page: u32, by: Submitted, tasks: &Tasks) -> u32 {
        let time = by.time.saturating_add(ROUNDING);
        let rows = file.and_then(|file| self.last_rows(file, page, time, tasks));
        rows.map_or(NO_TASK, |rows| self.dirty[rows.last].task)
    }
}

/// The file system that an event means; of several with one number, the one whose map has the
/// inode.
fn volume_of(name: Named, inode: u64, volumes: &Volumes, inodes: &[Inodes]) -> Option<u32> {
    let mut found = volumes.of_event(name);
    if found.len() > 1 {
        let device = |&volume: &u32| u64::from(volumes.list[volume as usize].device.0) == inode;
        if let Some(volume) = found.iter().copied().find(|volume| device(volume)) {
            return Some(volume);
        }
        found.retain(|&volume| inodes[volume as usize].has(inode));
    }
    single(found)
}

/// Adds the pages of new blocks.
fn add_pages(pages: &mut Vec<DirtyRow>, row: &SpanRow, block: u64, file: u32) {
    let first = row.offset.saturating_mul(block) / PAGE;
    let length = u64::from(row.length).saturating_mul(block);
    for page in first..first.saturating_add(length.div_ceil(PAGE)) {
        let Some(page) = u32::try_from(page)
            .ok()
            .filter(|_| pages.len() < MAX_CREATED)
        else {
            return;
        };
        pages.push(DirtyRow {
            time: row.time,
            file,
            page,
            task: row.task,
        });
    }
}
