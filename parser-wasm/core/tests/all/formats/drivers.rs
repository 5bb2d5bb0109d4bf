//! Commands of the nvme and scsi drivers: real recordings in which blktrace, the block trace points
//! and those of the driver ran at the same time. Cut to the driver's events, they give the requests
//! that blktrace recorded.

use crate::common::{File, fixtures, read};
use seekscope_core::builder::{TraceBuilder, TraceFile};
use seekscope_core::capabilities::Capabilities;
use seekscope_core::event::{Action, Flags, Op};
use seekscope_core::measure::Window;
use seekscope_core::notes::{BlockNote, TracePaths, assign};
use seekscope_core::report::summary::summarise;
use seekscope_core::store::{BlockSource, LogicalBlock, Store};
use std::io::Read;

fn unpacked(run: &str, name: &str) -> File {
    let path = fixtures()
        .join("../drivers")
        .join(run)
        .join(format!("{name}.xz"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut plain = Vec::new();
    lzma_rust2::XzReader::new(bytes.as_slice(), false)
        .read_to_end(&mut plain)
        .expect("the fixture decompresses");
    (name.to_owned(), plain)
}

fn twin(run: &str) -> Store {
    read(
        &["trace.blktrace.0", "trace.blktrace.1"].map(|name| unpacked(run, name)),
        1 << 20,
    )
}

/// The text without the block events.
fn only_commands(run: &str, name: &str) -> File {
    let (name, text) = unpacked(run, name);
    let text = String::from_utf8(text).expect("a text");
    (
        name,
        text.lines()
            .filter(|line| !line.contains("block_"))
            .flat_map(|line| [line, "\n"])
            .collect::<String>()
            .into_bytes(),
    )
}

/// A perf.data of which only the events are known whose names begin with one of these.
fn perf_with(run: &str, selected: &[&str]) -> File {
    let (name, mut bytes) = unpacked(run, "perf.data");
    let places: Vec<usize> = memchr::memmem::find_iter(&bytes, b"name: ")
        .map(|index| index + 6)
        .collect();
    assert!(places.len() > 10);
    places
        .into_iter()
        .filter(|&index| {
            !selected
                .iter()
                .any(|k| bytes[index..].starts_with(k.as_bytes()))
        })
        .collect::<Vec<_>>()
        .into_iter()
        .for_each(|index| bytes[index] = b'X');
    (name, bytes)
}

/// Direction, sector and bytes of the events of this kind that have data, in their order.
fn with_data(store: &Store, action: Action) -> Vec<(Op, u64, u32)> {
    let e = &store.events;
    let wanted =
        |&i: &usize| e.action(i) == action && e.bytes(i) > 0 && !e.flags(i).has(Flags::DISCARD);
    let mut rows: Vec<_> = (0..e.len())
        .filter(wanted)
        .map(|i| (e.flags(i).op(e.bytes(i)), e.sector(i), e.bytes(i)))
        .collect();
    rows.sort_unstable();
    rows
}

fn count(store: &Store, action: Action) -> usize {
    (0..store.events.len())
        .filter(|&i| store.events.action(i) == action)
        .count()
}

fn requests(run: &str, files: &[File], name: &str, formats: &str) {
    let (store, twin) = (read(files, 1 << 20), twin(run));
    assert_eq!(
        (store.format.as_str(), store.devices.len()),
        (formats, 1),
        "{run}"
    );
    assert_eq!(store.devices[0].name, name, "{run}");
    let document =
        serde_json::to_value(summarise(&store, Window::WHOLE, None)).expect("a document");
    assert_eq!(document["devices"][0]["name"], name, "{run}");
    let driver = store.quality.drivers;
    assert!(
        driver.requests
            && driver.nvme + driver.scsi == 435
            && driver.completed == 435
            && driver.unmatched == 0,
        "{driver:?}"
    );
    for action in [Action::Issue, Action::Complete] {
        assert_eq!(
            with_data(&store, action),
            with_data(&twin, action),
            "{run} {action:?}"
        );
        assert_eq!(with_data(&store, action).len(), 433, "{run}");
        assert_eq!(count(&store, action), 435, "{run} {action:?}");
    }
    // blktrace also reports that the bio of the flush is done.
    assert_eq!(
        (count(&twin, Action::Issue), count(&twin, Action::Complete)),
        (435, 436),
        "{run}"
    );
    // A flush and a discard, whose ranges are not in its command.
    let ops = |s: &Store, op: Op| {
        (0..s.requests.len())
            .filter(|&i| s.requests.row(i).flags().op(s.requests.row(i).bytes()) == op)
            .count()
    };
    assert_eq!(
        (ops(&store, Op::Flush), ops(&store, Op::Discard)),
        (1, 1),
        "{run}"
    );
    assert_eq!(
        (ops(&twin, Op::Flush), ops(&twin, Op::Discard)),
        (1, 1),
        "{run}"
    );
    assert_eq!(store.quality.unmatched, Default::default(), "{run}");
    assert!(
        (0..store.requests.len()).all(|i| store.requests.row(i).d2c().is_some()),
        "{run}: every command is complete"
    );
    assert_eq!(
        (
            store.devices[0].recorded.letters(),
            store.devices[0].recorded.row().name()
        ),
        ("DC".to_owned(), "request")
    );
    let lacks = [
        Capabilities::QUEUES,
        Capabilities::HINTS,
        Capabilities::INSERTS,
        Capabilities::PLUGS,
    ];
    assert!(lacks.iter().all(|c| !store.capabilities.has(*c)), "{run}");
    assert!(
        store
            .capabilities
            .has(Capabilities::ISSUES | Capabilities::COMPLETIONS | Capabilities::PLACES),
        "{run}"
    );
}

#[test]
fn commands_alone_are_requests() {
    requests(
        "nvme",
        &[only_commands("nvme", "ftrace.txt")],
        "nvme0n1",
        "ftrace-text",
    );
    requests(
        "scsi",
        &[only_commands("scsi", "ftrace.txt")],
        "0:0:0:0",
        "ftrace-text",
    );
    requests(
        "nvme",
        &[perf_with("nvme", &["nvme_"])],
        "nvme0n1",
        "perf.data",
    );
    requests(
        "scsi",
        &[perf_with("scsi", &["scsi_"])],
        "0:0:0:0",
        "perf.data",
    );
    // perf prints all of a command of nvme even if it cannot decode it.
    requests(
        "nvme",
        &[only_commands("nvme", "script.txt")],
        "nvme0n1",
        "perf-text",
    );
}

/// block_io_done prints no size; that of a request is the one with which it started, without the
/// bios that were merged later.
#[test]
fn accounting_alone_gives_requests() {
    let (name, text) = unpacked("nvme", "ftrace.txt");
    let text = String::from_utf8(text).expect("a text");
    let lines = text.lines().filter(|line| line.contains(": block_io_"));
    let only: File = (
        name,
        lines
            .flat_map(|line| [line, "\n"])
            .collect::<String>()
            .into_bytes(),
    );
    let twin = twin("nvme");
    let places = |store: &Store, action| -> Vec<u64> {
        with_data(store, action)
            .into_iter()
            .map(|row| row.1)
            .collect()
    };
    for (file, format) in [
        (only, "ftrace-text"),
        (perf_with("nvme", &["block_io_"]), "perf.data"),
    ] {
        let store = read(&[file], 1 << 20);
        assert_eq!(
            (
                store.format.as_str(),
                store.devices[0].number.to_string().as_str()
            ),
            (format, "259,0")
        );
        assert_eq!(store.devices[0].recorded.letters(), "DC");
        assert!(
            store.quality.drivers.is_empty() && store.quality.warnings.is_empty(),
            "{format}"
        );
        for action in [Action::Issue, Action::Complete] {
            assert_eq!(
                places(&store, action),
                places(&twin, action),
                "{format} {action:?}"
            );
        }
        assert_eq!(store.quality.unmatched, Default::default(), "{format}");
        let e = &store.events;
        let bytes = |action| {
            (0..e.len())
                .filter(|&i| e.action(i) == action)
                .map(|i| u64::from(e.bytes(i)))
                .sum::<u64>()
        };
        assert!(
            bytes(Action::Issue) > 10 << 20 && bytes(Action::Issue) == bytes(Action::Complete),
            "{format}"
        );
    }
}

#[test]
fn one_kind_of_requests_counts() {
    let (_, text) = unpacked("nvme", "ftrace.txt");
    let text = String::from_utf8(text).expect("a text");
    let read_only = |selected: &[&str]| {
        let lines = text
            .lines()
            .filter(|line| selected.iter().any(|k| line.contains(k)));
        read(
            &[(
                "trace".to_owned(),
                lines
                    .flat_map(|line| [line, "\n"])
                    .collect::<String>()
                    .into_bytes(),
            )],
            4096,
        )
    };
    // Commands of the driver count before accounting, whichever comes first.
    let store = read_only(&[": block_io_", ": nvme_"]);
    assert_eq!(
        (
            count(&store, Action::Issue),
            store.devices.len(),
            store.quality.drivers.requests
        ),
        (435, 1, true)
    );
    assert_eq!(store.devices[0].name, "nvme0n1");
    // Plugs decide nothing; a queued bio does.
    assert!(
        read_only(&[": block_plug", ": nvme_"])
            .quality
            .drivers
            .requests
    );
    let store = read_only(&[": block_bio_queue", ": nvme_"]);
    assert_eq!(
        (
            store.quality.drivers.requests,
            count(&store, Action::Issue),
            count(&store, Action::Queue)
        ),
        (false, 0, 562)
    );
}

#[test]
fn block_events_stay_the_requests() {
    for (run, nvme, scsi) in [("nvme", 435, 0), ("scsi", 0, 435)] {
        for file in ["ftrace.txt", "perf.data"] {
            let store = read(&[unpacked(run, file)], 1 << 20);
            let driver = store.quality.drivers;
            assert_eq!(
                (driver.requests, driver.nvme, driver.scsi, driver.completed),
                (false, nvme, scsi, 435),
                "{run} {file}"
            );
            let counts = (
                count(&store, Action::Issue),
                count(&store, Action::Complete),
                store.devices.len(),
            );
            assert_eq!(counts, (435, 436, 1), "{run} {file}");
            let document =
                serde_json::to_value(summarise(&store, Window::WHOLE, None)).expect("a document");
            let driver = &document["quality"]["drivers"];
            assert_eq!(
                (driver["requests"].as_bool(), driver["completed"].as_u64()),
                (Some(false), Some(435))
            );
            assert!(
                driver["mean_ns"].as_f64() > Some(1000.0)
                    && driver["longest_ns"].as_f64() > driver["mean_ns"].as_f64()
            );
        }
    }
}

/// The lines of a text that this keeps, as a disk with blocks of 4096 bytes would have them: made
/// from a recording of one with 512.
fn with_large_blocks(is_selected: impl Fn(&str) -> bool) -> File {
    let (name, text) = unpacked("nvme", "ftrace.txt");
    let text = String::from_utf8(text).expect("a text");
    let number = |text: &str| {
        text.split(',')
            .next()
            .and_then(|n| n.parse::<u64>().ok())
            .expect("a number")
    };
    let line = |line: &str| match line.split_once("slba=") {
        None => format!("{line}\n"),
        Some((before, rest)) => {
            let (first, rest) = rest.split_once(", len=").expect("a length");
            let (length, rest) = rest.split_once(',').expect("other fields");
            let (first, blocks) = (number(first), number(length) + 1);
            assert_eq!(
                (first % 8, blocks % 8),
                (0, 0),
                "fio wrote blocks of 4096 bytes"
            );
            format!(
                "{before}slba={}, len={},{rest}\n",
                first / 8,
                blocks / 8 - 1
            )
        }
    };
    (
        name,
        text.lines()
            .filter(|text| is_selected(text))
            .map(line)
            .collect::<String>()
            .into_bytes(),
    )
}

fn noted(files: &[File], settings: &[(&str, &str)]) -> Store {
    let notes = settings
        .iter()
        .map(|(file, text)| seekscope_core::notes::read(file, text.as_bytes()))
        .collect();
    let trace = TracePaths {
        label: "trace".to_owned(),
        paths: vec![files[0].0.clone()],
    };
    let blocks: Vec<BlockNote> = assign(&[trace], notes).runs.swap_remove(0).blocks;
    let parts = files
        .iter()
        .map(|f| TraceFile {
            name: f.0.clone(),
            size: f.1.len() as u64,
            ..TraceFile::default()
        })
        .collect();
    let mut builder = TraceBuilder::new("test", "test", parts).with_blocks(blocks);
    files.iter().enumerate().for_each(|(i, file)| {
        builder.feed(i, &file.1);
        builder.close(i);
    });
    builder.finish().expect("a recording")
}

fn block(device: &str, bytes: u32, from: BlockSource) -> Vec<LogicalBlock> {
    vec![LogicalBlock {
        device: device.to_owned(),
        bytes,
        from,
    }]
}

#[test]
fn logical_blocks_of_settings() {
    let twin = twin("nvme");
    let large = [with_large_blocks(|line| !line.contains("block_"))];
    let same = |store: &Store| {
        [Action::Issue, Action::Complete]
            .into_iter()
            .all(|action| with_data(store, action) == with_data(&twin, action))
    };
    for setting in [
        "/sys/block/nvme0n1/queue/logical_block_size:4096\n/sys/block/sda/queue/logical_block_size:512\n",
        "./hw_sector_size:4096\n./nr_requests:1023\n",
        "{\"devices\":[{\"name\":\"nvme0n1\",\"majmin\":\"259:0\",\"logical_block_size\":4096}]}",
    ] {
        let store = noted(&large, &[("queue.txt", setting)]);
        assert_eq!(
            store.quality.logical_blocks,
            block("nvme0n1", 4096, BlockSource::Settings),
            "{setting}"
        );
        assert!(same(&store), "{setting}");
        assert_eq!(
            (
                store.quality.drivers.completed,
                store.devices.len(),
                count(&store, Action::Issue)
            ),
            (435, 1, 435)
        );
        assert!(
            (0..store.requests.len()).all(|i| store.requests.row(i).d2c().is_some()),
            "{setting}"
        );
        let document =
            serde_json::to_value(summarise(&store, Window::WHOLE, None)).expect("a document");
        let said = &document["quality"]["drivers"]["logical_blocks"][0];
        assert_eq!(
            (said["bytes"].as_u64(), said["from"].as_str()),
            (Some(4096), Some("settings")),
            "{setting}"
        );
    }
    // The setting is of another disk, or of none: the usual size stays, which is too small here.
    for setting in [
        "/sys/block/nvme1n1/queue/logical_block_size:4096\n",
        "scheduler: none\n",
    ] {
        let store = noted(&large, &[("queue.txt", setting)]);
        assert_eq!(
            store.quality.logical_blocks,
            block("nvme0n1", 512, BlockSource::Assumed),
            "{setting}"
        );
        assert!(!same(&store), "{setting}");
    }
    // Addresses of scsi are not names of disks: the size that all of them have.
    let scsi = [only_commands("scsi", "ftrace.txt")];
    let sizes = "/sys/block/sda/queue/logical_block_size:512\n/sys/block/nvme0n1/queue/logical_block_size:4096\n";
    let store = noted(&scsi, &[("queue.txt", sizes)]);
    assert_eq!(
        store.quality.logical_blocks,
        block("0:0:0:0", 512, BlockSource::Settings)
    );
}

#[test]
fn logical_blocks_of_block_events() {
    // The real recordings: all of one disk with 512, next to block events.
    for (run, device) in [("nvme", "nvme0n1"), ("scsi", "0:0:0:0")] {
        for file in ["ftrace.txt", "perf.data"] {
            let store = read(&[unpacked(run, file)], 1 << 20);
            assert_eq!(
                store.quality.logical_blocks,
                block(device, 512, BlockSource::Events),
                "{run} {file}"
            );
        }
    }
    // Next to block_io_start, which are not the requests: the commands get the size from them,
    // whatever the notes say.
    let twin = twin("nvme");
    let store = noted(
        &[with_large_blocks(|line| {
            !line.contains("block_") || line.contains("block_io_start")
        })],
        &[("queue.txt", "./logical_block_size:512\n")],
    );
    assert!(store.quality.drivers.requests);
    assert_eq!(
        store.quality.logical_blocks,
        block("nvme0n1", 4096, BlockSource::Events)
    );
    for action in [Action::Issue, Action::Complete] {
        assert_eq!(
            with_data(&store, action),
            with_data(&twin, action),
            "{action:?}"
        );
    }
    let counted = read(&[with_large_blocks(|_| true)], 1 << 20);
    assert_eq!(
        counted.quality.logical_blocks,
        block("nvme0n1", 4096, BlockSource::Events)
    );
    assert_eq!(
        with_data(&counted, Action::Issue),
        with_data(&twin, Action::Issue)
    );
}

#[test]
fn text_without_the_commands_of_scsi() {
    let (name, bytes) = only_commands("scsi", "script.txt");
    let error =
        TraceBuilder::read("x", &[(name.as_str(), &bytes)]).expect_err("no command is printed");
    assert_eq!(error.code, "undecoded-commands");
    // Next to block events they are counted, and nothing is wrong.
    let store = read(&[unpacked("scsi", "script.txt")], 1 << 20);
    assert_eq!(
        (
            store.quality.drivers.undecoded,
            store.quality.warnings.len()
        ),
        (870, 0)
    );
    assert_eq!(count(&store, Action::Issue), 435);
}
