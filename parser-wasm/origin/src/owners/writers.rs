//! Whose data a write carries: the task that dirtied a page last, or that began direct I/O.

use super::changes::single;
use super::inodes::Inodes;
use super::volumes::Volumes;
use crate::events::VolumeName;
use crate::events::log::{DirtyRow, EventLog, SpanRow};
use crate::map::btrfs::plain_inode;
use crate::ranges::SECTOR;
use crate::tasks::{NO_TASK, TaskTable};
use rustc_hash::FxHashMap;
use seekscope_trace::store::ObjectKind;
use std::cell::Cell;
use std::ops::Range;

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
    /// Whether it may be direct I/O; journaled data is none.
    pub direct: bool,
}

/// Rows sorted by file, and where those of each file begin.
#[derive(Debug)]
struct ByFile<R> {
    rows: Vec<R>,
    /// One more at the end.
    starts: Vec<u32>,
}

impl<R> ByFile<R> {
    fn new(rows: Vec<R>, files: usize, file: impl Fn(&R) -> u32) -> ByFile<R> {
        let mut starts = Vec::with_capacity(files + 1);
        for (i, row) in (0..).zip(&rows) {
            while starts.len() <= file(row) as usize {
                starts.push(i);
            }
        }
        starts.resize(files + 1, rows.len() as u32);
        ByFile { rows, starts }
    }

    fn range(&self, file: u32) -> Range<usize> {
        let start = |file: usize| self.starts.get(file).map_or(0, |&start| start as usize);
        start(file as usize)..start(file as usize + 1)
    }

    fn of_file(&self, file: u32) -> &[R] {
        self.rows.get(self.range(file)).unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// The last rows of a page.
#[derive(Clone, Copy, Debug)]
struct PageRows {
    last: usize,
    /// The last one of a program.
    user: Option<usize>,
}

#[derive(Debug)]
pub struct Writers {
    /// By file, page and time.
    dirty: ByFile<DirtyRow>,
    /// Whether a row's page was written since.
    used: Vec<bool>,
    /// By file, offset and time.
    folios: ByFile<SpanRow>,
    /// By file and time.
    direct: ByFile<SpanRow>,
    /// New blocks of files, as pages: by file, page and time.
    created: ByFile<DirtyRow>,
    /// The only task that changed a file, or [`NO_TASK`].
    touched: FxHashMap<u32, u32>,
    /// The files of inodes, by file system.
    files: FxHashMap<(u32, u64), u32>,
    /// The row that was found last: pages are asked for one after the other.
    near: Cell<usize>,
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
        for file in shared_inodes(log, volumes) {
            files.remove(&file);
        }
        let spans = |rows: &mut Vec<SpanRow>| {
            let mut rows = std::mem::take(rows);
            let file = |row: &mut SpanRow| row.file = same[row.file as usize];
            rows.iter_mut().for_each(file);
            rows
        };
        let (mut folios, mut direct) = (spans(&mut log.folios), spans(&mut log.direct));
        folios.sort_unstable_by_key(|row| (row.file, row.offset, row.time));
        direct.sort_unstable_by_key(|row| (row.file, row.time));
        let mut dirty = std::mem::take(&mut log.dirty);
        dirty
            .iter_mut()
            .for_each(|row| row.file = same[row.file as usize]);
        dirty.sort_unstable_by_key(|row| (row.file, row.page, row.time));
        let mut created = Vec::new();
        for row in std::mem::take(&mut log.created) {
            let (name, inode) = log.files[row.file as usize];
            let volume = volume_of(name, inode, volumes, inodes);
            if let Some(block) = volume.and_then(|volume| volumes.list[volume as usize].block) {
                add_pages(&mut created, &row, block * SECTOR, same[row.file as usize]);
            }
        }
        created.sort_unstable_by_key(|row| (row.file, row.page, row.time));
        let touched = std::mem::take(&mut log.touched).into_iter();
        let count = log.files.len();
        Writers {
            used: vec![false; dirty.len()],
            dirty: ByFile::new(dirty, count, |row| row.file),
            folios: ByFile::new(folios, count, |row| row.file),
            direct: ByFile::new(direct, count, |row| row.file),
            created: ByFile::new(created, count, |row| row.file),
            near: Cell::new(0),
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
    fn last_rows(&self, file: u32, page: u32, time: u64, tasks: &TaskTable) -> Option<PageRows> {
        let of_file = self.dirty.range(file);
        let before = |row: &DirtyRow| (row.page, row.time) <= (page, time);
        let rows = &self.dirty.rows;
        let near = self.near.get();
        let mut from = of_file.start;
        let mut end = of_file.end;
        // The rows of the next page mostly follow those of the last one.
        if of_file.contains(&near) && before(&rows[near]) {
            from = near;
            let mut step = 1;
            while near + step < end && before(&rows[near + step]) {
                from = near + step;
                step *= 2;
            }
            end = end.min(near + step);
        }
        let end = from + rows[from..end].partition_point(before);
        let last = end.checked_sub(1).filter(|&last| last >= of_file.start)?;
        self.near.set(last);
        if rows[last].page != page {
            return None;
        }
        let mut same = (of_file.start..end).rev().take(MAX_STEPS);
        let is_user = |&row: &usize| !tasks.is_kernel(rows[row].task);
        let user = same.find(|row| rows[*row].page != page || is_user(row));
        Some(PageRows {
            last,
            user: user.filter(|&row| rows[row].page == page),
        })
    }

    /// The row of the page that a folio with `page` begins with.
    fn folio_rows(&self, file: u32, page: u32, time: u64, tasks: &TaskTable) -> Option<PageRows> {
        let offset = u64::from(page) * PAGE;
        let folios = self.folios.of_file(file);
        let end = folios.partition_point(|row| row.offset <= offset);
        let covers = |row: &&SpanRow| {
            row.time <= time && row.offset.saturating_add(row.length.into()) > offset
        };
        let folio = folios[..end].iter().rev().take(MAX_SPANS).find(covers)?;
        let first = u32::try_from(folio.offset / PAGE).ok()?;
        (first..page)
            .rev()
            .find_map(|page| self.last_rows(file, page, time, tasks))
    }

    /// The task whose direct I/O covers a byte, and when it began.
    fn direct_row(
        &self,
        file: u32,
        offset: u64,
        submitted: Submitted,
        tasks: &TaskTable,
    ) -> Option<SpanRow> {
        let direct = self.direct.of_file(file);
        let end = direct.partition_point(|row| row.time <= submitted.time);
        let pid = tasks.tasks.get(submitted.task as usize)?.pid;
        let mut rows = direct[..end].iter().rev().take(MAX_SPANS);
        let covers = |row: &&SpanRow| {
            let behind = offset.checked_sub(row.offset);
            let task = tasks.tasks.get(row.task as usize);
            behind.is_some_and(|behind| behind < row.length.into())
                && task.is_some_and(|task| task.pid == pid)
        };
        rows.find(covers).copied()
    }

    /// Bytes that direct I/O of the submitter carries from an offset on, if it does.
    pub fn direct_length(
        &self,
        file: u32,
        offset: u64,
        submitted: Submitted,
        tasks: &TaskTable,
    ) -> Option<u64> {
        let time = submitted.time.saturating_add(ROUNDING);
        let row = self.direct_row(file, offset, Submitted { time, ..submitted }, tasks)?;
        let end = row.offset.saturating_add(row.length.into());
        end.checked_sub(offset)
    }

    /// The writer of a page of a file's data, or [`NO_TASK`].
    pub fn page(
        &mut self,
        file: Option<u32>,
        page: u32,
        submitted: Submitted,
        tasks: &TaskTable,
    ) -> u32 {
        let time = submitted.time.saturating_add(ROUNDING);
        let rows = file.and_then(|file| {
            self.last_rows(file, page, time, tasks)
                .or_else(|| self.folio_rows(file, page, time, tasks))
        });
        let submitted = Submitted { time, ..submitted };
        let direct =
            file.and_then(|file| self.direct_row(file, u64::from(page) * PAGE, submitted, tasks));
        if let Some(direct) = direct
            && rows.is_none_or(|rows| self.dirty.rows[rows.last].time < direct.time)
        {
            return direct.task;
        }
        // Without events of direct I/O, a page that no task dirtied since its last write is
        // written past the page cache, by the task that queued it.
        let user = !tasks.is_kernel(submitted.task) && submitted.task != NO_TASK;
        let past_cache =
            user && submitted.direct && self.direct.is_empty() && !self.dirty.is_empty();
        let Some(rows) = rows.filter(|rows| !self.used[rows.last] || !past_cache) else {
            return if past_cache { submitted.task } else { NO_TASK };
        };
        self.used[rows.last] = true;
        match rows.user {
            Some(row) => self.dirty.rows[row].task,
            // The journal's thread dirties pages again that it has journaled.
            None => self.created_by(rows.last, time),
        }
    }

    /// The only task that changed the file of a row; else the one that got the block of its page,
    /// if the page was not written since.
    fn created_by(&self, last: usize, time: u64) -> u32 {
        let row = self.dirty.rows[last];
        if let Some(&only) = self.touched.get(&row.file).filter(|&&only| only != NO_TASK) {
            return only;
        }
        let before = last.checked_sub(1).map(|before| &self.dirty.rows[before]);
        let before = before.filter(|before| (before.file, before.page) == (row.file, row.page));
        let created = self.created.of_file(row.file);
        let end = created.partition_point(|other| (other.page, other.time) <= (row.page, time));
        let created = end.checked_sub(1).map(|last| &created[last]);
        let fresh = |row: &&DirtyRow| before.is_none_or(|before| before.time < row.time);
        created
            .filter(|created| created.page == row.page)
            .filter(fresh)
            .map_or(NO_TASK, |row| row.task)
    }

    /// The task that dirtied a page of metadata, or [`NO_TASK`].
    pub fn metadata_page(
        &self,
        file: Option<u32>,
        page: u32,
        submitted: Submitted,
        tasks: &TaskTable,
    ) -> u32 {
        let time = submitted.time.saturating_add(ROUNDING);
        let rows = file.and_then(|file| self.last_rows(file, page, time, tasks));
        rows.map_or(NO_TASK, |rows| self.dirty.rows[rows.last].task)
    }
}

/// The file system that an event means; of several with one number, the one whose map has the
/// inode.
fn volume_of(name: VolumeName, inode: u64, volumes: &Volumes, inodes: &[Inodes]) -> Option<u32> {
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

/// Numbers of inodes that several subvolumes of a btrfs have: events of the page cache do not say
/// which of them they mean.
fn shared_inodes(log: &EventLog, volumes: &Volumes) -> Vec<(u32, u64)> {
    let mut inodes_by_file: FxHashMap<(u32, u64), u64> = FxHashMap::default();
    let mut shared = Vec::new();
    for subject in &log.subjects {
        let Some(volume) = single(volumes.of_event(subject.volume)) else {
            continue;
        };
        let file = subject.kind == ObjectKind::File;
        if file && volumes.list[volume as usize].kind == "btrfs" {
            let inode = (volume, plain_inode(subject.inode));
            if *inodes_by_file.entry(inode).or_insert(subject.inode) != subject.inode {
                shared.push(inode);
            }
        }
    }
    shared
}
