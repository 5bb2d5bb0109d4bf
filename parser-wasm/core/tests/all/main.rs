//! All integration tests in one program: one link instead of thirteen, and the test runner can use
//! every core.

mod common;
mod faults;
mod formats;
mod measures;
mod reading;
mod snapshots;
mod structure;
