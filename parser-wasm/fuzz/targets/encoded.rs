//! libFuzzer calls the target encoded.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("encoded", data));
