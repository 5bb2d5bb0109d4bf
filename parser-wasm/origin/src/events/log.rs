//! The events of a recording, compact, in tables that are sorted once.

use super::calls::CallLog;
use super::line;
use super::{EventParser, FsEvent, Line, PlaceUnit, VolumeName};
use crate::tasks::{NO_TASK, TaskTable};
use rustc_hash::FxHashMap;
use seekscope_trace::store::ObjectKind;

/// Rows of a table; later events are left out. 24 to 32 bytes each.
const MAX_ROWS: usize = 24 << 20;
/// Inodes that events name.
const MAX_SUBJECTS: usize = 16 << 20;

/// Why a place changes hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The place is the inode's.
    Mapped,
    /// It is, and its next write is of this event.
    Written,
    Freed,
    /// A tree block is new there.
    Tree,
}

/// What events are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    pub volume: VolumeName,
    pub inode: u64,
    pub kind: ObjectKind,
    pub change: Change,
    pub unit: PlaceUnit,
}

/// A place changes hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceRow {
    pub time: u64,
    pub start: u64,
    pub offset: u64,
    pub length: u32,
    pub subject: u32,
}

/// A task makes a page dirty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirtyRow {
    pub time: u64,
    /// Index of [`EventLog::files`].
    pub file: u32,
    pub page: u32,
    pub task: u32,
}

/// A range of a file: a dirty folio or direct I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanRow {
    pub time: u64,
    pub offset: u64,
    pub length: u32,
    pub file: u32,
    pub task: u32,
}

#[derive(Debug, Default)]
pub struct EventLog {
    pub subjects: Vec<Subject>,
    subject_numbers: FxHashMap<Subject, u32>,
    pub places: Vec<PlaceRow>,
    /// Volumes and inodes of the tables that follow.
    pub files: Vec<(VolumeName, u64)>,
    file_numbers: FxHashMap<(VolumeName, u64), u32>,
    pub dirty: Vec<DirtyRow>,
    pub folios: Vec<SpanRow>,
    pub direct: Vec<SpanRow>,
    /// In blocks: new blocks of files.
    pub created: Vec<SpanRow>,
    /// The only task of the programs that changed each file, or [`NO_TASK`] if there are several.
    pub touched: FxHashMap<u32, u32>,
    /// Volume, inode and time of removed names.
    pub unlinked: Vec<(VolumeName, u64, u64)>,
    /// Lines of ftrace.
    pub lines: u64,
    /// Times of the first and the last line.
    pub span: Option<(u64, u64)>,
    pub left_out: u64,
    pub calls: CallLog,
    parser: EventParser,
}

impl EventLog {
    /// Reads a line of text; false if it is none of ftrace.
    pub fn line(&mut self, text: &str, tasks: &mut TaskTable) -> bool {
        let Some(line) = line::parse(text) else {
            return false;
        };
        self.add_line(&line, tasks);
        true
    }

    /// Takes a line, which other formats have as a sample.
    pub fn add_line(&mut self, line: &Line<'_>, tasks: &mut TaskTable) {
        self.lines += 1;
        let (first, last) = self.span.unwrap_or((line.time, line.time));
        self.span = Some((first.min(line.time), last.max(line.time)));
        self.calls.add(line);
        let mut parser = std::mem::take(&mut self.parser);
        parser.parse(line, &mut |event| self.add(line, event, tasks));
        self.parser = parser;
        if line.name == "task_rename" {
            // Its line is of the old name.
            let name = line.fields.split_once("newcomm=").map(|(_, rest)| rest);
            let name = name.and_then(|rest| rest.rsplit_once(" oom_score_adj"));
            if let Some((name, _)) = name {
                tasks.task(line.pid, name);
            }
        }
    }

    fn subject(&mut self, subject: Subject) -> Option<u32> {
        if let Some(&number) = self.subject_numbers.get(&subject) {
            return Some(number);
        }
        if self.subjects.len() >= MAX_SUBJECTS {
            return None;
        }
        let number = self.subjects.len() as u32;
        self.subjects.push(subject);
        self.subject_numbers.insert(subject, number);
        Some(number)
    }

    fn file(&mut self, volume: VolumeName, inode: u64) -> Option<u32> {
        if let Some(&number) = self.file_numbers.get(&(volume, inode)) {
            return Some(number);
        }
        if self.files.len() >= MAX_SUBJECTS {
            return None;
        }
        let number = self.files.len() as u32;
        self.files.push((volume, inode));
        self.file_numbers.insert((volume, inode), number);
        Some(number)
    }

    fn place(&mut self, time: u64, subject: Subject, [offset, start, length]: [u64; 3]) {
        let room = self.places.len() < MAX_ROWS;
        let change = subject.change;
        let (Ok(length), Some(subject), true) =
            (u32::try_from(length), self.subject(subject), room)
        else {
            self.left_out += 1;
            return;
        };
        // A tree block has the length of a node, which a map knows.
        if length > 0 || change == Change::Tree {
            self.places.push(PlaceRow {
                time,
                start,
                offset,
                length,
                subject,
            });
        }
    }

    fn add(&mut self, line: &Line<'_>, event: FsEvent, tasks: &mut TaskTable) {
        let time = line.time;
        match event {
            FsEvent::Mapped {
                volume,
                kind,
                inode,
                offset,
                start,
                length,
                unit,
                written,
            } => {
                let change = if written {
                    Change::Written
                } else {
                    Change::Mapped
                };
                let subject = Subject {
                    volume,
                    inode,
                    kind,
                    change,
                    unit,
                };
                self.place(time, subject, [offset, start, length]);
            }
            FsEvent::Freed {
                volume,
                inode,
                start,
                length,
                unit,
            } => {
                let kind = ObjectKind::Free;
                let subject = Subject {
                    volume,
                    inode,
                    kind,
                    change: Change::Freed,
                    unit,
                };
                self.place(time, subject, [0, start, length]);
            }
            FsEvent::TreeBlock {
                volume,
                start,
                length,
                kind,
            } => {
                let (change, unit) = (Change::Tree, PlaceUnit::Bytes);
                let subject = Subject {
                    volume,
                    inode: 0,
                    kind,
                    change,
                    unit,
                };
                self.place(time, subject, [0, start, length]);
            }
            FsEvent::Unlinked { volume, inode } => {
                if self.unlinked.len() < MAX_ROWS {
                    self.unlinked.push((volume, inode, time));
                } else {
                    self.left_out += 1;
                }
            }
            _ => self.add_change_of_file(line, event, tasks),
        }
    }

    /// Adds an event about the contents of files.
    fn add_change_of_file(&mut self, line: &Line<'_>, event: FsEvent, tasks: &mut TaskTable) {
        let time = line.time;
        match event {
            FsEvent::Dirtied {
                volume,
                inode,
                page,
            } => {
                let task = tasks.task(line.pid, line.comm);
                let room = self.dirty.len() < MAX_ROWS;
                match (self.file(volume, inode), u32::try_from(page), room) {
                    (Some(file), Ok(page), true) => {
                        self.dirty.push(DirtyRow {
                            time,
                            file,
                            page,
                            task,
                        });
                    }
                    _ => self.left_out += 1,
                }
            }
            FsEvent::Created {
                volume,
                inode,
                offset,
                length,
            } if !TaskTable::is_kernel_name(line.comm) => {
                let created = (volume, inode, offset, length);
                self.left_out += self.span_row(line, created, tasks, |log| &mut log.created);
            }
            FsEvent::Touched { volume, inode } => self.touch(line, volume, inode, tasks),
            // Folios of one page need no row: the dirty event says it all.
            FsEvent::Folio {
                volume,
                inode,
                offset,
                length,
            } if length > 4096 => {
                let folio = (volume, inode, offset, length);
                self.left_out += self.span_row(line, folio, tasks, |log| &mut log.folios);
            }
            FsEvent::Direct {
                volume,
                inode,
                offset,
                length,
            } => {
                let direct = (volume, inode, offset, length);
                self.left_out += self.span_row(line, direct, tasks, |log| &mut log.direct);
            }
            _ => {}
        }
    }

    fn touch(&mut self, line: &Line<'_>, volume: VolumeName, inode: u64, tasks: &mut TaskTable) {
        if TaskTable::is_kernel_name(line.comm) {
            return;
        }
        let Some(file) = self.file(volume, inode) else {
            self.left_out += 1;
            return;
        };
        let task = tasks.task(line.pid, line.comm);
        let only = self.touched.entry(file).or_insert(task);
        if *only != task {
            *only = NO_TASK;
        }
    }

    /// Adds a row to a table of spans; 1 if there is no room.
    fn span_row(
        &mut self,
        line: &Line<'_>,
        (volume, inode, offset, length): (VolumeName, u64, u64, u64),
        tasks: &mut TaskTable,
        table: fn(&mut EventLog) -> &mut Vec<SpanRow>,
    ) -> u64 {
        let task = tasks.task(line.pid, line.comm);
        let Some(file) = self.file(volume, inode) else {
            return 1;
        };
        let rows = table(self);
        if rows.len() >= MAX_ROWS {
            return 1;
        }
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        rows.push(SpanRow {
            time: line.time,
            offset,
            length,
            file,
            task,
        });
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_fill_their_tables() {
        let mut log = EventLog::default();
        let mut tasks = TaskTable::default();
        let text = "a-7 [000] ..... 1.000001: writeback_dirty_folio: bdi 254:0: ino=5 index=2\n\
            a-7 [000] ..... 1.000002: ext4_free_blocks: dev 254,1 ino 5 mode 0 block 9 count 2 flags\n\
            a-7 [000] ..... 1.000003: ext4_unlink_enter: dev 254,1 ino 5 size 1 parent 2\n\
            a-7 [000] ..... 1.000004: task_rename: pid=7 oldcomm=a newcomm=b c oom_score_adj=0\n";
        text.lines()
            .for_each(|line| assert!(log.line(line, &mut tasks)));
        assert!(!log.line("# comment", &mut tasks));
        assert_eq!(
            (log.dirty.len(), log.places.len(), log.unlinked.len()),
            (1, 1, 1)
        );
        assert_eq!(log.span, Some((1_000_001_000, 1_000_004_000)));
        assert_eq!(tasks.tasks[tasks.last_of(7).unwrap() as usize].name, "b c");
    }
}
