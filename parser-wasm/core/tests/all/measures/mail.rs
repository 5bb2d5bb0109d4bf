//! The text for mails of a real pair: four writers under bfq, with and without idling.

use seekscope_core::compare::digest;
use seekscope_core::compare::{CompareQuery, ComparedRun, compare, mail};
use seekscope_core::measure::Window;
use std::io::Read;
use std::path::{Path, PathBuf};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../public/samples/idling")
}

fn run(folder: &str, label: &str) -> ComparedRun {
    let files = std::fs::read_dir(samples().join(folder))
        .expect("the sample exists")
        .map(|entry| {
            let path = entry.expect("a folder can be listed").path();
            let mut bytes = Vec::new();
            let file = std::fs::File::open(&path).expect("a sample can be read");
            flate2::read::GzDecoder::new(file)
                .read_to_end(&mut bytes)
                .expect("a sample is gzip");
            (
                path.file_stem()
                    .expect("a file has a name")
                    .to_string_lossy()
                    .into_owned(),
                bytes,
            )
        });
    let mut files: Vec<crate::common::File> = files.collect();
    files.sort();
    let store = crate::common::read(&files, 1 << 16);
    let trace = digest(&store, Window::WHOLE, None);
    ComparedRun {
        label: label.to_owned(),
        kernel: Some("6.1.0-47-amd64".to_owned()),
        trace,
        ..ComparedRun::default()
    }
}

/// After a change that is meant: `UPDATE=1 cargo test -p seekscope-core --test mail`, and look at
/// the difference.
#[test]
fn a_real_pair() {
    let asked = CompareQuery {
        runs: vec![
            run("a", "bfq, slice_idle 0"),
            run("b", "bfq, slice_idle 8 ms"),
        ],
        baseline: 0,
        noise: None,
    };
    let text = mail::text(&asked, &compare(&asked));
    for line in text.lines() {
        assert!(
            line.len() <= 72 && line.bytes().all(|b| (b' '..=b'~').contains(&b)),
            "{line}"
        );
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail.golden.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&golden, &text).expect("the golden text can be written");
    }
    assert_eq!(
        text,
        std::fs::read_to_string(&golden).expect("the golden text is there")
    );
}
