//! A trace in time order, and the tables that its rows index.

mod blocks;
mod calls;
mod ended;
pub mod events;
pub mod lanes;
pub mod memory;
pub mod object_groups;
mod objects;
mod packed;
pub mod parents;
pub mod quality;
pub mod recorded;
pub mod requests;
mod row_numbers;
pub mod rows;
mod sequences;
mod stacks;
pub mod stages;
mod window;

pub use blocks::BLOCK;
pub use calls::{Call, Calls, NO_CALL, NO_END, NO_FD};
pub use ended::EndedUnseen;
pub use events::{Effect, EventKind, EventPiece, EventRow, Events, EventsByKind, KindRows};
pub use lanes::Lanes;
pub use object_groups::writers::WriterGroups;
pub use object_groups::{GroupMeaning, ObjectGroups};
pub use objects::{
    FileSystem, MapFacts, NO_OBJECT, NO_OFFSET, NO_WRITERS, Object, ObjectKind, ObjectPart,
    Objects, TaskName, UnknownObject,
};
pub use parents::{ParentTallies, ParentTally, Parents, StackLayer};
pub use quality::{
    BlockSource, ClockDoubt, LogicalBlock, LossEvidence, LossInterval, TraceQuality,
    UnmatchedCounts, Warning,
};
pub use recorded::{RecordedActions, RowMeaning};
pub use requests::packed_request::UNKNOWN_SPAN;
pub use requests::request_row::{RequestChunk, RequestPiece, RequestRow};
pub use requests::stored_request::{RequestKind, StoredRequest};
pub use requests::{RequestSpans, Requests};
pub use row_numbers::RowNumbers;
pub use stacks::{CallStacks, NO_FRAME, RequestStacks, StackEvent, StackFrame};
pub use stages::{BioStages, Stage, StageTally};
pub use window::TimeWindow;

use crate::capabilities::Capabilities;
use crate::event::DeviceNumber;
use serde::{Deserialize, Serialize};

/// The position of a device in the storage stack. Decided by its events, not by its major number:
/// drivers choose those freely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[doc(alias = "DeviceRole")]
pub enum Role {
    /// It issues requests to a driver (D).
    #[default]
    Disk,
    /// No D; its bios go on to the device below, unchanged in number (dm linear, a partition).
    Remapped,
    /// No D; it turns bios into others (md).
    Stacked,
}

impl Role {
    /// The name in JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            Role::Disk => "disk",
            Role::Remapped => "remapped",
            Role::Stacked => "stacked",
        }
    }
}

/// Sizes and types, in sectors of 512 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zones {
    /// Size of a zone; more than 0.
    pub sectors: u64,
    /// First and last sector of what may be written anywhere, ascending; absent if the types of
    /// zones are not known.
    pub conventional: Option<Vec<(u64, u64)>>,
}

impl Zones {
    /// Whether a sector is in a zone that may be written anywhere.
    pub fn is_conventional(&self, sector: u64) -> bool {
        let ranges = self.conventional.as_deref().unwrap_or_default();
        let after = ranges.partition_point(|range| range.0 <= sector);
        after.checked_sub(1).is_some_and(|i| sector <= ranges[i].1)
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Device {
    /// The kernel's number of the device.
    pub number: DeviceNumber,
    /// Base name of its files when they are named after a device; else `major,minor`.
    pub name: String,
    /// The role; final once the trace is complete.
    pub role: Role,
    pub events: u64,
    /// The actions of its events.
    pub recorded: RecordedActions,
    /// btt-compatible stage times, one sample a bio.
    pub bio_stages: BioStages,
    /// Numbers of unmatched events.
    pub unmatched: UnmatchedCounts,
    /// The zones of a zoned disk, if notes describe them.
    #[serde(skip)]
    pub zones: Option<Zones>,
    /// State at the start of event blocks in which it differs from the last entry: (block, depth,
    /// waiting).
    pub checkpoints: Vec<(u32, i32, i32)>,
}

/// A task that recorded events name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Process {
    /// Thread id.
    pub pid: u32,
    /// Last name a PROCESS record gave it; absent when none did.
    pub name: Option<String>,
    /// First name, where it is another one: blkparse prints it, though it can predate exec.
    pub first_name: Option<String>,
    /// Upper device (partition, dm, md) through which all of its bios came, when remaps name just
    /// one.
    pub via: Option<DeviceNumber>,
}

impl Process {
    /// Its name, or `pid 123` without one.
    pub fn label(&self) -> String {
        self.name
            .clone()
            .unwrap_or_else(|| format!("pid {}", self.pid))
    }
}

/// A message of a scheduler, md or user. Text is raw bytes as recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Time in ns since the trace's start.
    pub time: u64,
    pub cpu: u32,
    /// Index of the device in the store.
    pub device: u32,
    /// The task that was running.
    pub pid: u32,
    /// cgroup id, when flagged. Such messages are dropped by blkparse 1.2.0.
    pub cgroup: Option<u64>,
    /// Offset and length of the text in [`Messages::text`].
    pub text: (u32, u16),
}

/// All messages, in time order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Messages {
    pub rows: Vec<Message>,
    /// The texts of all rows, one after another.
    pub text: Vec<u8>,
}

impl Messages {
    /// Appends the messages that another worker read.
    pub fn append(&mut self, other: &mut Messages, numbers: &RowNumbers) {
        for row in &mut other.rows {
            row.device = numbers.device(row.device);
            row.text.0 += numbers.texts as u32;
        }
        self.rows.append(&mut other.rows);
        self.text.append(&mut other.text);
    }

    /// The messages that blkparse 1.2.0 does not drop.
    pub fn of_blkparse(&self) -> impl Iterator<Item = &Message> {
        self.rows.iter().filter(|message| message.cgroup.is_none())
    }

    /// The text of row `i`, with what is not UTF-8 replaced.
    pub fn text(&self, i: usize) -> String {
        let Some(row) = self.rows.get(i) else {
            return String::new();
        };
        let start = row.text.0 as usize;
        let end = start + usize::from(row.text.1);
        String::from_utf8_lossy(self.text.get(start..end).unwrap_or_default()).into_owned()
    }
}

/// A file of the trace.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// The name that the file has in the input.
    pub name: String,
    /// Number of bytes that were read.
    pub bytes: u64,
    /// Number of records that were decoded, notify records included.
    pub records: u64,
}

/// One trace. Times are ns since its first event or message.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// Name of the trace (base name of its files).
    pub name: String,
    /// The label that the names of the files suggest.
    pub label: String,
    /// `blktrace-v7`, `blktrace-v8`, `blktrace-v7+v8`, `blkparse-text`; empty while nothing was
    /// read.
    pub format: String,
    /// The fields and actions that its format has.
    pub capabilities: Capabilities,
    /// The files, by name.
    pub files: Vec<SourceFile>,
    /// Whether reading has finished.
    pub complete: bool,
    /// The part that was read, if not all.
    pub window: Option<TimeWindow>,
    /// The trace clock at time 0.
    pub origin: u64,
    /// Wall clock at time 0, ns since 1970.
    pub wall: Option<u64>,
    /// The events in time order.
    pub events: Events,
    /// The requests in time order.
    pub requests: Requests,
    /// The messages in time order.
    pub messages: Messages,
    /// Commands of passthrough events, one after another.
    pub commands: Vec<u8>,
    /// The devices in the order of their first events.
    pub devices: Vec<Device>,
    /// The tasks in the order of their first events.
    pub processes: Vec<Process>,
    /// What is missing or damaged.
    pub quality: TraceQuality,
    /// Counters next to the trace, and values of its tracepoints.
    pub lanes: Lanes,
    /// To what the sectors of requests belonged, if side files say it.
    pub objects: Option<Box<Objects>>,
    /// The same as groups, where there are objects.
    pub object_groups: ObjectGroups,
    /// Who wrote or read the data, where there are objects.
    pub writer_groups: WriterGroups,
    /// Which request of an upper device each request comes from, where devices are stacked.
    pub parents: Option<Box<Parents>>,
    /// In which system call or io_uring operation requests were queued, where events say it.
    pub calls: Option<Box<Calls>>,
    /// The call stacks of requests, where they were recorded.
    pub stacks: Option<Box<CallStacks>>,
}

impl Store {
    /// Time of the first event or message, ns.
    pub fn first(&self) -> Option<u64> {
        let event = (!self.events.is_empty()).then(|| self.events.time(0));
        event
            .into_iter()
            .chain(self.messages.rows.first().map(|message| message.time))
            .min()
    }

    /// The time that is 0 in blkparse and btt, ns. Times of a window are those of the recording.
    pub fn blkparse_zero(&self) -> u64 {
        if self.window.is_some() || self.events.is_empty() {
            return 0;
        }
        let message = self.messages.of_blkparse().next();
        message
            .map_or(u64::MAX, |message| message.time)
            .min(self.events.time(0))
    }

    /// Time of the last event, ns.
    pub fn span(&self) -> u64 {
        self.events
            .len()
            .checked_sub(1)
            .map_or(0, |last| self.events.time(last))
    }

    /// Requests in flight and bios waiting of `device` just before event `i`, from the nearest
    /// checkpoint on.
    pub fn state_before(&self, device: u32, i: usize) -> (i32, i32) {
        let block = i / BLOCK;
        let Some(d) = self.devices.get(device as usize) else {
            return (0, 0);
        };
        let after = d.checkpoints.partition_point(|c| c.0 as usize <= block);
        let (mut depth, mut waiting) = after
            .checked_sub(1)
            .map_or((0, 0), |c| (d.checkpoints[c].1, d.checkpoints[c].2));
        for j in block * BLOCK..i.min(self.events.len()) {
            if self.events.device(j) == device {
                let effect = self.events.effect(j);
                depth += effect.depth;
                waiting += effect.waiting;
            }
        }
        (depth, waiting)
    }

    /// Memory of the columns, bytes.
    pub fn memory(&self) -> usize {
        self.events.memory()
            + self.requests.memory()
            + self.messages.text.len()
            + self.commands.len()
            + self.messages.rows.len() * size_of::<Message>()
            + self.objects.as_deref().map_or(0, Objects::memory)
            + self.object_groups.memory()
            + self.writer_groups.memory()
            + self.parents.as_ref().map_or(0, |parents| parents.memory())
            + self.calls.as_ref().map_or(0, |calls| calls.memory())
            + self.stacks.as_deref().map_or(0, CallStacks::memory)
    }
}
