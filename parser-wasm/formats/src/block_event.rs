//! The meaning of the kernel's block tracepoints, whether a tool printed them or their fields were
//! read.

use super::rwbs;
use seekscope_trace::capabilities::Capabilities;
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags};

/// The part that a tracepoint has in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracePoint {
    /// One that blktrace has an action for.
    Known(Action, PointLayout),
    /// block_io_start and block_io_done, as D and C: the requests of recordings without other
    /// events of these.
    Accounting(Action),
    /// One of the block layer that blktrace has no action for: buffers, zone management.
    Unused,
    /// A tracepoint that is not of the block layer.
    Foreign,
}

/// The fields of a trace point, as they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointLayout {
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
    /// The body is `dev RWBS sector / sector [task]`.
    Split,
    /// The body is `[task]`, and a count when unplugged.
    Plug,
    /// `dev zone Z, BIO sector + n`.
    Zone,
}

/// The tracepoint of this name.
pub fn point(name: &[u8]) -> TracePoint {
    use Action::*;
    let action_and_body = match name {
        b"block_bio_queue" => (Queue, PointLayout::Bio),
        b"block_getrq" => (GetRequest, PointLayout::Bio),
        b"block_sleeprq" => (SleepRequest, PointLayout::Bio),
        b"block_bio_backmerge" => (BackMerge, PointLayout::Bio),
        b"block_bio_frontmerge" => (FrontMerge, PointLayout::Bio),
        b"block_bio_bounce" => (Bounce, PointLayout::Bio),
        b"block_bio_complete" => (Complete, PointLayout::BioDone),
        b"block_rq_insert" => (Insert, PointLayout::Request),
        b"block_rq_issue" => (Issue, PointLayout::Request),
        b"block_rq_merge" => (BackMerge, PointLayout::Request),
        b"block_rq_complete" => (Complete, PointLayout::RequestDone),
        b"block_rq_requeue" => (Requeue, PointLayout::RequestDone),
        b"block_rq_abort" => (Abort, PointLayout::RequestDone),
        b"block_bio_remap" | b"block_rq_remap" => (Remap, PointLayout::Remap),
        b"block_split" => (Split, PointLayout::Split),
        b"block_plug" => (Plug, PointLayout::Plug),
        b"block_unplug" | b"block_unplug_io" => (Unplug, PointLayout::Plug),
        b"block_unplug_timer" => (UnplugTimer, PointLayout::Plug),
        b"disk_zone_wplug_add_bio" => (ZonePlug, PointLayout::Zone),
        b"blk_zone_wplug_bio" => (ZoneUnplug, PointLayout::Zone),
        b"block_io_start" => return TracePoint::Accounting(Issue),
        b"block_io_done" => return TracePoint::Accounting(Complete),
        // Next to the block_rq_complete with the error. Without that it is no completion: of the
        // requests that succeed there would be none.
        b"block_rq_error" => return TracePoint::Unused,
        b"blk_zone_append_update_request_bio" | b"blkdev_zone_mgmt" => return TracePoint::Unused,
        // Its values are a lane, not events.
        b"block_rq_tag_wait" => return TracePoint::Foreign,
        _ if name.starts_with(b"block_") => return TracePoint::Unused,
        _ => return TracePoint::Foreign,
    };
    TracePoint::Known(action_and_body.0, action_and_body.1)
}

/// The fields of a trace point; 0 or empty if missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockFields<'a> {
    /// 0,0 or [`DeviceNumber::NONE`] if there is none.
    pub device: DeviceNumber,
    /// The letters of operation and flags.
    pub letters: &'a [u8],
    pub sector: u64,
    /// Length in sectors.
    pub sectors: u64,
    /// Length in bytes, if given next to that in sectors.
    pub bytes: u64,
    /// The command of a passthrough request in hex.
    pub command: &'a [u8],
    /// errno; a u16 in some kernels, where -5 is 65531.
    pub error: i64,
    /// Of a remap: the upper device and the sector there.
    pub from: (DeviceNumber, u64),
    /// Of a split: the first sector of the remainder.
    pub remainder: u64,
    /// Of an unplug: the number of requests that were released.
    pub released: u64,
}

impl Default for BlockFields<'_> {
    fn default() -> Self {
        let none = DeviceNumber::NONE;
        let (sector, sectors, bytes, error, remainder, released) = (0, 0, 0, 0, 0, 0);
        BlockFields {
            device: none,
            letters: b"",
            sector,
            sectors,
            bytes,
            command: b"",
            error,
            from: (none, 0),
            remainder,
            released,
        }
    }
}

/// The length in bytes of so many units, if no request or bio can be so long: the kernel counts its
/// bytes with 32 bits.
#[inline]
pub fn impossible_length(units: u64, bytes_per_unit: u64) -> Option<u64> {
    let length = units.saturating_mul(bytes_per_unit);
    (length > u64::from(u32::MAX)).then_some(length)
}

impl BlockFields<'_> {
    /// The length in bytes, if no request or bio can be so long.
    #[inline]
    pub fn impossible_length(&self) -> Option<u64> {
        impossible_length(self.sectors, 512).or_else(|| impossible_length(self.bytes, 1))
    }

    /// The event; time, pid and CPU are 0. `None` if the letters or the length are invalid.
    #[inline]
    pub fn event(&self, action: Action, shape: PointLayout) -> Option<Event> {
        let n = self.sectors;
        if self.impossible_length().is_some() {
            return None;
        }
        let device = if self.device.0 == 0 {
            DeviceNumber::NONE
        } else {
            self.device
        };
        let (time, pid, cpu, sequence) = (0, 0, 0, 0);
        let (mut sector, mut bytes, mut detail) =
            (self.sector, n.saturating_mul(512), EventDetail::None);
        let flags = match shape {
            PointLayout::Bio | PointLayout::BioDone => rwbs::flags(self.letters, n)?,
            PointLayout::Request | PointLayout::RequestDone => {
                // Flushes and passthrough requests have no place when they are done.
                let placed = sector != u64::MAX;
                sector = if placed { sector } else { 0 };
                // Old kernels give no bytes for file system requests; passthrough requests have no
                // sectors.
                bytes = if self.bytes > 0 { self.bytes } else { bytes };
                let op = rwbs::flags(self.letters, if placed { n } else { 0 })?;
                // Newer kernels give no command, and N for all passthrough requests.
                let other = self.letters.first() == Some(&b'N') && !op.has(Flags::WRITE_ZEROES);
                op | if other || !self.command.is_empty() {
                    Flags::PC
                } else {
                    Flags::FS
                }
            }
            PointLayout::Remap => {
                detail = EventDetail::Remap {
                    from: self.from.0,
                    to: device,
                    sector: self.from.1,
                };
                if self.letters.is_empty() {
                    Flags::READ
                } else {
                    rwbs::flags(self.letters, n)?
                }
            }
            PointLayout::Split => {
                // The length is missing; the part that was split off is before the remainder.
                let n = self.remainder.saturating_sub(sector);
                (bytes, detail) = (n.saturating_mul(512), EventDetail::Split(self.remainder));
                rwbs::flags(self.letters, n.max(1))?
            }
            PointLayout::Plug => {
                detail = if action == Action::Plug {
                    EventDetail::None
                } else {
                    EventDetail::Unplug(self.released)
                };
                Flags::READ
            }
            PointLayout::Zone => Flags::WRITE,
        };
        let (bytes, error) = (bytes.min(u64::from(u32::MAX)) as u32, self.error as i16);
        Some(Event {
            time,
            sector,
            bytes,
            action,
            flags,
            pid,
            device,
            cpu,
            sequence,
            error,
            detail,
        })
    }
}

/// The actions that were seen so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenActions(u32);

impl SeenActions {
    #[inline]
    pub fn note(&mut self, action: Action) {
        self.0 |= 1 << action.code();
    }

    /// The capabilities of these events. The format does not record which trace points were
    /// enabled: an action that never occurred may not have been recorded.
    pub fn capabilities(self) -> Capabilities {
        let groups: [(Capabilities, &[Action]); 9] = [
            (Capabilities::QUEUES, &[Action::Queue]),
            (
                Capabilities::MERGES,
                &[Action::BackMerge, Action::FrontMerge],
            ),
            (Capabilities::ALLOCATIONS, &[Action::GetRequest]),
            (Capabilities::INSERTS, &[Action::Insert]),
            (Capabilities::COMPLETIONS, &[Action::Complete]),
            (Capabilities::REQUEUES, &[Action::Requeue]),
            (
                Capabilities::PLUGS,
                &[Action::Plug, Action::Unplug, Action::UnplugTimer],
            ),
            // Since 2.6.39 one trace point is used for both.
            (Capabilities::UNPLUG_CAUSES, &[Action::UnplugTimer]),
            (Capabilities::REMAPS, &[Action::Remap, Action::Split]),
        ];
        let never = |actions: &[Action]| actions.iter().all(|a| self.0 & 1 << a.code() == 0);
        let always = Capabilities::ALL
            .without(Capabilities::SEQUENCES | Capabilities::MESSAGES | Capabilities::PLUG_DEVICES);
        groups
            .into_iter()
            .filter(|g| never(g.1))
            .fold(always, |all, g| all.without(g.0))
    }
}

/// The bytes of a command in hex, as many as fit into `room`; ` ..` at its end is for zeros that
/// are not printed.
pub fn hex<'b>(command: &[u8], room: &'b mut [u8]) -> &'b [u8] {
    let mut n = 0;
    for word in command
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
    {
        let byte = std::str::from_utf8(word)
            .ok()
            .and_then(|word| u8::from_str_radix(word, 16).ok());
        let (Some(byte), Some(slot)) = (byte, room.get_mut(n)) else {
            break;
        };
        *slot = byte;
        n += 1;
    }
    &room[..n]
}
