//! In which order sectors are accessed, and by whom.

pub mod interleaving;
pub mod order;
pub mod readahead;
pub mod seek;
