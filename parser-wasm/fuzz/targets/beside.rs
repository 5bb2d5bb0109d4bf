//! libFuzzer calls the target beside.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("beside", data));
