//! Every kind of container gives the files that were packed, byte for byte.

use crate::common::{container, fixture, unpacked};
use seekscope_unpack::Limits;

const CPUS: [&str; 2] = ["trace.blktrace.0", "trace.blktrace.1"];

/// The recording's files below `folder`, as they must come out.
fn expected(folder: &str, recording: &str) -> Vec<(String, Vec<u8>)> {
    CPUS.iter()
        .map(|cpu| {
            (
                format!("{folder}/{recording}/{cpu}"),
                fixture(recording, cpu),
            )
        })
        .collect()
}

#[test]
fn archives_give_their_files() {
    for name in [
        "run.tar",
        "run.tar.gz",
        "run.tar.bz2",
        "run.tar.xz",
        "run.tar.zst",
        "run.zip",
    ] {
        let (files, problems) = unpacked(name, &container(name), Limits::default());
        assert_eq!(problems, [], "{name}");
        assert_eq!(files[..2], expected(name, "io-errors"), "{name}");
        let others: Vec<&str> = files[2..]
            .iter()
            .map(|f| f.0.rsplit('/').next().unwrap_or_default())
            .collect();
        assert_eq!(
            others,
            ["uname.txt", "photo.jpg"],
            "{name}: files beside, without leftovers of archivers"
        );
    }
    for name in ["run-stored.zip", "run-bzip2.zip", "run-streamed.zip"] {
        let (files, problems) = unpacked(name, &container(name), Limits::default());
        assert_eq!(
            (files, problems),
            (expected(name, "io-errors"), vec![]),
            "{name}"
        );
    }
}

#[test]
fn members_streams_and_frames_are_one_file() {
    for end in ["gz", "bz2", "xz", "zst"] {
        let (files, problems) = unpacked(
            "dir/trace.blktrace.1",
            &container(&format!("trace.blktrace.1.{end}")),
            Limits::default(),
        );
        assert_eq!(
            (files, problems),
            (
                vec![("dir/trace.blktrace.1".into(), fixture("io-errors", CPUS[1]))],
                vec![]
            ),
            "{end}"
        );
    }
    let (files, _) = unpacked(
        "dir/trace.blktrace.1.gz",
        &container("trace.blktrace.1.gz"),
        Limits::default(),
    );
    assert_eq!(files[0].0, "dir/trace.blktrace.1");
}

#[test]
fn compressed_files_in_a_compressed_archive() {
    let (files, problems) = unpacked(
        "two-runs.tar.xz",
        &container("two-runs.tar.xz"),
        Limits::default(),
    );
    let both = [
        expected("two-runs.tar.xz", "io-errors"),
        expected("two-runs.tar.xz", "write-zeroes"),
    ]
    .concat();
    assert_eq!((files, problems), (both, vec![]));
}

#[test]
fn long_names_and_names_that_lead_outside() {
    let long = "a-name-longer-than-the-hundred-bytes-of-a-header/".repeat(3);
    for name in ["run-pax.tar", "run-gnu.tar"] {
        let (files, problems) = unpacked(name, &container(name), Limits::default());
        assert_eq!(
            (files, problems),
            (
                expected(
                    &format!("{name}/{}", long.trim_end_matches('/')),
                    "io-errors"
                ),
                vec![]
            )
        );
    }
    let (files, _) = unpacked("outside.tar", &container("outside.tar"), Limits::default());
    let paths: Vec<&str> = files.iter().map(|f| f.0.as_str()).collect();
    assert_eq!(
        paths,
        [
            "outside.tar/etc/trace.blktrace.0",
            "outside.tar/io-errors/trace.blktrace.1"
        ]
    );
}

#[test]
fn what_is_no_container_is_one_file() {
    let bytes = fixture("io-errors", CPUS[1]);
    let (files, problems) = unpacked("a/b", &bytes, Limits::default());
    assert_eq!((files, problems), (vec![("a/b".into(), bytes)], vec![]));
}
