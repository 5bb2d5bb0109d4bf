//! What changed between runs, how sure that is, and why: figures side by side and findings.
//!
//! A trace takes a [`Digest`] here; rows of events and requests do not come along. All of this is
//! pure: the same digests give the same comparison.
#![forbid(unsafe_code)]

pub mod alone;
pub mod anonymous;
pub mod causes;
pub mod document;
pub mod findings;
pub mod links;
pub mod mail;
pub mod metric;
pub mod pair;
pub mod runs;
pub mod sentence;
pub mod settings;
pub mod statistics;
pub mod tables;
pub mod values;
pub mod wording;
pub mod work;

pub use anonymous::GROUP_ALIAS;
pub use document::{CompareDocument, CompareQuery, compare};
pub use pair::{Outcome, Pair};
pub use runs::digest::{Digest, digest, digest_of};
pub use runs::run::{ComparedRun, ComparisonSide};
pub use tables::matrix::{MatrixAnswer, MatrixQuery, matrix};
pub use tables::results::{ResultsDocument, results};
pub use work::helps;
