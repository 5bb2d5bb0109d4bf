//! Tracepoints of limiters, in real recordings of Linux 6.12 cut to D, C and these: their values
//! are lanes of the disk, whatever name the tracepoint has for it.

use super::tracefs::{perf_data, trace_dat};
use crate::common::{File, fixtures, read};
use seekscope_core::measure::Window;
use seekscope_core::report::summary::summarise;
use seekscope_core::store::Store;
use seekscope_core::store::lanes::{LaneKind, LaneLimiter, LaneUnit};
use std::io::Read;

fn unpacked(name: &str) -> File {
    let path = fixtures().join("../tracepoints").join(format!("{name}.xz"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut plain = Vec::new();
    lzma_rust2::XzReader::new(bytes.as_slice(), false)
        .read_to_end(&mut plain)
        .expect("the fixture decompresses");
    (name.to_owned(), plain)
}

/// Name, device, samples, and first and last value of each lane.
fn lanes(store: &Store) -> Vec<(String, String, usize, f64, f64)> {
    let ends = |s: &[seekscope_core::store::lanes::LaneSample]| {
        (
            s.first().map_or(0.0, |s| s.value),
            s.last().map_or(0.0, |s| s.value),
        )
    };
    let row = |lane: &seekscope_core::store::lanes::Lane| {
        let (first, last) = ends(&lane.samples);
        (
            lane.name.clone(),
            lane.subject.label(),
            lane.samples.len(),
            first,
            last,
        )
    };
    store.lanes.rows.iter().map(row).collect()
}

fn named_lane(
    name: &str,
    device: &str,
    n: usize,
    first: f64,
    last: f64,
) -> (String, String, usize, f64, f64) {
    (name.to_owned(), device.to_owned(), n, first, last)
}

#[test]
fn values_become_lanes_of_the_disk() {
    let wbt = read(&[unpacked("wbt.txt")], 4096);
    assert_eq!(
        (
            wbt.devices.len(),
            wbt.devices[0].name.as_str(),
            wbt.quality.warnings.len()
        ),
        (1, "254,0", 0)
    );
    let found = lanes(&wbt);
    assert_eq!(found[0].0, "step");
    assert_eq!(
        (found[0].1.as_str(), found[0].2, found[0].3),
        ("254,0", 24, 0.0)
    );
    assert!(
        found.contains(&named_lane(
            "normal",
            "254,0",
            8,
            16.0,
            found
                .iter()
                .find(|l| l.0 == "normal")
                .expect("it is there")
                .4
        ))
    );
    let kyber = read(&[unpacked("kyber.txt")], 4096);
    let n: usize = lanes(&kyber).iter().map(|lane| lane.2).sum();
    assert_eq!(n, 5);
    assert!(
        lanes(&kyber).contains(&named_lane("write latency", "254,0", 3, 2.0, 2.0)),
        "{:?}",
        lanes(&kyber)
    );
    // iocost has the disk's name, and the trace only its number.
    let iocost = read(&[unpacked("iocost.txt")], 4096);
    let found = lanes(&iocost);
    assert!(found.iter().all(|lane| lane.1 == "254,0"), "{found:?}");
    assert_eq!(
        found
            .iter()
            .find(|lane| lane.0 == "vrate")
            .map(|lane| (lane.2, lane.3)),
        Some((54, 1.0))
    );
    assert_eq!(
        found
            .iter()
            .find(|lane| lane.0 == "shortage")
            .map(|lane| lane.2),
        Some(1)
    );
    for store in [&wbt, &kyber, &iocost] {
        assert_eq!(store.lanes.sources.len(), 1);
        let span = store.span() as i64;
        for lane in &store.lanes.rows {
            assert!(
                lane.samples.windows(2).all(|w| w[0].time <= w[1].time),
                "{}",
                lane.name
            );
            assert!(
                lane.samples
                    .iter()
                    .all(|s| s.time > -100_000_000 && s.time < span + 2_000_000_000),
                "{}",
                lane.name
            );
        }
    }
    let rate = iocost
        .lanes
        .rows
        .iter()
        .find(|lane| lane.name == "vrate")
        .expect("it is there");
    assert_eq!((rate.kind, rate.unit), (LaneKind::Gauge, LaneUnit::Share));
    let document =
        serde_json::to_value(summarise(&iocost, Window::WHOLE, None)).expect("a document");
    assert!(
        document["counters"].to_string().contains("\"vrate\""),
        "{}",
        document["counters"]
    );
}

/// Lines of Linux 6.1 and 6.12 that the recordings do not have, and of block_rq_tag_wait (7.2),
/// which is made from its documentation.
const MORE: [&str; 7] = [
    "wbt_lat: 254:0: latency 2379us",
    "wbt_stat: 254:0: rmean=6258486, rmin=2379901, rmax=8551005, rsamples=6, wmean=0, wmin=0, \
        wmax=0, wsamples=0",
    "kyber_adjust: 254,0 READ 128",
    "kyber_adjust: 254,0 OTHER 3",
    "kyber_throttled: 254,0 WRITE",
    "block_rq_tag_wait: 254,0 hctx=0 starved on hardware tags (depth=64)",
    "block_rq_tag_wait: 254,0 hctx=1 starved on scheduler tags (depth=256)",
];

#[test]
fn twins_of_text_and_binary_have_the_same_lanes() {
    for name in ["wbt.txt", "kyber.txt", "iocost.txt"] {
        let mut text = String::from_utf8(unpacked(name).1).expect("it is text");
        for (i, line) in MORE.iter().enumerate() {
            text += &format!("     fio-680     [000] d..2.    90.00000{i}: {line}\n");
        }
        let of_text = read(&[(name.to_owned(), text.clone().into_bytes())], 1 << 16);
        assert!(
            of_text.lanes.rows.len() >= 8 && of_text.requests.len() > 200,
            "{name}"
        );
        for (format, bytes) in [
            ("trace.dat", trace_dat(&text, false)),
            ("trace.dat", trace_dat(&text, true)),
            ("perf.data", perf_data(&text)),
        ] {
            let binary = read(&[(format.to_owned(), bytes)], 1 << 16);
            assert_eq!(binary.format, format);
            assert_eq!(
                binary.requests.len(),
                of_text.requests.len(),
                "{name}, {format}"
            );
            assert_eq!(binary.lanes.rows, of_text.lanes.rows, "{name}, {format}");
            assert_eq!(
                binary.lanes.sources, of_text.lanes.sources,
                "{name}, {format}"
            );
            // The binary describes its events, so that it is known that none occurred.
            assert_eq!(
                binary.lanes.recorded,
                [
                    LaneLimiter::Wbt,
                    LaneLimiter::Kyber,
                    LaneLimiter::Iocost,
                    LaneLimiter::Tags
                ]
            );
            assert_eq!(binary.quality.warnings, [], "{name}, {format}");
        }
    }
}
