//! Archives and compressed files as a stream of the files in them: tar, zip, gzip, bzip2, xz, zstd,
//! attachments of mails, in any nesting, detected by content. Memory is bounded: bytes are pulled from a reader and
//! passed on in pieces.
#![forbid(unsafe_code)]

mod decoder;
mod kind;
mod mail;
mod meter;
mod name;
mod peek;
mod problem;
mod tar;
mod walk;
mod zip;

pub use kind::{ContainerKind, PROBE_BYTES, sniff};
pub use meter::Limits;
pub use problem::{ArchiveProblem, TooLarge};
pub use walk::{FileSink, unpack};
