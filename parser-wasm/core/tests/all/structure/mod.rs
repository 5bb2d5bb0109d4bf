//! The sources of the workspace.

mod circles;
mod imports;
mod sources;
mod type_names;
