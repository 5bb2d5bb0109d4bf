//! Commands of the nvme, scsi, ufs and mmc drivers, from the trace points below the block layer.
//! Where a recording has block events too, those are the requests, and the commands of the drivers
//! are only counted: each request has one. In a recording without block events the commands are the
//! requests: D when a command was given to the device, C when it was done.

mod accounting;
mod blocks;
mod embedded;
pub mod nvme;
mod requests;
pub mod scsi;
#[cfg(test)]
mod tests;
mod text;

pub use requests::OtherRequests;
pub use text::{DriverLine, read};

use super::Record;
use super::block_event::{SeenActions, impossible_length};
use super::named::NamedDevices;
use super::number_outliers::EventNumber;
use blocks::BlockSizes;
use rustc_hash::FxHashMap;
use seekscope_trace::driver_counts::DriverCounts;
use seekscope_trace::event::{Action, Event, EventDetail, Flags};
use seekscope_trace::limits::{MAX_EXACT, MAX_TIME};
use std::borrow::Cow;

/// Events of drivers that are held until it is known whether there are block events.
const HELD: usize = 1 << 16;
/// Limit for the commands in flight that are followed.
const OPEN: usize = 1 << 16;
/// Bytes of a command that are kept.
const COMMAND: usize = 32;
/// Sectors of a logical block of UFS.
const UFS_BLOCK: u64 = 8;
/// A logical block, where nothing else is known.
pub const BLOCK: u64 = 512;

/// A tracepoint of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverPoint {
    NvmeSetup,
    NvmeComplete,
    ScsiStart,
    ScsiDone,
    /// The host refused the command.
    ScsiError,
    ScsiTimeout,
    MmcStart,
    MmcDone,
    /// Both ends of commands of ufs.
    Ufs,
}

impl DriverPoint {
    /// The tracepoint of this name.
    pub fn named(name: &[u8]) -> Option<DriverPoint> {
        Some(match name {
            // The second name was used until 4.17.
            b"nvme_setup_cmd" | b"nvme_setup_nvm_cmd" => DriverPoint::NvmeSetup,
            b"nvme_complete_rq" => DriverPoint::NvmeComplete,
            b"scsi_dispatch_cmd_start" => DriverPoint::ScsiStart,
            b"scsi_dispatch_cmd_done" => DriverPoint::ScsiDone,
            b"scsi_dispatch_cmd_error" => DriverPoint::ScsiError,
            b"scsi_dispatch_cmd_timeout" => DriverPoint::ScsiTimeout,
            b"mmc_request_start" => DriverPoint::MmcStart,
            b"mmc_request_done" => DriverPoint::MmcDone,
            b"ufshcd_command" => DriverPoint::Ufs,
            _ => return None,
        })
    }

    /// Whether it is read from text only.
    pub fn is_of_text(self) -> bool {
        use DriverPoint::{MmcDone, MmcStart, Ufs};
        matches!(self, MmcStart | MmcDone | Ufs)
    }

    /// Whether it is a tracepoint of nvme.
    pub fn is_nvme(self) -> bool {
        matches!(self, DriverPoint::NvmeSetup | DriverPoint::NvmeComplete)
    }
}

/// The meaning of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverCommand {
    /// First logical block and number of blocks; `None` for a flush, and where the command does not
    /// have them.
    pub place: Option<(u64, u64)>,
    pub flags: Flags,
    /// The place may be in logical blocks of UFS, the length is in sectors.
    is_ufs: bool,
    /// Its first bytes, for passthrough requests.
    bytes: [u8; COMMAND],
    length: u8,
}

impl DriverCommand {
    /// A flush.
    pub const FLUSH: DriverCommand = DriverCommand {
        place: None,
        flags: Flags(Flags::READ.0 | Flags::FLUSH.0 | Flags::FS.0),
        is_ufs: false,
        bytes: [0; COMMAND],
        length: 0,
    };

    /// A read or write of sectors.
    pub fn on_sectors(first: u64, sectors: u64, flags: Flags) -> DriverCommand {
        DriverCommand {
            place: Some((first, sectors)),
            flags: flags | Flags::FS,
            ..DriverCommand::FLUSH
        }
    }

    /// A command without a place, shown by its bytes.
    pub fn passthrough(flags: Flags, command: &[u8]) -> DriverCommand {
        let mut bytes = [0; COMMAND];
        let length = command.len().min(COMMAND);
        bytes[..length].copy_from_slice(&command[..length]);
        DriverCommand {
            place: None,
            flags: flags | Flags::PC,
            is_ufs: false,
            bytes,
            length: length as u8,
        }
    }
}

/// The event of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandStep {
    Started,
    /// Ended, with 0 or a negative errno.
    Done(i16),
    /// The kernel issues the command again.
    Refused,
    TimedOut,
}

/// When, by which task and on which CPU an event occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommandMoment {
    pub time: u64,
    pub pid: u32,
    pub cpu: u32,
}

/// An event of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverEvent<'a> {
    pub step: CommandStep,
    /// Name of the namespace, or address of the disk.
    pub device: Cow<'a, [u8]>,
    /// The command's identity while it is in flight.
    pub key: (u64, u64),
    /// The meaning of the command; `None` if the event does not have it, or if the tool that
    /// printed it did not decode it.
    pub command: Option<DriverCommand>,
}

/// Whether the commands are the requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CommandRole {
    /// No block event was seen so far, so both are possible.
    #[default]
    Undecided,
    /// The commands are the requests.
    Requests,
    /// There are block events, so commands are only counted.
    Counted,
}

/// Takes the events of drivers in the order of their times.
#[derive(Clone, Debug, Default)]
pub struct DriverCommands {
    role: CommandRole,
    held: Vec<(Event, DriverCommand)>,
    names: NamedDevices,
    open: FxHashMap<(u64, u64), (u64, Option<DriverCommand>)>,
    counts: DriverCounts,
    blocks: BlockSizes,
    /// Places of ufs are in its logical blocks.
    has_ufs_blocks: bool,
}

impl DriverCommands {
    /// Takes an event of other requests; returns whether that counts.
    fn block_event(&mut self) -> bool {
        if self.role == CommandRole::Undecided {
            self.role = CommandRole::Counted;
            self.held = Vec::new();
        }
        self.role == CommandRole::Counted
    }

    /// The counts so far.
    pub fn counts(&self) -> DriverCounts {
        DriverCounts {
            requests: self.role == CommandRole::Requests,
            ..self.counts
        }
    }

    /// An event whose command was not decoded.
    pub fn undecoded(&mut self) {
        self.counts.undecoded += 1;
    }

    /// The number of an event that cannot be, if one is: its time, the length of its command, or
    /// the time that the command took. What has one is neither counted nor a request.
    fn outlier(
        &mut self,
        event: &DriverEvent<'_>,
        moment: CommandMoment,
    ) -> Option<(EventNumber, u64)> {
        if moment.time > MAX_TIME {
            return Some((EventNumber::Time, moment.time));
        }
        let length = event
            .command
            .and_then(|command| impossible_length(command.place?.1, BLOCK));
        if let Some(length) = length {
            return Some((EventNumber::Length, length));
        }
        let &(start, _) = self.open.get(&event.key)?;
        let ends = event.step != CommandStep::Started;
        (ends && moment.time.saturating_sub(start) > MAX_EXACT).then(|| {
            self.open.remove(&event.key);
            (EventNumber::Time, moment.time)
        })
    }

    /// Takes an event; returns the number for which it was left out, if it was.
    pub fn take(
        &mut self,
        point: DriverPoint,
        event: &DriverEvent<'_>,
        moment: CommandMoment,
        seen: &mut SeenActions,
        sink: &mut impl FnMut(Record<'_>),
    ) -> Option<(EventNumber, u64)> {
        if let Some(outlier) = self.outlier(event, moment) {
            return Some(outlier);
        }
        let counts = &mut self.counts;
        let (action, error, started) = match event.step {
            CommandStep::TimedOut => {
                counts.timed_out += 1;
                return None;
            }
            CommandStep::Started => {
                match point {
                    _ if point.is_nvme() => counts.nvme += 1,
                    DriverPoint::MmcStart => counts.mmc += 1,
                    _ => counts.scsi += 1,
                }
                if self.open.len() < OPEN || self.open.contains_key(&event.key) {
                    self.open.insert(event.key, (moment.time, event.command));
                }
                let scales = !point.is_of_text();
                let place = event.command.and_then(|command| command.place);
                if let Some((first, blocks)) = place.filter(|_| scales) {
                    self.blocks.command(&event.device, first, blocks);
                }
                (Action::Issue, 0, None)
            }
            CommandStep::Refused => {
                counts.refused += 1;
                (Action::Requeue, 0, self.open.remove(&event.key))
            }
            CommandStep::Done(error) => {
                let started = self.open.remove(&event.key);
                if let Some((start, _)) = started {
                    let took = moment.time.saturating_sub(start);
                    counts.completed += 1;
                    counts.total_ns = counts.total_ns.saturating_add(took);
                    counts.longest_ns = counts.longest_ns.max(took);
                } else {
                    counts.unmatched += 1;
                }
                counts.failed += u64::from(error != 0);
                (Action::Complete, error, started)
            }
        };
        let command = event.command.or(started.and_then(|s| s.1))?;
        if self.role == CommandRole::Counted {
            return None;
        }
        let (first, blocks) = command.place.unwrap_or((0, 0));
        // Not all of many places are multiples of 4 KiB in sectors, unless they are in sectors.
        self.has_ufs_blocks |= command.is_ufs && first % UFS_BLOCK != 0;
        let bytes = (blocks * BLOCK) as u32;
        let (device, sector) = (
            self.names.number(&event.device),
            first.saturating_mul(BLOCK / 512),
        );
        let (CommandMoment { time, pid, cpu }, flags, detail) =
            (moment, command.flags, EventDetail::None);
        let made = Event {
            time,
            sector,
            bytes,
            action,
            flags,
            pid,
            device,
            cpu,
            sequence: 0,
            error,
            detail,
        };
        if self.role == CommandRole::Undecided && self.held.len() < HELD {
            self.held.push((made, command));
            return None;
        }
        self.release(seen, sink);
        self.emit(made, &command, seen, sink);
        None
    }

    /// Emits the commands as requests, because no block event will come.
    fn release(&mut self, seen: &mut SeenActions, sink: &mut impl FnMut(Record<'_>)) {
        self.role = CommandRole::Requests;
        for (event, command) in std::mem::take(&mut self.held) {
            self.emit(event, &command, seen, sink);
        }
    }

    fn emit(
        &self,
        mut event: Event,
        command: &DriverCommand,
        seen: &mut SeenActions,
        sink: &mut impl FnMut(Record<'_>),
    ) {
        if command.is_ufs && self.has_ufs_blocks {
            event.sector = event.sector.saturating_mul(UFS_BLOCK);
        }
        seen.note(event.action);
        match command.length {
            0 => sink(Record::Event(event)),
            n => sink(Record::Command(event, &command.bytes[..usize::from(n)])),
        }
    }

    /// Ends the file.
    pub fn finish(&mut self, seen: &mut SeenActions, sink: &mut impl FnMut(Record<'_>)) {
        if !self.held.is_empty() {
            self.release(seen, sink);
        }
        if self.role == CommandRole::Requests {
            self.names.finish(sink);
        }
    }
}

/// The name of a namespace of which no disk is given.
fn namespace(controller: u64, id: u64) -> Vec<u8> {
    format!("nvme{controller}n{id}").into_bytes()
}

/// An event of nvme. `None` for commands of the controller, which are on queue 0.
pub fn nvme_event<'a>(
    disk: &'a [u8],
    [controller, queue, id, namespace_id]: [u64; 4],
    step: CommandStep,
    command: Option<DriverCommand>,
) -> Option<DriverEvent<'a>> {
    let device = if disk.is_empty() {
        Cow::Owned(namespace(controller, namespace_id))
    } else {
        Cow::Borrowed(disk)
    };
    let key = (controller << 32 | queue << 16 | id & 0xffff, u64::MAX);
    (queue > 0).then_some(DriverEvent {
        step,
        device,
        key,
        command,
    })
}

/// An event of scsi; `tag` is that of the driver, if the kernel has it.
pub fn scsi_event(
    address: [u64; 4],
    tag: Option<u64>,
    step: CommandStep,
    command: Option<DriverCommand>,
) -> DriverEvent<'static> {
    let [host, channel, id, lun] = address;
    let disk = host << 48 ^ channel << 40 ^ id << 24 ^ lun;
    // Without a tag, a command is identified by what it does.
    let place = || {
        command
            .and_then(|c| c.place)
            .map_or(u64::MAX - 1, |(first, blocks)| first << 16 ^ blocks)
    };
    let device = Cow::Owned(format!("{host}:{channel}:{id}:{lun}").into_bytes());
    DriverEvent {
        step,
        device,
        key: (disk, tag.unwrap_or_else(place)),
        command,
    }
}
