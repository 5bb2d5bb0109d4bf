//! libFuzzer calls the target window.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("window", data));
