//! libFuzzer calls the target notes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("notes", data));
