//! libFuzzer calls the target counters.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("counters", data));
