//! libFuzzer calls the target queries.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("queries", data));
