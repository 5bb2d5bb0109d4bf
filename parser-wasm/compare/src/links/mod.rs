//! What links leave out of a comparison, and how it comes back.
//!
//! Each part removes what follows from the rest and restores it on opening. What they restore must
//! equal what was removed, for every comparison; where it would not, the value stays in the link.
//! So a change of how labels, sentences or verdicts are made changes what old links show.

pub mod brief;
pub mod stored;
