//! libFuzzer calls the target structure.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("structure", data));
