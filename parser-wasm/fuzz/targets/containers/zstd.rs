//! libFuzzer calls the target zstd.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("zstd", data));
