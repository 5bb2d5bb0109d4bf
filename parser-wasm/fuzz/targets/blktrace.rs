//! libFuzzer calls the target blktrace.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("blktrace", data));
