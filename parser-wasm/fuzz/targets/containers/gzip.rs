//! libFuzzer calls the target gzip.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("gzip", data));
