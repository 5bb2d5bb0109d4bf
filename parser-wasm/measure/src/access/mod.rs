//! The order in which sectors are accessed, and the processes that access them.

pub mod interleaving;
pub mod order;
pub mod readahead;
pub mod seek;
