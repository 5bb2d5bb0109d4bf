//! libFuzzer calls the target zip.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("zip", data));
