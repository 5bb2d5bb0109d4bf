//! Rules about requests: where they are, how large, in which order.

pub mod alignment;
pub mod block;
pub mod order;
pub mod placement;
pub mod readahead;
pub mod seeks;
pub mod sizes;
pub mod split;
pub mod sync;
pub mod zones;
