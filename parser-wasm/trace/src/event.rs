//! One trace event, whatever format it came from.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// The kind of an event. The numbers are the kernel's action codes (low 16 bits of a blktrace
/// action, with the cgroup flag cleared).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Action {
    /// Q: a bio was submitted.
    Queue = 1,
    /// M: merged at the end of a request; with FS or PC flag set, one request merged into another.
    BackMerge = 2,
    /// F: merged at the start of a request.
    FrontMerge = 3,
    /// G: a request was allocated for a bio.
    GetRequest = 4,
    /// S: waiting for a free request.
    SleepRequest = 5,
    /// R: handed back by the driver.
    Requeue = 6,
    /// D: given to the driver.
    Issue = 7,
    /// C: completed, perhaps in part.
    Complete = 8,
    /// P: a task plugged its queue.
    Plug = 9,
    /// U: unplugged explicitly.
    Unplug = 10,
    /// UT: unplugged by a timer (old) or by schedule() (now).
    UnplugTimer = 11,
    /// I: inserted into the scheduler.
    Insert = 12,
    /// X: a bio was split.
    Split = 13,
    /// B: bounced.
    Bounce = 14,
    /// A: remapped from another device.
    Remap = 15,
    /// Legacy abort.
    Abort = 16,
    /// Opaque driver data.
    DriverData = 17,
    /// ZP: zone write plug took the bio.
    ZonePlug = 18,
    /// ZU: zone write plug let it go.
    ZoneUnplug = 19,
}

impl Action {
    /// All actions, in the order of their codes.
    pub const ALL: [Action; 19] = [
        Action::Queue,
        Action::BackMerge,
        Action::FrontMerge,
        Action::GetRequest,
        Action::SleepRequest,
        Action::Requeue,
        Action::Issue,
        Action::Complete,
        Action::Plug,
        Action::Unplug,
        Action::UnplugTimer,
        Action::Insert,
        Action::Split,
        Action::Bounce,
        Action::Remap,
        Action::Abort,
        Action::DriverData,
        Action::ZonePlug,
        Action::ZoneUnplug,
    ];

    /// The action with this kernel code; `None` for codes that no kernel has assigned.
    pub fn from_code(code: u16) -> Option<Action> {
        Action::ALL.get(usize::from(code).wrapping_sub(1)).copied()
    }

    /// The kernel's code.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Letters as blkparse prints them; `-` for those it has no letter for.
    pub fn letters(self) -> &'static str {
        match self {
            Action::Queue => "Q",
            Action::BackMerge => "M",
            Action::FrontMerge => "F",
            Action::GetRequest => "G",
            Action::SleepRequest => "S",
            Action::Requeue => "R",
            Action::Issue => "D",
            Action::Complete => "C",
            Action::Plug => "P",
            Action::Unplug => "U",
            Action::UnplugTimer => "UT",
            Action::Insert => "I",
            Action::Split => "X",
            Action::Bounce => "B",
            Action::Remap => "A",
            Action::Abort | Action::DriverData => "-",
            Action::ZonePlug => "ZP",
            Action::ZoneUnplug => "ZU",
        }
    }
}

/// Properties of an event's operation. A bio event has neither `FS` nor `PC`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Flags(pub u16);

impl Flags {
    /// Data flows to the device (also discards, flushes and write-zeroes, by op parity).
    pub const WRITE: Flags = Flags(1);
    /// Preflush, or a flush request. Before 2.6.37 the same bit meant barrier.
    pub const FLUSH: Flags = Flags(1 << 1);
    /// Synchronous: a task waits for it.
    pub const SYNC: Flags = Flags(1 << 2);
    /// Readahead.
    pub const AHEAD: Flags = Flags(1 << 3);
    /// Metadata.
    pub const META: Flags = Flags(1 << 4);
    /// Discard or secure erase.
    pub const DISCARD: Flags = Flags(1 << 5);
    /// Forced unit access.
    pub const FUA: Flags = Flags(1 << 6);
    /// Passthrough (SCSI command, driver-private).
    pub const PC: Flags = Flags(1 << 7);
    /// A request event of a file system request.
    pub const FS: Flags = Flags(1 << 8);
    /// The READ bit; absent together with WRITE only in damaged or very old records.
    pub const READ: Flags = Flags(1 << 9);
    /// An operation of zoned disks that the recording names: see [`Flags::zone`].
    pub const ZONE: Flags = Flags(1 << 10);
    /// Write zeroes (v8).
    pub const WRITE_ZEROES: Flags = Flags(1 << 11);
    /// Bits of an event that hold its [`ZoneAction`]; rows of requests do not keep them.
    const ZONE_ACTION: u16 = 7 << 12;

    /// The flags of an operation of zoned disks.
    pub fn of_zone(action: ZoneAction) -> Flags {
        Flags(Flags::WRITE.0 | Flags::ZONE.0 | (action as u16) << 12)
    }

    /// The operation of zoned disks of an event; `None` for others, and where the recording does
    /// not name it.
    pub fn zone(self) -> Option<ZoneAction> {
        let code = usize::from((self.0 & Flags::ZONE_ACTION) >> 12);
        ZoneAction::NAMED
            .get(code.wrapping_sub(1))
            .copied()
            .filter(|_| self.has(Flags::ZONE))
    }

    /// The same, not naming the operation of zoned disks.
    #[must_use]
    pub fn without_zone_action(self) -> Flags {
        Flags(self.0 & !Flags::ZONE_ACTION)
    }

    /// Whether all flags of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any flag of `other` is set.
    pub fn any(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    /// The kind of operation; `bytes` distinguishes a flush without data from a preflush write.
    pub fn op(self, bytes: u32) -> Op {
        if self.has(Flags::DISCARD) {
            Op::Discard
        } else if bytes == 0 && self.has(Flags::FLUSH) {
            Op::Flush
        } else if self.has(Flags::WRITE) {
            Op::Write
        } else {
            Op::Read
        }
    }

    /// The letters blkparse prints: F, then D, Z and the letters of an operation of zoned disks, W,
    /// R or N, then F A S M.
    pub fn rwbs(self, bytes: u32) -> String {
        let mut s = String::with_capacity(7);
        if self.has(Flags::FLUSH) {
            s.push('F');
        }
        s.push_str(if self.has(Flags::DISCARD) {
            "D"
        } else if let Some(action) = self.zone() {
            action.letters()
        } else if self.has(Flags::WRITE) {
            "W"
        } else if bytes > 0 {
            "R"
        } else {
            "N"
        });
        for (flag, letter) in [
            (Flags::FUA, 'F'),
            (Flags::AHEAD, 'A'),
            (Flags::SYNC, 'S'),
            (Flags::META, 'M'),
        ] {
            if self.has(flag) {
                s.push(letter);
            }
        }
        s
    }
}

impl BitOr for Flags {
    type Output = Flags;
    fn bitor(self, rhs: Flags) -> Flags {
        Flags(self.0 | rhs.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, rhs: Flags) {
        self.0 |= rhs.0;
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Flags({:#05x} {})", self.0, self.rwbs(1))
    }
}

/// An operation that only zoned disks have. Numbers are those of [`Flags`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u16)]
pub enum ZoneAction {
    /// Something done to a zone; the recording does not tell what.
    Unnamed = 0,
    /// Data written where the write pointer is.
    Append = 1,
    Reset = 2,
    ResetAll = 3,
    Finish = 4,
    Open = 5,
    Close = 6,
}

impl ZoneAction {
    /// The actions that a recording can name, by their numbers less one. The order is that of
    /// version 8's categories.
    pub const NAMED: [ZoneAction; 6] = [
        ZoneAction::Append,
        ZoneAction::Reset,
        ZoneAction::ResetAll,
        ZoneAction::Finish,
        ZoneAction::Open,
        ZoneAction::Close,
    ];

    /// The flags as letters, as blkparse prints them.
    pub fn letters(self) -> &'static str {
        match self {
            ZoneAction::Unnamed => "W",
            ZoneAction::Append => "ZA",
            ZoneAction::Reset => "ZR",
            ZoneAction::ResetAll => "ZRA",
            ZoneAction::Finish => "ZF",
            ZoneAction::Open => "ZO",
            ZoneAction::Close => "ZC",
        }
    }
}

/// Kind of operation, in the order in which pictures and tables list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Op {
    /// Read, and whatever has no other direction.
    Read = 0,
    /// Write, with data; zone management and write-zeroes count here as in the native tools.
    Write = 1,
    /// Discard or secure erase.
    Discard = 2,
    /// A flush without data.
    Flush = 3,
}

impl Op {
    /// All operations, in the order of their numbers.
    pub const ALL: [Op; 4] = [Op::Read, Op::Write, Op::Discard, Op::Flush];
}

/// A block device number as the kernel packs it: major << 20 | minor.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct DeviceNumber(pub u32);

impl DeviceNumber {
    /// The device of an event that names none: plugs and unplugs of the kernel's tracepoints.
    pub const NONE: DeviceNumber = DeviceNumber(u32::MAX);

    pub fn major(self) -> u32 {
        self.0 >> 20
    }

    pub fn minor(self) -> u32 {
        self.0 & 0xf_ffff
    }

    /// A major number that no driver has.
    const MADE_UP_MAJOR: u32 = 0xffe;

    /// A number for a device of which a format has only the name.
    pub fn made_up(minor: u32) -> DeviceNumber {
        DeviceNumber(DeviceNumber::MADE_UP_MAJOR << 20 | minor)
    }

    /// Whether the number is made up, because the format has only the name of the device.
    pub fn is_made_up(self) -> bool {
        self.major() == DeviceNumber::MADE_UP_MAJOR
    }
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.major(), self.minor())
    }
}

/// The part of an event that only some actions have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventDetail {
    /// The action has no detail.
    #[default]
    None,
    /// A: where the bio came from.
    Remap {
        /// Upper device: partition, dm or md.
        from: DeviceNumber,
        /// Device that the payload names as the target; on some kernels a partition.
        to: DeviceNumber,
        /// Its sector there.
        sector: u64,
    },
    /// X: first sector of the remainder.
    Split(u64),
    /// U, UT: how many requests were released.
    Unplug(u64),
    /// A passthrough request's command.
    Command {
        /// Place of its first byte in [`Store::commands`](crate::store::Store::commands).
        start: u32,
        /// Length in bytes.
        len: u16,
    },
}

/// An ordinary event. Times are the trace clock's ns, as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Time on the trace clock, ns.
    pub time: u64,
    /// First sector (512 bytes); all ones for a flush without a place.
    pub sector: u64,
    /// Length in bytes; 0 for plugs and flushes.
    pub bytes: u32,
    pub action: Action,
    pub flags: Flags,
    /// The thread that was running; of a completion, the one that was interrupted.
    pub pid: u32,
    /// The device that the tracer was started on.
    pub device: DeviceNumber,
    /// CPU that recorded it.
    pub cpu: u32,
    /// Counter per CPU and device, from 1; 0 when the source has none.
    pub sequence: u32,
    /// 0, or a negative errno.
    pub error: i16,
    pub detail: EventDetail,
}

impl Event {
    /// Length in sectors, rounded down as in the native tools.
    pub fn sectors(&self) -> u64 {
        u64::from(self.bytes >> 9)
    }

    /// One past its last sector.
    pub fn end(&self) -> u64 {
        self.sector.saturating_add(self.sectors())
    }
}
