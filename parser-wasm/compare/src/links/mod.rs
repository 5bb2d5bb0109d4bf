//! What links leave out of a comparison, and how it comes back.

pub mod brief;
pub mod stored;
