//! Events of ext4 and of its journal.

use super::style::FieldStyle;
use super::style::FieldStyle::{Bits, Decimal, Device, Letters, Octal, Signed};
use super::{Column, EventColumns};

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

/// Names, and what is printed of their fields.
pub const EVENTS: &[EventColumns] = &[
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
            "ext4_sync_file_exit",
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
];
