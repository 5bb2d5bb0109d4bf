//! What is said of a trace in documents and texts.

pub mod summary;
