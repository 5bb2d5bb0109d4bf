//! Truncated, damaged and hostile archives: intact files are unpacked, the rest is reported,
//! without a panic or unbounded memory.

use crate::common::{container, fixture, unpacked};
use flate2::{Compression, write::GzEncoder};
use seekscope_trace::store::quality::Warning;
use seekscope_unpack::{ArchiveProblem, Limits};
use std::io::Write;

const ALL: [&str; 17] = [
    "run.tar",
    "run.tar.gz",
    "run.tar.bz2",
    "run.tar.xz",
    "run.tar.zst",
    "run.zip",
    "run-stored.zip",
    "run-bzip2.zip",
    "run-streamed.zip",
    "run-pax.tar",
    "run-gnu.tar",
    "outside.tar",
    "two-runs.tar.xz",
    "trace.blktrace.1.gz",
    "trace.blktrace.1.bz2",
    "trace.blktrace.1.xz",
    "trace.blktrace.1.zst",
];

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn cut_anywhere_gives_what_came_before_and_one_warning() {
    for name in ALL {
        let bytes = container(name);
        let (whole, _) = unpacked(name, &bytes, Limits::default());
        for cut in (600..bytes.len().saturating_sub(30)).step_by(bytes.len() / 23) {
            let (files, problems) = unpacked(name, &bytes[..cut], Limits::default());
            for ((path, bytes), (whole_path, whole_bytes)) in files.iter().zip(&whole) {
                assert_eq!(path, whole_path, "{name} cut at {cut}");
                assert!(
                    whole_bytes.starts_with(bytes),
                    "{name} cut at {cut}: {path}"
                );
            }
            let [problem] = &problems[..] else {
                // After its last file a tar and a zip lack nothing that counts.
                assert!(
                    problems.is_empty() && files == whole,
                    "{name} cut at {cut}: {problems:?}"
                );
                continue;
            };
            assert!(
                matches!(problem, ArchiveProblem::Damaged { words: None, .. }),
                "{name} cut at {cut}: {problem:?}"
            );
        }
    }
}

#[test]
fn a_cut_archive_keeps_the_files_before() {
    let bytes = container("run.tar.gz");
    let (files, problems) = unpacked("run.tar.gz", &bytes[..1000], Limits::default());
    assert_eq!(
        files[0],
        (
            "run.tar.gz/io-errors/trace.blktrace.0".into(),
            fixture("io-errors", "trace.blktrace.0")
        )
    );
    let warning = Warning::from(&problems[0]);
    assert_eq!(warning.code, "damaged-archive");
    assert_eq!(warning.message, "The gzip data are truncated.");
    assert_eq!(
        warning.at.and_then(|place| place.byte.zip(place.size)),
        Some((1000, 1000))
    );
}

#[test]
fn damage_in_one_file_leaves_the_others() {
    let mut bytes = container("run.zip");
    // Within the data of the second file.
    bytes[900] ^= 0xff;
    let (files, problems) = unpacked("run.zip", &bytes, Limits::default());
    assert_eq!(
        files
            .iter()
            .map(|f| f.0.rsplit('/').next().unwrap_or_default())
            .collect::<Vec<_>>(),
        [
            "trace.blktrace.0",
            "trace.blktrace.1",
            "uname.txt",
            "photo.jpg"
        ]
    );
    assert!(
        matches!(&problems[..], [ArchiveProblem::Damaged { inside, .. }] if inside == "run.zip/io-errors/trace.blktrace.1"),
        "{problems:?}"
    );

    let mut bytes = container("run.tar");
    bytes[3] ^= 1;
    let (files, problems) = unpacked("run.tar", &bytes, Limits::default());
    assert_eq!(files.len(), 1, "its first header is no header: no tar");
    assert_eq!(problems, []);
    let mut bytes = container("run.tar");
    bytes[1024 + 3] ^= 1;
    let (files, problems) = unpacked("run.tar", &bytes, Limits::default());
    assert_eq!(files.len(), 3, "all but the file with the damaged header");
    assert_eq!(problems.len(), 1);
}

/// A flipped bit of a file may still unpack: only the checksum behind the archive's end tells.
#[test]
fn a_wrong_checksum_behind_the_end_of_an_archive_is_damage() {
    let whole = container("run.tar");
    let files = |bytes: &[u8]| unpacked("run.tar.gz", bytes, Limits::default());
    for padding in [0, 300_000] {
        let tar = [whole.clone(), vec![0; padding]].concat();
        let packed = gzipped(&tar);
        assert_eq!(files(&packed).1, [], "{padding}");
        // The trailer is a CRC-32 and the length.
        for from_end in [8, 4] {
            let mut packed = packed.clone();
            let index = packed.len() - from_end;
            packed[index] ^= 1;
            let (found, problems) = files(&packed);
            assert_eq!(found, files(&gzipped(&tar)).0, "all files are kept");
            let [
                ArchiveProblem::Damaged {
                    words: Some(words), ..
                },
            ] = &problems[..]
            else {
                panic!("{problems:?}")
            };
            assert!(words.contains("checksum"), "{words}");
        }
    }
    for name in ["run.tar.bz2", "run.tar.xz", "run.tar.zst"] {
        let mut packed = container(name);
        let index = packed.len() - if name.ends_with("xz") { 20 } else { 2 };
        packed[index] ^= 1;
        let problems = unpacked(name, &packed, Limits::default()).1;
        assert!(
            matches!(problems[..], [ArchiveProblem::Damaged { .. }]),
            "{name}: {problems:?}"
        );
    }
}

#[test]
fn flipped_bits_never_panic() {
    for name in ALL {
        let bytes = container(name);
        let mut state = 1u64;
        for _ in 0..150 {
            let mut damaged = bytes.clone();
            for _ in 0..3 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let index = (state >> 33) as usize % damaged.len();
                damaged[index] ^= 1 << (state >> 29 & 7);
            }
            unpacked(name, &damaged, Limits::default());
        }
    }
}

#[test]
fn limits_are_named() {
    let limits = Limits {
        bytes: 4 << 20,
        ratio: 100,
        ratio_from: 1 << 20,
        depth: 2,
        entries: 3,
    };
    let said = |name: &str, bytes: &[u8]| {
        let (files, problems) = unpacked(name, bytes, limits);
        let warnings: Vec<Warning> = problems.iter().map(Warning::from).collect();
        assert!(warnings.iter().all(|w| w.code == "archive-limit"
            && w.remedy.as_ref().is_some_and(|r| r.contains("--no-limits"))));
        (
            files.len(),
            warnings
                .into_iter()
                .map(|w| w.message)
                .collect::<Vec<_>>()
                .join(" "),
        )
    };
    let bomb = gzipped(&vec![0; 3 << 20]);
    assert_eq!(
        said("bomb.gz", &bomb),
        (
            0,
            "The file unpacks to more than 100 times its size, the limit against decompression \
            bombs."
                .into()
        )
    );
    let noise: Vec<u8> = (0..5u32 << 20)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    assert_eq!(
        said("large.gz", &gzipped(&noise)).1,
        "The file unpacks to more than 0 GiB, the limit."
    );
    assert_eq!(
        said("run.tar", &container("run.tar")),
        (3, "The archive has more than 3 files, the limit.".into())
    );
    let deep = gzipped(&gzipped(&gzipped(b"something")));
    assert_eq!(
        said("deep.gz", &deep),
        (0, "Nested more than 2 levels deep, the limit.".into())
    );
    let (files, problems) = unpacked("deep.gz", &deep, Limits::none());
    assert_eq!((files.len(), problems), (1, vec![]));
    let (files, problems) = unpacked("bomb.gz", &bomb, Limits::none());
    assert_eq!((files[0].1.len(), problems), (3 << 20, vec![]));
}

#[test]
fn a_header_that_promises_too_much() {
    let mut bytes = container("run.tar");
    bytes[124..136].copy_from_slice(b"77777777777\0");
    let sum: u32 = bytes[..512]
        .iter()
        .enumerate()
        .map(|(i, &b)| u32::from(if (148..156).contains(&i) { b' ' } else { b }))
        .sum();
    bytes[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let limits = Limits {
        bytes: 1 << 30,
        ..Limits::default()
    };
    let (files, problems) = unpacked("run.tar", &bytes, limits);
    assert_eq!(files, []);
    assert_eq!(
        problems[0].to_string(),
        "A header declares a file of 8589934591 bytes; the limit is 1 GiB."
    );
}

#[test]
fn an_xz_dictionary_of_4_gib_is_refused() {
    let mut bytes = container("trace.blktrace.1.xz");
    // Block header: size, flags, LZMA2, one byte of properties.
    assert_eq!(bytes[14..16], [0x21, 1]);
    bytes[16] = 40;
    let end = 12 + (usize::from(bytes[12]) + 1) * 4 - 4;
    let mut crc = flate2::Crc::new();
    crc.update(&bytes[12..end]);
    bytes[end..end + 4].copy_from_slice(&crc.sum().to_le_bytes());
    let (_, problems) = unpacked("trace.xz", &bytes, Limits::default());
    assert!(
        matches!(&problems[..], [problem] if problem.to_string() == "The xz data were compressed with a larger dictionary than the limit of 128 MiB."),
        "{problems:?}"
    );
}

/// `zstd --long=31` writes such a frame from a pipe: the size of the data is not known, the window
/// is 2^31 bytes.
#[test]
fn a_zstd_window_of_2_gib_is_not_damage() {
    let window = (31 - 10) << 3;
    // Magic, descriptor without flags, window; the last block, raw, of 2 bytes.
    let bytes = [
        0x28,
        0xb5,
        0x2f,
        0xfd,
        0,
        window,
        1 | 2 << 3,
        0,
        0,
        b'h',
        b'i',
    ];
    let (files, problems) = unpacked("run.zst", &bytes, Limits::default());
    assert_eq!(files, []);
    let [problem] = &problems[..] else {
        panic!("{problems:?}")
    };
    assert_eq!(
        problem.to_string(),
        "The zstd data were compressed with a window of 2048 MiB; the limit is 128 MiB."
    );
    // The same data within a window of 128 MiB.
    let smaller = [
        0x28,
        0xb5,
        0x2f,
        0xfd,
        0,
        (27 - 10) << 3,
        1 | 2 << 3,
        0,
        0,
        b'h',
        b'i',
    ];
    assert_eq!(
        unpacked("run.zst", &smaller, Limits::default()),
        (vec![("run".to_owned(), b"hi".to_vec())], vec![])
    );
}

/// Windows of all layers are in memory at once.
#[test]
fn a_window_within_a_window_is_smaller() {
    // The last block, raw, of these bytes.
    let frame = |log: u8, content: &[u8]| {
        let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3];
        bytes.extend(
            (1 | (content.len() as u32) << 3).to_le_bytes()[..3]
                .iter()
                .chain(content),
        );
        bytes
    };
    let nested = |logs: &[u8]| {
        logs.iter()
            .rfold(b"hi".to_vec(), |content, log| frame(*log, &content))
    };
    let said = |logs: &[u8]| {
        let (files, problems) = unpacked("run.zst.zst.zst", &nested(logs), Limits::default());
        (
            files.len(),
            problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        )
    };
    assert_eq!(said(&[27, 26, 24]), (1, vec![]));
    let refused = |needs: u32, limit: u32| {
        (
            0,
            vec![format!(
                "The zstd data were compressed with a window of {needs} MiB; the limit is {limit} \
                    MiB."
            )],
        )
    };
    assert_eq!(said(&[10, 27, 10]), refused(128, 68));
    assert_eq!(said(&[10, 10, 25]), refused(32, 16));
    // One after the other they are not.
    let both = [frame(27, b"h"), frame(27, b"i")].concat();
    assert_eq!(
        unpacked("run.zst", &both, Limits::default()),
        (vec![("run".to_owned(), b"hi".to_vec())], vec![])
    );
}

#[test]
fn an_empty_archive_says_so() {
    let mut empty = b"PK\x05\x06".to_vec();
    empty.resize(22, 0);
    let (files, problems) = unpacked("empty.zip", &empty, Limits::default());
    assert_eq!(
        (files, problems),
        (
            vec![],
            vec![ArchiveProblem::Empty {
                file: "empty.zip".into()
            }]
        )
    );
}
