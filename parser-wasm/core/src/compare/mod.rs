//! What changed between runs, how sure that is, and why: figures side by side and findings.
//!
//! A trace takes a [`Digest`] here; rows of events and requests do not come along. All of this is pure: the same digests give the
//! same comparison.

pub mod digest;
pub mod document;
pub mod estimate;
pub mod figure;
pub mod findings;
pub mod mail;
pub mod pair;
pub mod quantity;
pub mod run;
pub mod work;

pub use digest::{Digest, digest};
pub use document::{Asked, Document, compare};
pub use pair::{Outcome, Pair};
pub use run::{Run, Side};
pub use work::helps;
