//! Samples of other layers as lines of ftrace text.

use super::{EventFormat, Field};
use memchr::memmem;
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// An event of another layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherEvent<'a> {
    /// Time on the clock of the trace, ns.
    pub time: u64,
    /// Thread id.
    pub pid: u32,
    /// The name of the task, or nothing.
    pub comm: &'a str,
    /// Name of the event, such as `ext4_allocate_blocks`.
    pub name: &'a str,
    /// The fields, as ftrace prints them.
    pub fields: &'a str,
}

/// How a field is printed.
#[derive(Clone, Copy, Debug)]
enum FieldStyle {
    Decimal,
    Signed,
    Hex,
    Octal,
    /// `254,1`.
    Device,
    /// An embedded text, or one that the field refers to.
    Text,
    Uuid,
    /// The names of the bits that are set, between `|`.
    Bits(&'static [(u64, &'static str)]),
    /// The names of the bits that are set, one behind the other.
    Letters(&'static [(u64, &'static str)]),
    /// The name of the number.
    Name(&'static [(i64, &'static str)]),
    /// The symbol of an address, if the file has it.
    Symbol,
    /// Numbers of 8 bytes in parentheses: the arguments of a system call.
    Words,
}

use FieldStyle::{
    Bits, Decimal, Device, Hex, Letters, Name, Octal, Signed, Symbol, Text, Uuid, Words,
};

/// A label and the field that stands behind it.
type Column = (&'static str, &'static str, FieldStyle);

const MAP_FLAGS: FieldStyle = Bits(&[
    (1, "CREATE"),
    (2, "UNWRIT"),
    (4, "DELALLOC"),
    (8, "PRE_IO"),
    (0x10, "CONVERT"),
    (0x20, "METADATA_NOFAIL"),
    (0x40, "NO_NORMALIZE"),
    (0x80, "KEEP_SIZE"),
    (0x100, "CONVERT_UNWRITTEN"),
    (0x200, "ZERO"),
    (0x400, "IO_SUBMIT"),
]);
/// Bits of buffers, since Linux 5.8.
const MAP_STATE: FieldStyle =
    Letters(&[(1 << 5, "N"), (1 << 4, "M"), (1 << 11, "U"), (1 << 9, "B")]);
const ORDERED_FLAGS: FieldStyle = Bits(&[
    (1, "REGULAR"),
    (2, "NOCOW"),
    (4, "PREALLOC"),
    (8, "COMPRESSED"),
    (16, "DIRECT"),
]);
const FORKS: FieldStyle = Name(&[(0, "data"), (1, "attr"), (2, "cow")]);

const EXT4_MAP: &[Column] = &[
    ("dev ", "dev", Device),
    (" ino ", "ino", Decimal),
    (" flags ", "flags", MAP_FLAGS),
    (" lblk ", "lblk", Decimal),
    (" pblk ", "pblk", Decimal),
    (" len ", "len", Decimal),
    (" mflags ", "mflags", MAP_STATE),
    (" ret ", "ret", Signed),
];
const DEVICE_AND_INODE: &[Column] = &[
    ("dev ", "dev", Device),
    (" ino ", "ino", Decimal),
    (" datasync ", "datasync", Decimal),
];
const DIRTY_PAGE: &[Column] = &[
    ("bdi ", "name", Text),
    (": ino=", "ino", Decimal),
    (" index=", "index", Decimal),
];
const IOMAP_FOLIO: &[Column] = &[
    ("dev ", "dev", Device),
    (" ino ", "ino", Hex),
    (" offset ", "offset", Hex),
    (" length ", "length", Hex),
];
const IOMAP_EXTENT: &[Column] = &[
    ("dev ", "dev", Device),
    (" ino ", "ino", Hex),
    (" bdev ", "bdev", Device),
    (" pos ", "pos", Hex),
    (" dirty len ", "dirty_len", Hex),
    (" addr ", "addr", Hex),
    (" offset ", "offset", Hex),
    (" length ", "length", Hex),
];
const XFS_BLOCKS: &[Column] = &[
    ("dev ", "dev", Device),
    (" ino ", "ino", Hex),
    (" pos ", "offset", Hex),
    (" bytecount ", "count", Hex),
    (" fork ", "whichfork", FORKS),
    (" startoff ", "startoff", Hex),
    (" startblock ", "startblock", Hex),
    (" fsbcount ", "blockcount", Hex),
];
const F2FS_WRITE: &[Column] = &[
    ("dev = ", "dev", Device),
    (", ino = ", "ino", Decimal),
    (", page_index = ", "index", Hex),
    (", oldaddr = ", "old_blkaddr", Hex),
    (", newaddr = ", "new_blkaddr", Hex),
    (
        ", type = ",
        "temp",
        Name(&[(0, "HOT"), (1, "WARM"), (2, "COLD")]),
    ),
    ("_", "type", Name(&[(0, "DATA"), (1, "NODE"), (2, "META")])),
];
const URING_REQUEST: &[Column] = &[
    ("ring ", "ctx", Hex),
    (", req ", "req", Hex),
    (", user_data ", "user_data", Hex),
    (", opcode ", "op_str", Text),
    (", op ", "opcode", Decimal),
    (", flags ", "flags", Hex),
    (", sq_thread ", "sq_thread", Decimal),
];

/// Events and what is printed of them; a field that a kernel does not have is left out with its
/// label.
const EVENTS: &[(&[&str], &[Column])] = &[
    (
        &["ext4_ext_map_blocks_exit", "ext4_ind_map_blocks_exit"],
        EXT4_MAP,
    ),
    (
        &["ext4_allocate_blocks"],
        &[
            ("dev ", "dev", Device),
            (" ino ", "ino", Decimal),
            (" flags ", "flags", Bits(&[(0x20, "HINT_DATA")])),
            (" len ", "len", Decimal),
            (" block ", "block", Decimal),
            (" lblk ", "logical", Decimal),
        ],
    ),
    (
        &["ext4_free_blocks"],
        &[
            ("dev ", "dev", Device),
            (" ino ", "ino", Decimal),
            (" mode 0", "mode", Octal),
            (" block ", "block", Decimal),
            (" count ", "count", Decimal),
            (
                " flags ",
                "flags",
                Bits(&[(1, "METADATA"), (2, "FORGET"), (4, "VALIDATED")]),
            ),
        ],
    ),
    (
        &[
            "ext4_unlink_enter",
            "ext4_sync_file_enter",
            "f2fs_unlink_enter",
            "ext4_sync_file_exit",
            "f2fs_sync_file_exit",
        ],
        DEVICE_AND_INODE,
    ),
    (
        &["jbd2_end_commit"],
        &[
            ("dev ", "dev", Device),
            (" transaction ", "transaction", Decimal),
        ],
    ),
    (
        &["writeback_dirty_folio", "writeback_dirty_page"],
        DIRTY_PAGE,
    ),
    (
        &["writeback_dirty_inode_start"],
        &[("bdi ", "name", Text), (": ino=", "ino", Decimal)],
    ),
    (
        &["iomap_dio_rw_begin"],
        &[
            ("dev ", "dev", Device),
            (" ino ", "ino", Hex),
            (" offset ", "pos", Hex),
            (" length ", "count", Hex),
        ],
    ),
    (&["iomap_writepage", "iomap_writeback_folio"], IOMAP_FOLIO),
    (
        &[
            "iomap_writepage_map",
            "iomap_add_to_ioend",
            "iomap_iter_dstmap",
        ],
        IOMAP_EXTENT,
    ),
    (
        &[
            "xfs_map_blocks_alloc",
            "xfs_map_blocks_found",
            "xfs_iomap_alloc",
            "xfs_iomap_found",
        ],
        XFS_BLOCKS,
    ),
    (
        &["xfs_file_fsync"],
        &[("dev ", "dev", Device), (" ino ", "ino", Hex)],
    ),
    (
        &["xfs_buf_submit"],
        &[
            ("dev ", "dev", Device),
            (" daddr ", "bno", Hex),
            (" bbcount ", "nblks", Hex),
            (" bufops ", "buf_ops", Symbol),
        ],
    ),
    (
        &["f2fs_submit_page_write", "f2fs_submit_folio_write"],
        F2FS_WRITE,
    ),
    (
        &["f2fs_writepages"],
        &[
            ("dev = ", "dev", Device),
            (", ino = ", "ino", Decimal),
            (", ", "type", Name(&[(0, "DATA"), (1, "NODE"), (2, "META")])),
            (", ", "dir", Name(&[(0, "FILE, "), (1, "DIR, ")])),
        ],
    ),
    (
        &["f2fs_sync_file_enter"],
        &[
            ("dev = ", "dev", Device),
            (", ino = ", "ino", Decimal),
            (", i_mode = ", "mode", Hex),
            (", datasync = ", "datasync", Decimal),
        ],
    ),
    (
        &["btrfs_ordered_extent_add"],
        &[
            ("", "fsid", Uuid),
            (": root=", "root_objectid", Decimal),
            ("(-) ino=", "ino", Decimal),
            (" file_offset=", "file_offset", Decimal),
            (" start=", "start", Decimal),
            (" len=", "len", Decimal),
            (" disk_len=", "disk_len", Decimal),
            (" flags=", "flags", ORDERED_FLAGS),
            (" compress_type=", "compress_type", Signed),
        ],
    ),
    (
        &["btrfs_cow_block"],
        &[
            ("", "fsid", Uuid),
            (": root=", "root_objectid", Decimal),
            ("(-) cow_buf=", "cow_start", Decimal),
        ],
    ),
    (
        &["btrfs_sync_file"],
        &[("", "fsid", Uuid), (": ino=", "ino", Decimal)],
    ),
    (
        &["btrfs_transaction_commit"],
        &[("", "fsid", Uuid), (": gen=", "generation", Decimal)],
    ),
    (
        &["task_rename"],
        &[
            ("pid=", "pid", Signed),
            (" oldcomm=", "oldcomm", Text),
            (" newcomm=", "newcomm", Text),
            (" oom_score_adj=", "oom_score_adj", Signed),
        ],
    ),
    (
        &[
            "io_uring_submit_req",
            "io_uring_submit_sqe",
            "io_uring_queue_async_work",
        ],
        URING_REQUEST,
    ),
    (
        &["io_uring_complete"],
        &[
            ("ring ", "ctx", Hex),
            (", req ", "req", Hex),
            (", user_data ", "user_data", Hex),
            (", result ", "res", Signed),
        ],
    ),
    (
        &["sys_enter"],
        &[("NR ", "id", Signed), (" ", "args", Words)],
    ),
    (
        &["sys_exit"],
        &[("NR ", "id", Signed), (" = ", "ret", Signed)],
    ),
];

/// Systems with such events.
const SYSTEMS: [&[u8]; 11] = [
    b"ext4",
    b"jbd2",
    b"xfs",
    b"iomap",
    b"f2fs",
    b"btrfs",
    b"writeback",
    b"io_uring",
    b"syscalls",
    b"raw_syscalls",
    b"task",
];
/// Symbols that are kept: operations of the buffers of XFS.
const SYMBOL: &[u8] = b"_buf_ops";
const MAX_SYMBOLS: usize = 4096;

/// The layouts of the events of other layers in a file.
#[derive(Clone, Debug, Default)]
pub struct OtherFormats {
    common: Option<(Field, Field)>,
    formats: FxHashMap<i64, OtherFormat>,
    symbols: FxHashMap<u64, String>,
}

/// The layout of one of them, as columns.
#[derive(Clone, Debug)]
struct OtherFormat {
    name: String,
    columns: Vec<(String, Field, FieldStyle)>,
}

/// A sample of another layer.
pub struct OtherSample<'a> {
    pub pid: u32,
    pub name: &'a str,
    format: &'a OtherFormat,
    symbols: &'a FxHashMap<u64, String>,
}

impl OtherFormats {
    /// Takes the format of an event of a system; ignores those that nobody reads.
    pub fn add(&mut self, system: &[u8], text: &[u8]) {
        if !SYSTEMS.contains(&system) {
            return;
        }
        let Some(shape) = EventFormat::parse(text) else {
            return;
        };
        let common = shape
            .field(&["common_type"])
            .zip(shape.field(&["common_pid"]));
        let Some((common, columns)) = common.zip(columns(&shape)) else {
            return;
        };
        self.common = Some(common);
        let name = shape.name.clone();
        self.formats
            .insert(i64::from(shape.id), OtherFormat { name, columns });
    }

    pub fn is_empty(&self) -> bool {
        self.formats.is_empty()
    }

    /// Takes the symbols of the kernel, lines of `address type name`.
    pub fn add_symbols(&mut self, text: &[u8]) {
        for at in memmem::find_iter(text, SYMBOL) {
            let start = text[..at]
                .iter()
                .rposition(|&b| b == b'\n')
                .map_or(0, |n| n + 1);
            let line = text[start..]
                .split(|&b| b == b'\n')
                .next()
                .unwrap_or_default();
            let line = String::from_utf8_lossy(line);
            let mut words = line.split_ascii_whitespace();
            let address = words
                .next()
                .and_then(|hex| u64::from_str_radix(hex, 16).ok());
            if let Some((address, name)) = address.zip(words.nth(1))
                && address > 0
                && self.symbols.len() < MAX_SYMBOLS
            {
                self.symbols.insert(address, name.to_owned());
            }
        }
    }

    /// The layout of a sample; absent when it is none of these events.
    pub fn find(&self, sample: &[u8], big: bool) -> Option<OtherSample<'_>> {
        let (kind, pid) = self.common?;
        let format = self.formats.get(&kind.number(sample, big)?)?;
        Some(OtherSample {
            pid: pid.number(sample, big)? as u32,
            name: &format.name,
            format,
            symbols: &self.symbols,
        })
    }
}

/// The columns of an event; absent for events that nobody reads.
fn columns(shape: &EventFormat) -> Option<Vec<(String, Field, FieldStyle)>> {
    let name = shape.name.as_str();
    if let Some((_, columns)) = EVENTS.iter().find(|(names, _)| names.contains(&name)) {
        let column = |&(label, field, style): &Column| {
            Some((label.to_owned(), shape.field(&[field])?, style))
        };
        return Some(columns.iter().filter_map(column).collect());
    }
    if name.starts_with("sys_exit_") {
        let field = shape.field(&["ret"])?;
        return Some(vec![(String::new(), field, Hex)]);
    }
    if !name.starts_with("sys_enter_") {
        return None;
    }
    let plain = |name: &str| !name.starts_with("common_") && name != "__syscall_nr";
    let mut columns = Vec::new();
    for (name, field) in shape.fields().filter(|(name, _)| plain(name)) {
        let comma = if columns.is_empty() { "" } else { ", " };
        columns.push((format!("{comma}{name}: "), field, Hex));
    }
    Some(columns)
}

impl OtherSample<'_> {
    /// Appends the fields of the sample to a text.
    pub fn write(&self, sample: &[u8], big: bool, text: &mut String) {
        for (label, field, style) in &self.format.columns {
            text.push_str(label);
            // A truncated sample has empty fields.
            let _ = self.field(*field, *style, sample, big, text);
        }
    }

    fn field(
        &self,
        field: Field,
        style: FieldStyle,
        sample: &[u8],
        big: bool,
        text: &mut String,
    ) -> Option<()> {
        let number = || field.number(sample, big);
        match style {
            Decimal => write!(text, "{}", number()? as u64),
            Signed => write!(text, "{}", number()?),
            Hex => write!(text, "{:#x}", number()?),
            Octal => write!(text, "{:o}", number()?),
            Device => {
                let device = number()? as u32;
                write!(text, "{},{}", device >> 20, device & 0xf_ffff)
            }
            Text => {
                text.push_str(&String::from_utf8_lossy(field.text(sample, big)?));
                Ok(())
            }
            Uuid => field
                .raw(sample, big)?
                .iter()
                .try_for_each(|byte| write!(text, "{byte:02x}")),
            Bits(names) => {
                write_bits(number()? as u64, names, "|", text);
                Ok(())
            }
            Letters(names) => {
                write_bits(number()? as u64, names, "", text);
                Ok(())
            }
            Name(names) => {
                let number = number()?;
                let name = names.iter().find(|name| name.0 == number)?;
                text.push_str(name.1);
                Ok(())
            }
            Symbol => {
                let address = number()? as u64;
                match self.symbols.get(&address) {
                    Some(name) => text.push_str(name),
                    None => write!(text, "{address:#x}").ok()?,
                }
                Ok(())
            }
            Words => {
                text.push('(');
                for (i, bytes) in field.raw(sample, big)?.chunks(8).enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(text, "{comma}{:x}", crate::cursor::number(bytes, big)).ok()?;
                }
                text.push(')');
                Ok(())
            }
        }
        .ok()
    }
}

/// Names of bits; what has no name is one more number.
fn write_bits(bits: u64, names: &[(u64, &str)], between: &str, text: &mut String) {
    let mut rest = bits;
    let mut first = true;
    for (bit, name) in names.iter().filter(|(bit, _)| bits & bit != 0) {
        if !std::mem::take(&mut first) {
            text.push_str(between);
        }
        text.push_str(name);
        rest &= !bit;
    }
    if rest != 0 && !between.is_empty() {
        let between = if first { "" } else { between };
        let _ = write!(text, "{between}{rest:#x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMON: &str = "format:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
        \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

    /// The text of a sample: fields of 8 bytes behind the common ones.
    fn printed(system: &[u8], name: &str, fields: &[(&str, u64)]) -> Option<String> {
        let mut format = format!("name: {name}\nID: 7\n{COMMON}");
        let mut sample = vec![7, 0, 0, 0, 9, 0, 0, 0];
        for (declaration, value) in fields {
            let offset = sample.len();
            format += &format!("\tfield:{declaration};\toffset:{offset};\tsize:8;\tsigned:0;\n");
            sample.extend(value.to_le_bytes());
        }
        let mut formats = OtherFormats::default();
        formats.add(system, format.as_bytes());
        formats.add_symbols(b"0 d zero_buf_ops\nffffffff824688c0 d xfs_agi_buf_ops\t[xfs]\nx\n");
        let found = formats.find(&sample, false)?;
        assert_eq!((found.pid, found.name), (9, name));
        let mut text = String::new();
        found.write(&sample, false, &mut text);
        // A truncated sample prints what is left of it.
        for length in 0..sample.len() {
            if let Some(found) = formats.find(&sample[..length], false) {
                found.write(&sample[..length], false, &mut String::new());
            }
        }
        Some(text)
    }

    #[test]
    fn samples_are_printed_as_by_the_kernel() {
        let map = [
            ("dev_t dev", 254 << 20 | 1),
            ("ino_t ino", 62),
            ("unsigned int flags", 1),
            ("ext4_fsblk_t pblk", 2138),
            ("ext4_lblk_t lblk", 3),
            ("unsigned int len", 2),
            ("unsigned int mflags", 0x30),
            ("int ret", 2),
        ];
        let text = printed(b"ext4", "ext4_ext_map_blocks_exit", &map);
        let line = "dev 254,1 ino 62 flags CREATE lblk 3 pblk 2138 len 2 mflags NM ret 2";
        assert_eq!(text.as_deref(), Some(line));
        let buffer = [
            ("dev_t dev", 8 << 20),
            ("xfs_daddr_t bno", 2),
            ("int nblks", 1),
            ("const void * buf_ops", 0xffff_ffff_8246_88c0),
        ];
        let text = printed(b"xfs", "xfs_buf_submit", &buffer);
        let line = "dev 8,0 daddr 0x2 bbcount 0x1 bufops xfs_agi_buf_ops";
        assert_eq!(text.as_deref(), Some(line));
        let free = [
            ("dev_t dev", 8 << 20),
            ("ino_t ino", 5),
            ("__u64 block", 9),
            ("unsigned long count", 1),
            ("int flags", 0x11),
            ("__u16 mode", 0o100_644),
        ];
        let text = printed(b"ext4", "ext4_free_blocks", &free);
        let line = "dev 8,0 ino 5 mode 0100644 block 9 count 1 flags METADATA|0x10";
        assert_eq!(text.as_deref(), Some(line));
    }

    #[test]
    fn calls_print_their_arguments() {
        let write = [
            ("int __syscall_nr", 18),
            ("unsigned int fd", 3),
            ("size_t count", 4096),
        ];
        let text = printed(b"syscalls", "sys_enter_pwrite64", &write);
        assert_eq!(text.as_deref(), Some("fd: 0x3, count: 0x1000"));
        let raw = [("long id", 18), ("unsigned long args[6]", 3)];
        let text = printed(b"raw_syscalls", "sys_enter", &raw);
        assert_eq!(text.as_deref(), Some("NR 18 (3)"));
        let text = printed(b"syscalls", "sys_exit_pwrite64", &[("long ret", 4096)]);
        assert_eq!(text.as_deref(), Some("0x1000"));
    }

    #[test]
    fn other_events_are_left() {
        assert_eq!(printed(b"ext4", "ext4_da_update_reserve_space", &[]), None);
        assert_eq!(printed(b"net", "ext4_unlink_enter", &[]), None);
    }
}
