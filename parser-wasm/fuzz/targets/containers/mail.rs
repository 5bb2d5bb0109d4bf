//! libFuzzer calls the target mail.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| seekscope_fuzz::run("mail", data));
