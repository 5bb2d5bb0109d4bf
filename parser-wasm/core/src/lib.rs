//! Seekscope's engine: bytes of a block I/O trace in, pictures and figures out.
//!
//! The road, left to right; a module may use only those before it:
//! `event` - `format` - `order` - `lifecycle` - `store` - `measure` - `report` - `compare` - `plot`.
//! Beside it, `notes` reads the texts that lie with a trace.
//! No I/O and no JavaScript in here: callers push bytes and ask questions.
#![forbid(unsafe_code)]

pub mod bounds;
pub mod builder;
pub mod compare;
pub mod error;
pub mod event;
pub mod format;
pub mod intake;
pub mod lifecycle;
pub mod measure;
pub mod notes;
pub mod order;
pub mod plot;
mod plugs;
mod replay;
pub mod report;
pub mod snapshot;
pub mod store;
