//! libFuzzer calls the target tar.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("tar", data));
