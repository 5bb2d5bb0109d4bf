//! Events of the page cache, and names of tasks.

use super::style::FieldStyle::{Decimal, Signed, Text};
use super::{Column, EventColumns};

const DIRTY_PAGE: &[Column] = &[
    ("bdi ", "name", Text),
    (": ino=", "ino", Decimal),
    (" index=", "index", Decimal),
];

/// Names, and what is printed of their fields.
pub const EVENTS: &[EventColumns] = &[
    (
        &["writeback_dirty_folio", "writeback_dirty_page"],
        DIRTY_PAGE,
    ),
    (
        &["writeback_dirty_inode_start"],
        &[("bdi ", "name", Text), (": ino=", "ino", Decimal)],
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
];
