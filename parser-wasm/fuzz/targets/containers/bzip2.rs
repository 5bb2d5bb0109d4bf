//! libFuzzer calls the target bzip2.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("bzip2", data));
