//! Events of XFS, and of iomap, through which it reads and writes.

use super::style::FieldStyle;
use super::style::FieldStyle::{Device, Hex, Name, Symbol};
use super::{Column, EventColumns};

const FORKS: FieldStyle = Name(&[(0, "data"), (1, "attr"), (2, "cow")]);
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

/// Names, and what is printed of their fields.
pub const EVENTS: &[EventColumns] = &[
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
];
