//! libFuzzer calls the target binary.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("binary", data));
