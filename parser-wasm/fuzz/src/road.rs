//! One file all the way: intake, decoding, and all that the page and the command line do with a
//! trace. Reading in pieces must give the same as reading at once, because the position of a cut
//! decides which code sees a record.

use crate::questions::page;
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::compare::digest;
use seekscope_core::compare::{Outcome, compare};
use seekscope_core::error::Error;
use seekscope_core::intake::{PROBE_BYTES, Probe, group};
use seekscope_core::measure::Window;
use seekscope_core::notes::BlockNote;
use seekscope_core::plot::{Index, InfoCounter, View, answer};
use seekscope_core::report::{blkparse_summary, blkparse_text, btt_text, summary::summarise};
use seekscope_core::store::{Store, Warning};

/// The ends of a file as the intake sees them.
pub(crate) fn probe(name: &str, data: &[u8]) -> Probe {
    Probe {
        name: name.to_owned(),
        path: name.to_owned(),
        size: data.len() as u64,
        last_modified: None,
        head: data[..data.len().min(PROBE_BYTES)].to_vec(),
        tail: data[data.len().saturating_sub(PROBE_BYTES)..].to_vec(),
        ..Probe::default()
    }
}

/// Reads files in pieces of `piece` bytes. With `half_way` it also queries the trace when half of a
/// file was read.
pub(crate) fn read(files: &[(&str, &[u8])], piece: usize, half_way: bool) -> Result<Store, Error> {
    read_as(files, None, piece, half_way)
}

fn read_as(
    files: &[(&str, &[u8])],
    pattern: Option<&str>,
    piece: usize,
    half_way: bool,
) -> Result<Store, Error> {
    let pattern = pattern.map(str::to_owned);
    let part = |(name, data): &(&str, &[u8])| TraceFile {
        name: (*name).to_owned(),
        size: data.len() as u64,
        pattern: pattern.clone(),
    };
    // For every fourth input a note says that the disk has large blocks.
    let large = files
        .first()
        .is_some_and(|(_, data)| noise(data).is_multiple_of(4));
    let blocks = if large {
        vec![BlockNote {
            device: None,
            bytes: 1 << 16,
        }]
    } else {
        Vec::new()
    };
    let mut builder =
        TraceBuilder::new("fuzz", "fuzz", files.iter().map(part).collect()).with_blocks(blocks);
    let mut offsets = vec![0; files.len()];
    while let Some(i) = builder.hungry() {
        let data = files[i].1;
        let end = (offsets[i] + piece).min(data.len());
        builder.feed(i, &data[offsets[i]..end]);
        if half_way && offsets[i] <= data.len() / 2 && end > data.len() / 2 {
            ask(builder.partial(), &Index::default(), noise(data));
        }
        offsets[i] = end;
        if end == data.len() {
            builder.close(i);
        }
    }
    builder.finish()
}

/// The target: one file of any format.
pub(crate) fn one_file(data: &[u8]) {
    each_way(data, None);
}

/// The target: a format of `blkparse -f`, a line end, and text.
pub(crate) fn with_pattern(data: &[u8]) {
    let (format, text) = data.split_at(data.iter().position(|&b| b == b'\n').unwrap_or(data.len()));
    each_way(
        text.get(1..).unwrap_or_default(),
        Some(&String::from_utf8_lossy(format)),
    );
}

fn each_way(data: &[u8], pattern: Option<&str>) {
    let grouping = group(&[Probe {
        pattern: pattern.map(str::to_owned),
        ..probe("trace.blktrace.0", data)
    }]);
    for (_, error) in &grouping.rejected {
        helpful(error);
    }
    let files = [("trace.blktrace.0", data)];
    let noise = noise(data);
    // Short files are read byte by byte.
    let piece = 1 + noise % (data.len() / 64 + 1).min(257);
    let whole = read_as(&files, pattern, 1 << 20, false);
    let pieces = read_as(&files, pattern, piece, true);
    match (whole, pieces) {
        (Ok(whole), Ok(pieces)) => {
            assert_eq!(outline(&whole), outline(&pieces), "in pieces of {piece}");
            in_order(&pieces);
            everything(&whole, noise);
        }
        (Err(whole), Err(pieces)) => {
            assert_eq!(whole, pieces, "in pieces of {piece}");
            helpful(&whole);
        }
        (whole, pieces) => panic!(
            "in pieces of {piece}: {:?} or {:?}",
            whole.err(),
            pieces.err()
        ),
    }
}

/// A number that the bytes decide.
pub(crate) fn noise(data: &[u8]) -> usize {
    let sum = data.iter().fold(data.len() as u64, |sum, &b| {
        (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    (sum >> 32) as usize
}

/// What must be equal for a file read at once and in pieces.
fn outline(store: &Store) -> (usize, usize, usize, u64, &[Warning]) {
    (
        store.events.len(),
        store.requests.len(),
        store.messages.rows.len(),
        store.span(),
        &store.quality.warnings,
    )
}

/// An error must say what to do.
fn helpful(error: &Error) {
    assert!(
        !error.code.is_empty() && error.message.len() > 10,
        "{error:?}"
    );
    assert!(
        error.remedy.is_some_and(|remedy| remedy.len() > 10),
        "{error:?}"
    );
}

fn in_order(store: &Store) {
    let e = &store.events;
    assert!(
        (1..e.len()).all(|i| e.time(i - 1) <= e.time(i)),
        "events are in time order"
    );
}

/// What every complete trace must withstand. `noise` chooses a few of many queries.
pub(crate) fn everything(store: &Store, noise: usize) {
    let e = &store.events;
    assert!(store.complete && !e.is_empty());
    in_order(store);
    assert!(
        store.requests.len() <= 2 * e.len(),
        "{} requests of {} events",
        store.requests.len(),
        e.len()
    );
    for warning in &store.quality.warnings {
        assert!(
            !warning.code.is_empty() && warning.message.len() > 10,
            "{warning:?}"
        );
    }
    let geometry = [
        "unit=64KiB,disks=3,level=raid5",
        "unit=512KiB,disks=4,level=raid0,start=63s",
        "",
    ][noise % 3];
    let summary = summarise(store, Window::WHOLE, geometry.parse().ok());
    assert!(serde_json::to_string(&summary).is_ok());
    let (mut from, mut text) = (0, Some(String::new()));
    while text.is_some() {
        text = blkparse_text::text(store, from, 100, blkparse_text::MessageLines::All);
        from += 100;
    }
    blkparse_summary::summary(store);
    btt_text::text(store);
    ask(store, &Index::new(store), noise);
    if noise.is_multiple_of(COMPARED) {
        with_itself(store);
    }
}

/// One in so many traces is compared with itself.
const COMPARED: usize = 8;

/// A trace must be equal to itself.
fn with_itself(store: &Store) {
    let digest =
        serde_json::to_value(digest(store, Window::WHOLE, None)).expect("a digest is JSON");
    let runs = serde_json::json!({ "runs": [{ "label": "a", "trace": digest }, { "label": "b", "trace": digest }] });
    let document = compare(&serde_json::from_value(runs).expect("a digest comes back"));
    let Some(first) = document.first else { return };
    assert!(
        first.outcome == Outcome::Equal && first.work.same,
        "{:?} {:?}",
        first.outcome,
        first.work
    );
    for finding in first.findings {
        assert!(
            matches!(finding.code, "no-real-difference" | "trace-incomplete"),
            "{finding:?}"
        );
    }
}

/// One in so many queries of the page is made.
const CHOICE: usize = 6;

fn ask(store: &Store, index: &Index, noise: usize) {
    let mut tally = InfoCounter::default();
    tally.advance(store);
    tally.info(store);
    for device in 0..store.devices.len().min(2) {
        for (kind, question) in page(store, device)
            .into_iter()
            .skip(noise % CHOICE)
            .step_by(CHOICE)
        {
            let refusal = answer(View { store, index }, kind, &question.to_string())
                .err()
                .map(|refusal| refusal.0);
            // A device without requests has no depth, for instance.
            assert!(
                !refusal
                    .as_ref()
                    .is_some_and(|r| r.is_empty() || r.contains("parameters")),
                "{kind} {question}: {refusal:?}"
            );
        }
    }
}
