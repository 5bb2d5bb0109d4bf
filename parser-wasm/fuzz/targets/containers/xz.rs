//! libFuzzer calls the target xz.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("xz", data));
