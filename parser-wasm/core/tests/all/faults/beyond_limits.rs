//! Numbers that are each possible, and beyond the limits when they are scaled or added up: what has
//! one is left out or read as the limit, and a warning says so.

use crate::common::{File, fed, parts_of, recording};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::limits::MAX_EXACT;
use seekscope_core::notes::{self, TracePaths};
use seekscope_core::store::{LossEvidence, LossInterval, Store};

fn read(builder: TraceBuilder, files: &[File]) -> Store {
    fed(builder, files, 1 << 20).0.finish().expect("events")
}

fn file(name: &str, text: &str) -> File {
    (name.to_owned(), text.as_bytes().to_vec())
}

/// Code, file, line and text of each warning.
fn warnings(store: &Store) -> Vec<(&str, &str, Option<u64>, &str)> {
    let place = |w: &'_ seekscope_core::store::Warning| {
        w.at.as_ref().and_then(|place| place.line.map(u64::from))
    };
    let found = store.quality.warnings.iter();
    found
        .map(|w| {
            let file = w.at.as_ref().map_or("", |place| place.file.as_str());
            (w.code.as_str(), file, place(w), w.message.as_str())
        })
        .collect()
}

/// Start and end of a WRITE SAME (16) in the text of ftrace.
fn write_same(time: u64, tag: u64, first: u64, blocks: u32) -> String {
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|b| format!(" {b:02x}")).collect() };
    let raw = format!(
        "93 00{}{} 00 00",
        hex(&first.to_be_bytes()),
        hex(&blocks.to_be_bytes())
    );
    let line = |microsecond: u64, point: &str, end: &str| {
        format!(
            "dd-1 [000] .... 1.{microsecond:06}: scsi_dispatch_cmd_{point}: host_no=0 channel=0 \
             id=0 lun=0 data_sgl=0 prot_sgl=0 driver_tag={tag} cmnd=(WRITE_SAME_16 raw={raw}){end}\n"
        )
    };
    let done =
        " result=(driver=DRIVER_OK host=DID_OK message=COMMAND_COMPLETE status=SAM_STAT_GOOD)";
    line(time, "start", "") + &line(time + 1, "done", done)
}

/// Code, line and text of a warning.
type Found = (String, Option<u64>, String);

/// Lengths of the requests, and the warnings.
fn commands(text: &str, block: u32) -> (Vec<u32>, Vec<Found>) {
    let files = [file("trace.txt", text)];
    let setting = format!("/sys/block/sda/queue/logical_block_size:{block}\n");
    let trace = TracePaths {
        label: "trace".to_owned(),
        paths: vec!["trace.txt".to_owned()],
    };
    let note = notes::read("settings.txt", setting.as_bytes());
    let blocks = notes::assign(&[trace], vec![note])
        .runs
        .swap_remove(0)
        .blocks;
    let builder = TraceBuilder::new("test", "test", parts_of(&files)).with_blocks(blocks);
    let store = read(builder, &files);
    let found = warnings(&store).into_iter();
    (
        (0..store.requests.len())
            .map(|row| store.requests.row(row).bytes())
            .collect(),
        found
            .map(|(code, file, line, message)| {
                assert_eq!((code, file), ("number-outliers", "trace.txt"), "{message}");
                (code.to_owned(), line, message.to_owned())
            })
            .collect(),
    )
}

#[test]
fn a_command_longer_than_the_kernel_allows_is_left_out() {
    let longest = u32::MAX >> 9;
    let text = write_same(10, 1, 8, longest)
        + &write_same(20, 2, 8, longest + 1)
        + &write_same(30, 3, 8, u32::MAX)
        + &write_same(40, 4, 8, 8);
    let (lengths, found) = commands(&text, 512);
    assert_eq!(lengths, [longest << 9, 4096]);
    let message = "Left out 4 events with an impossible length; the first has 4294967296 bytes.";
    assert_eq!(
        found,
        [("number-outliers".to_owned(), Some(3), message.to_owned())]
    );
}

#[test]
fn a_command_that_larger_blocks_make_too_long_or_too_far_is_left_out() {
    let longest = u32::MAX >> 12;
    let far = MAX_EXACT / 8 + 1;
    let last = far - (1 << 20);
    let text = write_same(10, 1, 8, longest)
        + &write_same(20, 2, 8, longest + 1)
        + &write_same(30, 3, far, 8)
        + &write_same(40, 4, last, 8);
    let (lengths, found) = commands(&text, 4096);
    assert_eq!(lengths, [longest << 12, 8 << 12]);
    let message = "Left out 4 events with an impossible length; the first has 4294967296 bytes.";
    assert_eq!(
        found,
        [("number-outliers".to_owned(), None, message.to_owned())]
    );
    // In blocks of 512 bytes all of them are possible.
    let (lengths, found) = commands(&text, 512);
    assert_eq!((lengths.len(), found), (4, vec![]));
}

#[test]
fn a_command_whose_time_cannot_be_is_not_counted() {
    let moved_to =
        |line: &str, seconds: &str| line.replacen(" 1.", &format!(" {seconds}."), 1) + "\n";
    let block = |time: u64| {
        format!("dd-1 [000] .... 1.{time:06}: block_rq_issue: 8,0 W 4096 () 8 + 8 [dd]\n")
    };
    let command = |second_end: &str| {
        let pair = write_same(20, 2, 8, 8);
        let (start, done) = pair.split_once('\n').expect("two lines");
        format!("{start}\n{}", moved_to(done.trim_end(), second_end))
    };
    let read_text = |text: &str| {
        let files = [file("trace.txt", text)];
        read(TraceBuilder::new("test", "test", parts_of(&files)), &files)
    };
    // The first is after 146 years, which no clock has; the second after 105 days, which no command
    // takes.
    for end in ["9000000000", "9100000"] {
        let text = block(10) + &write_same(12, 1, 8, 8) + &block(19) + &command(end);
        let store = read_text(&text);
        let drivers = store.quality.drivers;
        assert_eq!((drivers.completed, drivers.longest_ns), (1, 1000), "{end}");
        let found: Vec<_> = warnings(&store)
            .into_iter()
            .filter(|w| w.0 == "time-outliers")
            .map(|w| (w.1, w.2))
            .collect();
        assert_eq!(found, [("trace.txt", Some(6))], "{end}");
    }
    let store = read_text(&(block(10) + &block(19) + &command("9000")));
    assert_eq!(store.quality.drivers.longest_ns, 8_999_000_001_000);
}

#[test]
fn counts_of_several_files_that_cannot_be_together_are_reported() {
    let text = |lost: u64| {
        let line =
            |time: u64| format!("dd-1 [000] .... 1.{time:06}: block_bio_queue: 8,0 W 8 + 8 [dd]\n");
        format!("{}CPU:0 [LOST {lost} EVENTS]\n{}", line(1), line(2))
    };
    let reported = |counts: [u64; 2]| {
        let files = [
            file("a/trace.txt", &text(counts[0])),
            file("b/trace.txt", &text(counts[1])),
        ];
        let store = read(TraceBuilder::new("test", "test", parts_of(&files)), &files);
        let found: Vec<_> = warnings(&store)
            .into_iter()
            .filter(|w| w.0 == "count-outliers")
            .map(|w| (w.1.to_owned(), w.2))
            .collect();
        (store.quality.lost_events, found)
    };
    let half = MAX_EXACT / 2;
    assert_eq!(reported([half, half]), (2 * half, vec![]));
    assert_eq!(
        reported([half, half + 2]),
        (MAX_EXACT, vec![("b/trace.txt".to_owned(), None)])
    );
    // A count that cannot be by itself is reported once, with its line.
    assert_eq!(
        reported([MAX_EXACT + 1, 5]),
        (MAX_EXACT, vec![("a/trace.txt".to_owned(), Some(2))])
    );
}

#[test]
fn drops_of_several_devices_that_cannot_be_together_are_reported() {
    let drops = |counts: [u64; 2]| {
        let [first, second] = counts;
        let text = format!(
            "=== sda ===\n  Total:  5 events (dropped {first}),  7 KiB data\n\
             === sdb ===\n  Total:  5 events (dropped {second}),  7 KiB data\n"
        );
        let trace = TracePaths {
            label: "run".to_owned(),
            paths: ["sda", "sdb"].map(|d| format!("run/{d}.blktrace.0")).into(),
        };
        let note = notes::read("run/blktrace.log", text.as_bytes());
        let facts = notes::assign(&[trace], vec![note]).runs.remove(0);
        let files = recording("raid5-misaligned");
        let builder = TraceBuilder::new("sda", "sda", parts_of(&files));
        let store = read(builder.with_dropped(facts.dropped), &files);
        let codes: Vec<String> = warnings(&store)
            .iter()
            .filter(|w| w.0 == "count-outliers")
            .map(|w| w.1.to_owned())
            .collect();
        (store.quality.lost_events, codes)
    };
    assert_eq!(drops([3, 4]), (7, vec![]));
    assert_eq!(
        drops([MAX_EXACT, 4]),
        (MAX_EXACT, vec!["run/blktrace.log".to_owned()])
    );
}

#[test]
fn losses_that_become_one_interval_are_at_most_an_exact_number() {
    let interval = |from: u64| LossInterval {
        device: 0,
        cpu: 0,
        from,
        to: from + 1,
        loss: LossEvidence::SequenceGap { events: MAX_EXACT },
    };
    let mut intervals = vec![interval(0), interval(10)];
    LossInterval::bound(&mut intervals, 1);
    let events = MAX_EXACT;
    assert_eq!(
        intervals
            .iter()
            .map(|interval| interval.loss)
            .collect::<Vec<_>>(),
        [LossEvidence::SequenceGap { events }]
    );
}
