//! What a link or a report carries in place of the traces: figures, findings and pictures of a comparison, packed tightly.
//!
//! [`take()`] asks of each trace what the page would ask, once and in a resolution that fits; [`pack()`] writes all of it as few
//! bytes; [`unpack()`] reads what is whole of them; a [`Shot`] answers the page's questions from it.

mod answer;
mod codec;
mod coder;
mod decimal;
mod names;
mod pack;
mod resample;
mod take;
mod text;

pub use answer::{NotHeld, Shot};
pub use pack::{Opened, Snapshot, Unreadable, pack, sections, unpack};
pub use take::{Detail, Size, Wanted, take};
pub use text::{from_text, to_text};
