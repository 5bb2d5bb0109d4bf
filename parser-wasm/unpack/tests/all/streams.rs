//! Very many small compressed streams in one file: what it costs to begin each is paid by bytes.

use crate::common::unpacked;
use bzip2::Compression;
use bzip2::write::BzEncoder;
use seekscope_trace::store::quality::Warning;
use seekscope_unpack::{ArchiveProblem, Limits};
use std::io::Write;

fn stream(content: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

fn codes(problems: &[ArchiveProblem]) -> Vec<String> {
    problems.iter().map(|p| Warning::from(p).code).collect()
}

/// The sum of the bytes of all files.
fn size(files: &[(String, Vec<u8>)]) -> usize {
    files.iter().map(|file| file.1.len()).sum()
}

#[test]
fn tiny_streams_are_refused_before_they_take_long() {
    for content in [&b""[..], b"x", b"a line of a log\n"] {
        let many = stream(content).repeat(20_000);
        let (_, problems) = unpacked("log.bz2", &many, Limits::default());
        assert_eq!(codes(&problems), ["archive-limit"], "{content:?}");
        let place = Warning::from(&problems[0]).at.and_then(|place| place.byte);
        let read = place.expect("a place") as usize;
        assert!(read <= many.len() / 10, "{read} of {}", many.len());
    }
}

#[test]
fn a_thousand_of_them_are_read_and_without_limits_all() {
    for (count, limits) in [(900, Limits::default()), (3000, Limits::none())] {
        let (files, problems) = unpacked("log.bz2", &stream(b"x").repeat(count), limits);
        assert_eq!((size(&files), codes(&problems)), (count, Vec::new()));
    }
}

/// Such streams come from pbzip2, and from logs to which a line is appended now and then.
#[test]
fn streams_of_some_bytes_are_read() {
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let all: Vec<u8> = (0..2000)
        .flat_map(|_| stream(&(0..300).map(|_| noise()).collect::<Vec<u8>>()))
        .collect();
    let (files, problems) = unpacked("log.bz2", &all, Limits::default());
    assert_eq!((size(&files), codes(&problems)), (600_000, Vec::new()));
}
