//! Events of btrfs.

use super::EventColumns;
use super::style::FieldStyle;
use super::style::FieldStyle::{Bits, Decimal, Signed, Uuid};

const ORDERED_FLAGS: FieldStyle = Bits(&[
    (1, "REGULAR"),
    (2, "NOCOW"),
    (4, "PREALLOC"),
    (8, "COMPRESSED"),
    (16, "DIRECT"),
]);

/// Names, and what is printed of their fields.
pub const EVENTS: &[EventColumns] = &[
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
];
