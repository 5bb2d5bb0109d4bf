//! What a link or a file has of a comparison.

mod brief;
mod snapshot;
mod snapshot_failures;
