//! All integration tests in one program: one link instead of two, and the test runner can use every
//! core.

mod common;
mod containers;
mod damage;
mod mails;
mod streams;
