//! What is said of a trace in documents and texts.

pub mod blkparse_line;
pub mod blkparse_summary;
pub mod blkparse_text;
pub mod btt;
mod btt_each;
pub mod btt_text;
pub mod spoiled;
pub mod summary;
