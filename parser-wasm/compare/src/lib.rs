//! What changed between runs, how sure that is, and why: figures side by side and findings.
//!
//! A trace takes a [`Digest`] here; rows of events and requests do not come along. All of this is
//! pure: the same digests give the same comparison.
//!
//! # From digests to words
//!
//! 1. `runs::digest` measures a trace: one value per metric (`metric/`), and its numerator and
//!    denominator per bin of time (`runs::bins`).
//! 2. `runs::run` groups runs into sides; repeats of one measurement are one side.
//! 3. `pair::compared` judges one figure of two sides: its ratio, its interval (`statistics`), and
//!    a verdict. Every table, finding and mail takes its verdicts from there, so that no two
//!    outputs disagree.
//! 4. Throughput (or run time) decides the outcome, `Pair::outcome`. It is equal only if that is
//!    shown (`statistics::equivalence`), not merely because no difference is.
//! 5. `work` asks whether both sides did the same; `findings` asks why one was slower. Each rule is
//!    one function that returns a draft; `findings::findings` drops effects of other findings and
//!    ranks the rest. `causes` adds settings that can explain a finding, `gains` what would be won
//!    without it.
//! 6. `wording` has all sentences as templates; `sentence` fills them in and keeps numbers apart
//!    from text, so that each output formats them in its own way. `document` puts everything
//!    together, `mail` writes it as text, `links` leaves out of it what follows from the rest.
#![forbid(unsafe_code)]

pub mod alone;
pub mod anonymous;
mod assumed_change;
pub mod bisect;
pub mod causes;
pub mod document;
pub mod findings;
mod gains;
pub mod links;
pub mod mail;
pub mod metric;
pub mod pair;
pub mod runs;
pub mod sentence;
pub mod settings;
pub mod statistics;
pub mod tables;
pub mod threshold;
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
