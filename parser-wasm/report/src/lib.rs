//! Documents and texts about one trace: the JSON of `summary`, blkparse's lines and summary, btt's
//! tables. The figures come from [`seekscope_measure`].
#![forbid(unsafe_code)]

pub mod absent;
pub mod blkparse_line;
pub mod blkparse_summary;
pub mod blkparse_text;
pub mod btt;
pub mod btt_each;
mod btt_layout;
pub mod btt_text;
pub mod counters;
mod document;
pub mod drivers;
pub mod measured;
pub mod summary;
pub mod tail;
mod unreliable;
