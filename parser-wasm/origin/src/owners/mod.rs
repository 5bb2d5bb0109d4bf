//! Decides to whom sectors belonged when a request was issued, and who wrote them.

pub mod inodes;
pub mod layer;
pub mod maps;
pub mod overlay;
pub mod volumes;
