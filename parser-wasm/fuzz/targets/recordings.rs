//! libFuzzer calls the target recordings.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("recordings", data));
