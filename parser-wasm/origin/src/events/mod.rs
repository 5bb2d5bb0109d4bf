//! Lines of ftrace text that say who dirtied what and where files are, as events. One module per
//! file system; each has a function, or a state with a method, `parse(&Line) -> Option<FsEvent>`.

pub mod btrfs;
pub mod calls;
pub mod ext4;
pub mod f2fs;
pub mod line;
pub mod log;
pub mod writeback;
pub mod xfs;

use seekscope_trace::event::DeviceNumber;
use seekscope_trace::store::ObjectKind;

/// A line of ftrace text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    pub comm: &'a str,
    pub pid: u32,
    /// Time on the clock of the trace, ns.
    pub time: u64,
    /// Name of the event, as `ext4_allocate_blocks`.
    pub name: &'a str,
    /// What stands behind the name and its colon.
    pub fields: &'a str,
}

/// The file system that an event names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VolumeName {
    /// A partition, or a disk without partitions.
    Partition(DeviceNumber),
    /// The disk of a bdi; its file systems share inode numbers.
    Disk(DeviceNumber),
    /// The number of a bdi of btrfs (`btrfs-1`).
    BtrfsBdi(u32),
    /// The first 16 hexadecimal digits of a UUID.
    Uuid(u64),
}

/// The unit of places and lengths of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlaceUnit {
    Bytes,
    /// Blocks of the file system, whose size a map has.
    Blocks,
}

/// What a line says about a file system. The task and the time are those of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FsEvent {
    /// From now on, this place on the partition (btrfs: in logical addresses) is this part of the
    /// inode. With `written` it is also about to be written; else it was only looked up or
    /// allocated.
    Mapped {
        volume: VolumeName,
        kind: ObjectKind,
        inode: u64,
        offset: u64,
        start: u64,
        length: u64,
        unit: PlaceUnit,
        written: bool,
    },
    /// The place is free from now on.
    Freed {
        volume: VolumeName,
        inode: u64,
        start: u64,
        length: u64,
        unit: PlaceUnit,
    },
    /// A task made pages of 4096 bytes dirty, from `page` on; how many is only known from
    /// [`FsEvent::Folio`].
    Dirtied {
        volume: VolumeName,
        inode: u64,
        page: u64,
    },
    /// A task that writes into a file got new blocks for it, in blocks of the file system.
    Created {
        volume: VolumeName,
        inode: u64,
        offset: u64,
        length: u64,
    },
    /// A task changed an inode: it wrote, or set its times.
    Touched { volume: VolumeName, inode: u64 },
    /// A dirty folio is written back: its offset and length in bytes.
    Folio {
        volume: VolumeName,
        inode: u64,
        offset: u64,
        length: u64,
    },
    /// A task begins direct I/O.
    Direct {
        volume: VolumeName,
        inode: u64,
        offset: u64,
        length: u64,
    },
    /// A tree block (btrfs, logical bytes) is new and belongs to this tree; without a length it is
    /// a node. Also: a buffer of XFS has this structure (bytes of the partition).
    TreeBlock {
        volume: VolumeName,
        start: u64,
        length: u64,
        kind: ObjectKind,
    },
    /// A task waits for the file to be on the disk.
    Synced { volume: VolumeName, inode: u64 },
    /// A transaction is committed.
    Committed {
        volume: VolumeName,
        transaction: u64,
    },
    /// A name of the inode is removed, or its data is. Its number may be used again.
    Unlinked { volume: VolumeName, inode: u64 },
}

/// Reads the events of all file systems; some are told over several lines.
#[derive(Debug, Default)]
pub struct EventParser {
    ext4: ext4::Ext4,
    f2fs: f2fs::F2fs,
    xfs: xfs::Xfs,
}

impl EventParser {
    /// Gives the events of a line; none if the line has none of ours.
    pub fn parse(&mut self, line: &Line<'_>, add: &mut dyn FnMut(FsEvent)) {
        let Some((family, _)) = line.name.split_once('_') else {
            return;
        };
        let event = match family {
            "writeback" => writeback::parse(line),
            "ext4" | "jbd2" => {
                self.ext4.parse(line, add);
                None
            }
            "f2fs" => self.f2fs.parse(line),
            "btrfs" => return btrfs::parse(line, add),
            "iomap" | "xfs" => {
                self.xfs.parse(line, add);
                writeback::parse(line)
            }
            _ => None,
        };
        if let Some(event) = event {
            add(event);
        }
    }
}

/// The value behind `key` in a text of `key value`, `key=value` or `key = value` pairs: up to the
/// next blank, without a comma or colon at its end.
pub fn value<'a>(fields: &'a str, key: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(found) = fields.get(from..)?.find(key) {
        let (start, end) = (from + found, from + found + key.len());
        let alone = start == 0 || !is_word(fields.as_bytes()[start - 1]);
        let rest = &fields[end..];
        let text = rest.trim_start_matches([' ', '=']);
        if alone && text.len() < rest.len() {
            let stop = text.find(' ').unwrap_or(text.len());
            return Some(text[..stop].trim_end_matches([':', ',']));
        }
        from = end;
    }
    None
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// A number behind `key`: decimal, or hexadecimal with `0x`.
pub fn number(fields: &str, key: &str) -> Option<u64> {
    parse_number(value(fields, key)?)
}

/// A decimal number, or a hexadecimal one with `0x`.
pub fn parse_number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The device behind `dev`.
pub fn device(fields: &str) -> Option<DeviceNumber> {
    parse_device(value(fields, "dev")?)
}

/// A device number: `254,1`, `254:1` or `(254,1)`.
pub fn parse_device(text: &str) -> Option<DeviceNumber> {
    let text = text.trim_matches(['(', ')']);
    let (major, minor) = text.split_once([',', ':'])?;
    let (major, minor) = (major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?);
    (major < 1 << 12 && minor < 1 << 20).then_some(DeviceNumber(major << 20 | minor))
}

/// Seconds with up to nine decimals, in ns.
pub fn parse_seconds(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = part.get(..part.len().min(9))?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = digits.bytes().chain(std::iter::repeat(b'0')).take(9);
    let nanos = part.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    whole
        .parse::<u64>()
        .ok()?
        .checked_mul(1_000_000_000)?
        .checked_add(nanos)
}
