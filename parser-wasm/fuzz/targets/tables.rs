//! libFuzzer calls the target tables.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("tables", data));
