//! However a trace is written and fed, it says the same, to the last digit.

use crate::common::{
    File, big_endian, digest, dump, read, read_one_by_one, recording, recordings, version_8,
};

fn map(files: &[File], f: impl Fn(&[u8]) -> Vec<u8>) -> Vec<File> {
    files
        .iter()
        .map(|(name, data)| (name.clone(), f(data)))
        .collect()
}

#[test]
fn pieces_of_any_size() {
    for name in recordings() {
        let files = recording(&name);
        let whole = digest(&read(&files, 16 << 20));
        // Each byte on its own, where that takes no second.
        let small = files.iter().map(|f| f.1.len()).sum::<usize>() < 64 << 10;
        for piece in if small { [1, 47] } else { [47, 4096] } {
            assert!(
                digest(&read(&files, piece)) == whole,
                "{name} in pieces of {piece}"
            );
        }
    }
}

#[test]
fn any_order_of_files() {
    for name in recordings() {
        let mut files = recording(&name);
        let whole = digest(&read(&files, 1 << 20));
        assert!(
            digest(&read_one_by_one(&files)) == whole,
            "{name} file by file"
        );
        files.reverse();
        assert!(digest(&read(&files, 1 << 20)) == whole, "{name} reversed");
        assert!(
            digest(&read_one_by_one(&files)) == whole,
            "{name} reversed, file by file"
        );
        let single = vec![(
            "all".to_owned(),
            files.iter().flat_map(|f| f.1.clone()).collect(),
        )];
        assert!(
            digest(&read(&single, 1 << 20)) == whole,
            "{name} concatenated"
        );
    }
}

#[test]
fn any_byte_order_and_layout() {
    for name in recordings() {
        let files = recording(&name);
        let whole = digest(&read(&files, 1 << 20));
        assert!(
            digest(&read(&map(&files, big_endian), 47)) == whole,
            "{name} big-endian"
        );
        assert!(
            digest(&read(&map(&files, |f| version_8(f, false)), 47)) == whole,
            "{name} as version 8"
        );
        let wide = read(&map(&files, |f| version_8(f, true)), 47);
        assert!(digest(&wide) == whole, "{name} as version 8 marked 7");
        assert!(
            wide.quality
                .warnings
                .iter()
                .any(|w| w.code == "mixed-layout")
        );
    }
}

#[test]
fn a_dump_says_what_its_files_say() {
    for name in recordings() {
        let files = recording(&name);
        let (whole, dumped) = (
            read(&files, 1 << 20),
            read(&[("dump".to_owned(), dump(&files))], 1 << 20),
        );
        let (mut a, mut b) = (digest(&whole), digest(&dumped));
        // The last line holds the clocks. A dump keeps only when the tracer was started, not when
        // the first event came.
        a.pop();
        b.pop();
        assert!(a == b, "{name} dumped");
        let (Some(wall), Some(dumped_wall)) = (whole.wall, dumped.wall) else {
            continue;
        };
        assert!(
            dumped_wall <= wall && wall - dumped_wall < 10_000_000_000,
            "{name}: wall clock {wall} kept as {dumped_wall}"
        );
    }
}
