//! What the kernel's block trace points mean, whether a tool printed them or their fields were read.

use super::Carries;
use super::rwbs;
use crate::event::{Action, Detail, DeviceNumber, Event, Flags};

/// What a trace point is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// One that blktrace has an action for.
    Known(Action, Shape),
    /// One of the block layer that blktrace has no action for: buffers, accounting, zone management.
    Noise,
    /// Any other.
    Foreign,
}

/// Which facts a trace point tells, as they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `dev RWBS sector + n [task]`, of a bio.
    Bio,
    /// `dev RWBS sector + n [error]`, of a bio.
    BioDone,
    /// `dev RWBS bytes (command) sector + n [prio] [task]`, of a request.
    Request,
    /// `dev RWBS (command) sector + n [prio] [error]`, of a request.
    RequestDone,
    /// `dev RWBS sector + n <- (dev) sector`, RWBS missing on some vendors' kernels.
    Remap,
    /// `dev RWBS sector / sector [task]`.
    Split,
    /// `[task]`, and a count when unplugged.
    Plug,
    /// `dev zone Z, BIO sector + n`.
    Zone,
}

/// The trace point of this name.
pub fn point(name: &[u8]) -> Point {
    use Action::*;
    let known = match name {
        b"block_bio_queue" => (Queue, Shape::Bio),
        b"block_getrq" => (GetRequest, Shape::Bio),
        b"block_sleeprq" => (SleepRequest, Shape::Bio),
        b"block_bio_backmerge" => (BackMerge, Shape::Bio),
        b"block_bio_frontmerge" => (FrontMerge, Shape::Bio),
        b"block_bio_bounce" => (Bounce, Shape::Bio),
        b"block_bio_complete" => (Complete, Shape::BioDone),
        b"block_rq_insert" => (Insert, Shape::Request),
        b"block_rq_issue" => (Issue, Shape::Request),
        b"block_rq_merge" => (BackMerge, Shape::Request),
        b"block_rq_complete" => (Complete, Shape::RequestDone),
        b"block_rq_requeue" => (Requeue, Shape::RequestDone),
        b"block_rq_abort" => (Abort, Shape::RequestDone),
        b"block_bio_remap" | b"block_rq_remap" => (Remap, Shape::Remap),
        b"block_split" => (Split, Shape::Split),
        b"block_plug" => (Plug, Shape::Plug),
        b"block_unplug" | b"block_unplug_io" => (Unplug, Shape::Plug),
        b"block_unplug_timer" => (UnplugTimer, Shape::Plug),
        b"disk_zone_wplug_add_bio" => (ZonePlug, Shape::Zone),
        b"blk_zone_wplug_bio" => (ZoneUnplug, Shape::Zone),
        // Beside block_rq_complete, which says the same with its length.
        b"block_rq_error" | b"block_io_start" | b"block_io_done" => return Point::Noise,
        b"blk_zone_append_update_request_bio" | b"blkdev_zone_mgmt" => return Point::Noise,
        _ if name.starts_with(b"block_") => return Point::Noise,
        _ => return Point::Foreign,
    };
    Point::Known(known.0, known.1)
}

/// What a trace point said; 0 or empty where it does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts<'a> {
    /// Device; 0,0 or [`DeviceNumber::NONE`] when there is none.
    pub device: DeviceNumber,
    /// Letters of operation and flags.
    pub letters: &'a [u8],
    /// First sector.
    pub sector: u64,
    /// Sectors.
    pub sectors: u64,
    /// Length in bytes, where it is told beside that in sectors.
    pub bytes: u64,
    /// Passthrough command in hex.
    pub command: &'a [u8],
    /// errno; a u16 in some kernels, where -5 is 65531.
    pub error: i64,
    /// Remap: upper device and sector there.
    pub from: (DeviceNumber, u64),
    /// Split: first sector of the remainder.
    pub remainder: u64,
    /// Unplug: requests released.
    pub released: u64,
}

impl Default for Facts<'_> {
    fn default() -> Self {
        let none = DeviceNumber::NONE;
        let (sector, sectors, bytes, error, remainder, released) = (0, 0, 0, 0, 0, 0);
        Facts { device: none, letters: b"", sector, sectors, bytes, command: b"", error, from: (none, 0), remainder, released }
    }
}

impl Facts<'_> {
    /// The event; time, pid and cpu are 0. Absent when the letters are none.
    #[inline]
    pub fn event(&self, action: Action, shape: Shape) -> Option<Event> {
        let n = self.sectors;
        let device = if self.device.0 == 0 { DeviceNumber::NONE } else { self.device };
        let (time, pid, cpu, sequence) = (0, 0, 0, 0);
        let (mut sector, mut bytes, mut detail) = (self.sector, n.saturating_mul(512), Detail::None);
        let flags = match shape {
            Shape::Bio | Shape::BioDone => rwbs::flags(self.letters, n)?,
            Shape::Request | Shape::RequestDone => {
                // Flushes and passthrough requests have no place when they are done.
                let placed = sector != u64::MAX;
                sector = if placed { sector } else { 0 };
                // Old kernels tell no bytes of file system requests; passthrough requests have no sectors.
                bytes = if self.bytes > 0 { self.bytes } else { bytes };
                let op = rwbs::flags(self.letters, if placed { n } else { 0 })?;
                // Newer kernels tell no command, and N for all passthrough.
                let other = self.letters.first() == Some(&b'N') && !op.has(Flags::WRITE_ZEROES);
                op | if other || !self.command.is_empty() { Flags::PC } else { Flags::FS }
            }
            Shape::Remap => {
                detail = Detail::Remap { from: self.from.0, to: device, sector: self.from.1 };
                if self.letters.is_empty() { Flags::READ } else { rwbs::flags(self.letters, n)? }
            }
            Shape::Split => {
                // The length is not told; what was split off lies in front of the remainder.
                let n = self.remainder.saturating_sub(sector);
                (bytes, detail) = (n.saturating_mul(512), Detail::Split(self.remainder));
                rwbs::flags(self.letters, n.max(1))?
            }
            Shape::Plug => {
                detail = if action == Action::Plug { Detail::None } else { Detail::Unplug(self.released) };
                Flags::READ
            }
            Shape::Zone => Flags::WRITE,
        };
        let (bytes, error) = (bytes.min(u64::from(u32::MAX)) as u32, self.error as i16);
        Some(Event { time, sector, bytes, action, flags, pid, device, cpu, sequence, error, detail })
    }
}

/// The actions that were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen(u32);

impl Seen {
    /// Notes one.
    #[inline]
    pub fn note(&mut self, action: Action) {
        self.0 |= 1 << action.code();
    }

    /// What the events can tell. Which trace points were enabled is not said: an action that never occurred may not have
    /// been recorded.
    pub fn carries(self) -> Carries {
        let groups: [(Carries, &[Action]); 9] = [
            (Carries::QUEUES, &[Action::Queue]),
            (Carries::MERGES, &[Action::BackMerge, Action::FrontMerge]),
            (Carries::ALLOCATIONS, &[Action::GetRequest]),
            (Carries::INSERTS, &[Action::Insert]),
            (Carries::COMPLETIONS, &[Action::Complete]),
            (Carries::REQUEUES, &[Action::Requeue]),
            (Carries::PLUGS, &[Action::Plug, Action::Unplug, Action::UnplugTimer]),
            // Since 2.6.39 one trace point stands for both.
            (Carries::UNPLUG_CAUSES, &[Action::UnplugTimer]),
            (Carries::REMAPS, &[Action::Remap, Action::Split]),
        ];
        let never = |actions: &[Action]| actions.iter().all(|a| self.0 & 1 << a.code() == 0);
        let always = Carries::ALL.without(Carries::SEQUENCES | Carries::MESSAGES | Carries::PLUG_DEVICES);
        groups.into_iter().filter(|g| never(g.1)).fold(always, |all, g| all.without(g.0))
    }
}

/// The bytes of a command in hex, as far as `room` goes; ` ..` at its end stands for zeroes that are not told.
pub fn hex<'b>(command: &[u8], room: &'b mut [u8]) -> &'b [u8] {
    let mut n = 0;
    for word in command.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let byte = std::str::from_utf8(word).ok().and_then(|word| u8::from_str_radix(word, 16).ok());
        let (Some(byte), Some(slot)) = (byte, room.get_mut(n)) else { break };
        *slot = byte;
        n += 1;
    }
    &room[..n]
}
