//! All integration tests in one program: one link instead of thirteen, and the test runner can use
//! every core.

mod binary_tracepoints;
mod blkparse_text;
mod brief;
mod common;
mod completed_text;
mod cpus;
mod damage;
mod drivers;
mod extremes;
mod figures;
mod ftrace_text;
mod growth;
mod holes;
mod imports;
mod intake;
mod limiters;
mod live;
mod mail;
mod mask_table;
mod masks;
mod members;
mod perfetto;
mod pictures;
mod same_result;
mod sections;
mod settings;
mod snapshot;
mod sources;
mod tail;
mod time_outliers;
mod tracefs;
mod tracepoints;
mod type_names;
mod window;
mod zones;
