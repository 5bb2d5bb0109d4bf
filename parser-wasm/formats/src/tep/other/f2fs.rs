//! Events of f2fs.

use super::style::FieldStyle::{Decimal, Device, Hex, Name};
use super::{Column, EventColumns};

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

/// Names, and what is printed of their fields.
pub const EVENTS: &[EventColumns] = &[
    (
        &["f2fs_unlink_enter", "f2fs_sync_file_exit"],
        &[
            ("dev ", "dev", Device),
            (" ino ", "ino", Decimal),
            (" datasync ", "datasync", Decimal),
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
];
