//! Arrays of disks: their geometry, how requests lie in it, and what their members did.

pub mod alignment;
pub mod array;
pub mod cost;
pub mod geometry;
pub mod layout;
pub mod members;
pub mod partitions;
pub mod suggestion;
pub mod visit;
