//! Containers of tests/containers, and what comes out of them.
#![allow(dead_code)]

use seekscope_unpack::{ArchiveProblem, FileSink, Limits, unpack};
use std::fs;
use std::io;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests");

fn read(path: &str) -> Vec<u8> {
    fs::read(format!("{TESTS}/{path}")).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub fn container(name: &str) -> Vec<u8> {
    read(&format!("containers/{name}"))
}

pub fn fixture(recording: &str, file: &str) -> Vec<u8> {
    read(&format!("fixtures/{recording}/{file}"))
}

#[derive(Default)]
struct Files {
    done: Vec<(String, Vec<u8>)>,
    current: (String, Vec<u8>),
}

impl FileSink for Files {
    fn begin(&mut self, path: &str) -> io::Result<()> {
        self.current = (path.to_owned(), Vec::new());
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8], _taken: u64) -> io::Result<()> {
        self.current.1.extend_from_slice(bytes);
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.done.push(std::mem::take(&mut self.current));
        Ok(())
    }
}

/// Paths and bytes of what is in `bytes`, and what is wrong with them.
pub fn unpacked(
    name: &str,
    bytes: &[u8],
    limits: Limits,
) -> (Vec<(String, Vec<u8>)>, Vec<ArchiveProblem>) {
    let mut files = Files::default();
    let problems = unpack(name, bytes.len() as u64, bytes, &mut files, limits)
        .expect("memory can be read and written");
    (files.done, problems)
}
