//! libFuzzer calls the target transport.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("transport", data));
