//! libFuzzer calls the target pattern.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("pattern", data));
