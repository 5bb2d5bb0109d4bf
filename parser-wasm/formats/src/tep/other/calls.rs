//! System calls by number, and operations of io_uring.

use super::style::FieldStyle::{Decimal, Hex, Signed, Text, Words};
use super::{Column, EventColumns};

const URING_REQUEST: &[Column] = &[
    ("ring ", "ctx", Hex),
    (", req ", "req", Hex),
    (", user_data ", "user_data", Hex),
    (", opcode ", "op_str", Text),
    (", op ", "opcode", Decimal),
    (", flags ", "flags", Hex),
    (", sq_thread ", "sq_thread", Decimal),
];

/// Names, and what is printed of their fields.
pub const EVENTS: &[EventColumns] = &[
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
