//! Zoned disks, in real recordings (null_blk, host-managed, 16 zones of 16 MiB, two of them conventional).

use crate::common::{File, fixtures};
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::measure::Window;
use seekscope_core::measure::zones::{ZoneFigures, zones};
use seekscope_core::notes::{self, TracePaths, ZoneNote};
use seekscope_core::report::summary::summarise;
use seekscope_core::store::Store;
use std::io::Read;

fn unpacked(run: &str, name: &str) -> File {
    let path = fixtures().join("../zones").join(run).join(format!("{name}.xz"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut plain = Vec::new();
    lzma_rust2::XzReader::new(bytes.as_slice(), false).read_to_end(&mut plain).expect("the fixture decompresses");
    (name.to_owned(), plain)
}

/// What the texts next to a run say of its zones.
fn noted(run: &str, texts: &[&str]) -> Vec<ZoneNote> {
    let read = |name: &&str| {
        let bytes = std::fs::read(fixtures().join("../zones").join(run).join(name)).expect("a note can be read");
        notes::read(&format!("run/{name}"), &bytes)
    };
    let trace = TracePaths { label: "trace".to_owned(), paths: vec!["run/trace.blktrace.0".to_owned()] };
    notes::assign(&[trace], texts.iter().map(read).collect()).runs.swap_remove(0).zones
}

fn store(files: &[File], zones: Vec<ZoneNote>) -> Store {
    let parts = files.iter().map(|f| TraceFile { name: f.0.clone(), ..TraceFile::default() }).collect();
    let mut builder = TraceBuilder::new("test", "test", parts).with_zones(zones);
    for (i, file) in files.iter().enumerate() {
        builder.feed(i, &file.1);
        builder.close(i);
    }
    builder.finish().expect("a real recording can be read")
}

fn figures(run: &str, texts: &[&str]) -> Option<ZoneFigures> {
    let files = ["trace.blktrace.0", "trace.blktrace.1"].map(|name| unpacked(run, name));
    zones(&store(&files, noted(run, texts)), 0, Window::WHOLE)
}

#[test]
fn one_write_off_the_pointer_is_refused() {
    let texts = ["queue.txt", "zones.txt"];
    let found = figures("mgmt", &texts).expect("the notes have zones");
    // Open, close, finish, reset, and the reset of all; one dd wrote elsewhere, which the kernel refused.
    assert_eq!((found.zone_sectors, found.actions), (32768, 5));
    assert_eq!((found.refused, found.off_pointer, found.appends), (1, 0, 0), "{found:?}");
    assert!(found.writes > 100 && found.conventional > Some(0), "{found:?}");
    // Without the types of zones, the writes to conventional ones count too: they are in order here.
    let untyped = figures("mgmt", &["queue.txt"]).expect("the settings have zones");
    assert_eq!((untyped.conventional, untyped.writes), (None, found.writes + found.conventional.unwrap_or_default()));
    assert_eq!(figures("mgmt", &[]), None);
    // Trace points print actions as N without sectors, and the reset of all zones without a place.
    let text = store(&[unpacked("mgmt", "ftrace.txt")], noted("mgmt", &texts));
    let printed = zones(&text, 0, Window::WHOLE).expect("the notes have zones");
    assert_eq!((printed.actions, printed.writes, printed.refused), (found.actions - 1, found.writes, 1));
    let document = serde_json::to_value(summarise(&text, Window::WHOLE, None)).expect("a document");
    assert_eq!(document["devices"][0]["zones"]["refused"], 1);
}

#[test]
fn writes_in_order_and_appends() {
    let fio = figures("fio", &["queue.txt", "zones.txt"]).expect("the notes have zones");
    assert!(fio.writes > 500 && fio.zones >= 3, "{fio:?}");
    assert_eq!((fio.off_pointer, fio.appends), (0, 0), "{fio:?}");
    let append = figures("append", &["queue.txt", "zones.txt"]).expect("the notes have zones");
    assert!(append.appends > 20, "{append:?}");
    assert_eq!(append.off_pointer, 0, "{append:?}");
}
