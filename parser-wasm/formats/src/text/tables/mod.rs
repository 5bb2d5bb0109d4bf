//! Texts with one line per I/O: tables of tracers, published traces, logs of fio.

pub mod biosnoop;
mod completed;
pub mod csv;
pub mod fio_log;
pub mod iolog;
mod published;
