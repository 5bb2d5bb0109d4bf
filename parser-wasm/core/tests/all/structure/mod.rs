//! The sources of the workspace.

mod imports;
mod sources;
mod type_names;
