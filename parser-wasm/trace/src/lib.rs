//! The model of a trace. Events of any format come in one order (`order`), become requests
//! (`lifecycle`), and are rows of a [`store::Store`], which all figures and pictures read.
//!
//! No I/O, no format and no figure in here. Small things that every crate shares stand here, too:
//! words of errno, limits of numbers, quantities for people, names for the protocol.
#![forbid(unsafe_code)]

pub mod calendar;
pub mod capabilities;
pub mod driver_counts;
pub mod errno;
pub mod event;
#[cfg(any(test, feature = "fixture"))]
pub mod fixture;
pub mod json;
pub mod kinds;
pub mod lifecycle;
pub mod limits;
pub mod mail;
pub mod names;
pub mod order;
pub mod outline;
pub mod plugs;
pub mod protocol;
pub mod quantity;
pub mod remedy;
pub mod replay;
pub mod sorting;
pub mod store;
