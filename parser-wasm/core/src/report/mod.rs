//! What native tools print, from the same store.

pub mod blkparse;
