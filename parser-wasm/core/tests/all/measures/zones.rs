//! Zoned disks, in real recordings (null_blk, host-managed, 16 zones of 16 MiB, two of them
//! conventional).

use crate::common::{read_with_zones, zone_notes, zoned_file};
use seekscope_core::measure::Window;
use seekscope_core::measure::zones::{ZoneFigures, ZoneKind, zones};
use seekscope_core::report::summary::summarise;

fn figures(run: &str, texts: &[&str]) -> Option<ZoneFigures> {
    let files = ["trace.blktrace.0", "trace.blktrace.1"].map(|name| zoned_file(run, name));
    zones(
        &read_with_zones(&files, zone_notes(run, texts)),
        0,
        Window::WHOLE,
    )
}

#[test]
fn one_write_off_the_pointer_is_refused() {
    let texts = ["queue.txt", "zones.txt"];
    let found = figures("mgmt", &texts).expect("the notes have zones");
    // Open, close, finish, reset, and the reset of all; one dd wrote elsewhere, which the kernel
    // refused.
    assert_eq!((found.zone_sectors, found.actions), (32768, 5));
    assert_eq!(
        found.actions_by_name,
        [(ZoneKind::Action, 4), (ZoneKind::ResetAll, 1)].into()
    );
    assert_eq!(
        (found.refused, found.off_pointer, found.appends),
        (Some(1), 0, 0),
        "{found:?}"
    );
    assert!(
        found.writes > 100 && found.conventional > Some(0),
        "{found:?}"
    );
    // Without the types of zones, the writes to conventional ones count, too: they are in order
    // here.
    let untyped = figures("mgmt", &["queue.txt"]).expect("the settings have zones");
    assert_eq!(
        (untyped.conventional, untyped.writes),
        (None, found.writes + found.conventional.unwrap_or_default())
    );
    assert_eq!(figures("mgmt", &[]), None);
    // Trace points print actions as N without sectors, and the reset of all zones without a place.
    let text = read_with_zones(
        &[zoned_file("mgmt", "ftrace.txt")],
        zone_notes("mgmt", &texts),
    );
    let printed = zones(&text, 0, Window::WHOLE).expect("the notes have zones");
    assert_eq!(
        (printed.actions, printed.writes, printed.refused),
        (found.actions - 1, found.writes, Some(1))
    );
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

/// D and C of zonefs's appends: the data go where the write pointer is, and only C has that place.
#[test]
fn appends_complete_where_their_data_are() {
    let files = ["trace.blktrace.0", "trace.blktrace.1"].map(|name| zoned_file("append", name));
    let noted = read_with_zones(&files, zone_notes("append", &["queue.txt", "zones.txt"]));
    let unknown = read_with_zones(&files, Vec::new());
    assert!(
        unknown.quality.unmatched.c > 40 && unknown.quality.unmatched.d > 40,
        "{:?}",
        unknown.quality.unmatched
    );
    let unmatched = &noted.quality.unmatched;
    assert_eq!((unmatched.q, unmatched.d, unmatched.c), (0, 0, 0));
    let requests = &noted.requests;
    let with_data: Vec<usize> = (0..requests.len())
        .filter(|&i| requests.row(i).bytes() > 0)
        .collect();
    assert!(
        with_data.len() > 50
            && with_data
                .iter()
                .all(|&i| requests.row(i).completed().is_some())
    );
    // No sector was written twice between two resets: all places differ in the first second.
    let early = with_data
        .iter()
        .filter(|&&i| requests.row(i).start() < 1_000_000_000);
    let places: std::collections::BTreeSet<u64> =
        early.clone().map(|&i| requests.row(i).sector()).collect();
    assert_eq!(places.len(), early.count());
    let longest = with_data
        .iter()
        .filter_map(|&i| requests.row(i).d2c())
        .max();
    assert!(longest.is_some_and(|ns| ns < 20_000_000), "{longest:?}");
}
