//! libFuzzer calls the target snapshot.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("snapshot", data));
