//! What changed between runs, how sure that is, and why: figures side by side and findings.
//!
//! A trace takes a [`Digest`] here; rows of events and requests do not come along. All of this is
//! pure: the same digests give the same comparison.

pub mod alone;
pub mod anonymous;
pub mod bench;
pub mod bins;
pub mod blocks;
pub mod brief;
pub mod causes;
pub mod context;
mod copied;
pub mod counter_means;
pub mod digest;
pub mod discovery;
pub mod document;
pub mod equivalence;
pub mod estimate;
mod failures;
pub mod findings;
pub mod headline;
mod intervals;
pub mod limiters;
pub mod mail;
pub mod matrix;
pub mod metric;
pub mod noise;
pub mod pair;
pub mod percentile;
pub mod places;
pub mod requested;
pub mod results;
pub mod run;
pub mod sentence;
pub mod settings;
pub mod stored;
pub mod student;
pub mod sweep;
pub mod tail;
pub mod values;
pub mod wording;
pub mod work;
pub mod written;

pub use anonymous::GROUP_ALIAS;
pub use digest::{Digest, digest, digest_of};
pub use document::{CompareDocument, CompareQuery, compare};
pub use matrix::{MatrixAnswer, MatrixQuery, matrix};
pub use pair::{Outcome, Pair};
pub use results::{ResultsDocument, results};
pub use run::{ComparedRun, ComparisonSide};
pub use work::helps;
