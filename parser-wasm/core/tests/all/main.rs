//! All integration tests in one program: one link instead of thirteen, and the test runner can use every core.

mod binary_tracepoints;
mod blkparse_text;
mod common;
mod completed_text;
mod cpus;
mod damage;
mod drivers;
mod figures;
mod ftrace_text;
mod holders;
mod holes;
mod imports;
mod intake;
mod mail;
mod mask_table;
mod masks;
mod members;
mod pictures;
mod same_result;
mod settings;
mod snapshot;
mod sources;
mod tracefs;
mod tracepoints;
mod type_names;
mod zones;
