//! Call stacks of perf.data and trace.dat are those that `perf script` and the kernel print.

use crate::common::{File, fixtures, read};
use seekscope_core::beside::FilesBeside;
use seekscope_core::store::{CallStacks, NO_FRAME, Store};
use seekscope_formats::stacks::{KernelMapping, StackSink, StackedEvent, read_stacks};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

pub fn unpacked(name: &str) -> Vec<u8> {
    let path = fixtures().join("../stacks").join(name);
    let packed = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    lzma_rust2::XzReader::new(packed.as_slice(), false)
        .read_to_end(&mut bytes)
        .expect("the fixture decompresses");
    bytes
}

/// The files of an archive.
pub fn archive(name: &str) -> Vec<File> {
    let bytes = unpacked(name);
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.trim_end_matches(['\0', ' ']).to_owned()
    };
    let mut files = Vec::new();
    let mut offset = 0;
    while bytes.get(offset).is_some_and(|byte| *byte != 0) {
        let head = &bytes[offset..offset + 512];
        let size = usize::from_str_radix(&text(&head[124..135]), 8).expect("a size");
        offset += 512;
        files.push((text(&head[..100]), bytes[offset..offset + size].to_vec()));
        offset += size.next_multiple_of(512);
    }
    files.retain(|file| !file.1.is_empty());
    files
}

fn perf_data() -> File {
    let bytes = unpacked("perf-fio-6.12.perf.data.xz");
    ("perf.data".to_owned(), bytes)
}

fn perf_script() -> String {
    let files = archive("perf-fio-6.12.tar.xz");
    let script = files
        .into_iter()
        .find(|file| file.0.ends_with("perf-script.txt"));
    String::from_utf8(script.expect("it is there").1).expect("a text")
}

/// Address, name and offset in it of a frame of the kernel in the text of `perf script`.
fn frame(line: &str) -> Option<(u64, &str, u64)> {
    let (address, rest) = line.trim().split_once(' ')?;
    let symbol = rest.strip_suffix(" ([kernel.kallsyms])")?;
    let (name, offset) = symbol.split_once("+0x")?;
    let hex = |text| u64::from_str_radix(text, 16).ok();
    Some((hex(address)?, name, hex(offset)?))
}

/// Time, event and addresses of each stack of a queue, an insertion or an issue in the text.
fn printed(script: &str) -> Vec<(u64, String, Vec<u64>)> {
    let event = |block: &str| {
        let (head, frames) = block.split_once('\n')?;
        let (before, rest) = head.split_once(": ")?;
        let (seconds, ns) = before.rsplit(' ').next()?.split_once('.')?;
        let time = format!("{seconds}{ns}").parse().ok()?;
        let name = rest.trim().strip_prefix("block:")?.split(':').next()?;
        let frames = frames.lines().filter_map(frame).map(|frame| frame.0);
        (name != "block_rq_complete").then(|| (time, name.to_owned(), frames.collect()))
    };
    script.split("\n\n").filter_map(event).collect()
}

#[derive(Default)]
struct Found {
    stacks: Vec<(StackedEvent, Vec<u64>)>,
    mappings: Vec<KernelMapping>,
    symbols: Vec<u8>,
}

impl StackSink for Found {
    fn symbols(&mut self, text: &[u8]) {
        self.symbols.extend(text);
    }

    fn mapping(&mut self, mapping: &KernelMapping) {
        self.mappings.push(mapping.clone());
    }

    fn stack(&mut self, event: &StackedEvent, addresses: &[u64]) {
        self.stacks.push((*event, addresses.to_vec()));
    }
}

fn found(data: &[u8]) -> Found {
    let mut found = Found::default();
    read_stacks(data, &mut found);
    found
}

/// A store with what the files beside it say; the first ones may be the trace itself.
fn place(mut store: Store, traces: &[File], beside: &[File]) -> Store {
    let mut files = FilesBeside::default();
    for (i, (name, bytes)) in traces.iter().chain(beside).enumerate() {
        let (head, rest) = bytes.split_at(bytes.len().min(1 << 16));
        let wants_more = match i < traces.len() {
            true => files.add_trace(name, head),
            false => files.add(name, head),
        };
        if wants_more {
            files.feed(rest);
            files.close();
        }
    }
    files.finish(&mut store);
    store
}

fn stacks(store: &Store) -> &CallStacks {
    store.stacks.as_deref().expect("there are stacks")
}

/// The path of the submission of each request, the outermost function first.
fn paths(store: &Store) -> Vec<String> {
    let stacks = stacks(store);
    let path = |row| match stacks.of_row(row).submitted {
        NO_FRAME => String::new(),
        frame => stacks.names(frame).join(" "),
    };
    (0..store.requests.len()).map(path).collect()
}

/// `/proc/kallsyms` as far as the text names functions, which may lie `distance` further up.
fn kallsyms(script: &str, distance: u64) -> File {
    let starts: BTreeSet<(u64, &str)> = script
        .lines()
        .filter_map(frame)
        .map(|(address, name, offset)| (address - offset + distance, name))
        .collect();
    let line = |(address, name): (u64, &str)| format!("{address:x} t {name}\n");
    let first = format!("{:x} T _text\n", 0xffff_ffff_8100_0000 + distance);
    let text = first + &starts.into_iter().map(line).collect::<String>();
    ("kallsyms".to_owned(), text.into_bytes())
}

#[test]
fn chains_of_perf_data_have_the_addresses_that_perf_prints() {
    let wanted = printed(&perf_script());
    let found = found(&perf_data().1);
    assert!(wanted.len() > 500);
    assert_eq!(found.stacks.len(), wanted.len());
    for ((event, addresses), (time, name, printed)) in found.stacks.iter().zip(&wanted) {
        assert_eq!(
            (event.time, addresses),
            (*time, printed),
            "{name} {event:?}"
        );
    }
    let names: Vec<&str> = found
        .mappings
        .iter()
        .map(|mapping| mapping.name.as_str())
        .collect();
    assert!(
        names.starts_with(&["[kernel]"]) && names.contains(&"ext4"),
        "{names:?}"
    );
}

#[test]
fn a_perf_data_has_the_paths_of_its_text() {
    let (data, script) = (perf_data(), perf_script());
    let store = read(std::slice::from_ref(&data), 1 << 20);
    let text = [("script.txt".to_owned(), script.clone().into_bytes())];
    let wanted = paths(&place(store.clone(), &[], &text));
    assert!(
        wanted
            .iter()
            .filter(|path| path.contains("ext4_sync_file"))
            .count()
            > 100
    );
    let data = [data];
    // The symbols of this start of the kernel, and the text itself, which has names of addresses.
    for beside in [vec![kallsyms(&script, 0)], text.to_vec()] {
        let placed = place(store.clone(), &data, &beside);
        assert!(paths(&placed) == wanted);
        assert_eq!(stacks(&placed).addresses, 0);
    }
    // Beside a recording of blktrace, and not as the trace itself.
    let files = archive("perf-fio-6.12.tar.xz");
    let traces: Vec<File> = files
        .into_iter()
        .filter(|file| file.0.contains("blktrace"))
        .collect();
    let store = read(&traces, 1 << 20);
    let wanted = paths(&place(store.clone(), &traces, &text));
    let placed = place(store, &traces, &[data[0].clone(), kallsyms(&script, 0)]);
    assert!(paths(&placed) == wanted);
}

#[test]
fn addresses_without_symbols_are_relative_to_their_module() {
    let (data, script) = (perf_data(), perf_script());
    let store = read(std::slice::from_ref(&data), 1 << 20);
    let data = [data];
    let placed = place(store.clone(), &data, &[]);
    let functions: BTreeMap<&str, u32> = stacks(&placed)
        .functions
        .iter()
        .map(|name| (name.split('+').next().unwrap_or_default(), 1))
        .collect();
    assert!(functions.contains_key("ext4") && functions.contains_key("[kernel]"));
    assert!(
        !functions.keys().any(|name| name.starts_with("0x")),
        "{functions:?}"
    );
    assert_eq!(
        stacks(&placed).addresses as usize,
        stacks(&placed).functions.len()
    );
    // ext4_lazyinit_thread+0x3ad, by the line of its text and the start of the module.
    assert!(
        stacks(&placed)
            .functions
            .iter()
            .any(|name| name == "ext4+0x607dd")
    );
    // Symbols of another start of the kernel: its modules are elsewhere, each by itself.
    let placed = place(store, &data, &[kallsyms(&script, 0x1200_0000)]);
    let functions = &stacks(&placed).functions;
    assert!(
        functions
            .iter()
            .any(|name| name == "blk_mq_flush_plug_list")
    );
    assert!(functions.iter().any(|name| name == "ext4+0x607dd"));
    assert!(!functions.iter().any(|name| name.starts_with("[kernel]")));
}

/// The text of `perf script` with all times later by whole seconds.
fn later(script: &str, seconds: u64) -> String {
    let move_line = |line: &str| {
        let moved = line.split_once(": ").and_then(|(before, rest)| {
            let (task, stamp) = before.rsplit_once(' ')?;
            let (whole, part) = stamp.split_once('.')?;
            let whole: u64 = whole.parse().ok()?;
            Some(format!("{task} {}.{part}: {rest}", whole + seconds))
        });
        moved.unwrap_or_else(|| line.to_owned())
    };
    script.lines().map(|line| move_line(line) + "\n").collect()
}

#[test]
fn stacks_of_another_clock_are_aligned_by_their_requests() {
    let files = archive("perf-fio-6.12.tar.xz");
    let traces: Vec<File> = files
        .into_iter()
        .filter(|file| file.0.contains("blktrace"))
        .collect();
    let (store, script) = (read(&traces, 1 << 20), perf_script());
    let text = |text: String| [("script.txt".to_owned(), text.into_bytes())];
    let wanted = paths(&place(store.clone(), &traces, &text(script.clone())));
    // As the wall clock is; and 40 seconds, with which the recordings still overlap.
    for seconds in [1_795_672_236, 40] {
        let placed = place(store.clone(), &traces, &text(later(&script, seconds)));
        assert!(paths(&placed) == wanted, "{seconds}");
        assert_eq!(stacks(&placed).other_clock, 0);
    }
    // Of another disk: nothing says how far the clocks are apart.
    let other = later(&script, 5_000).replace(": 254,0 ", ": 8,0 ");
    let placed = place(store, &traces, &text(other));
    assert_eq!(stacks(&placed).other_clock, printed(&script).len() as u64);
    assert!(paths(&placed).iter().all(String::is_empty));
}

/// Event, and addresses and names of its stack, in the text of `trace-cmd report`.
fn reported(text: &str) -> Vec<(String, Vec<(u64, String)>)> {
    let mut stacks = Vec::new();
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    for line in text.lines() {
        if let Some(frame) = line.strip_prefix("=> ") {
            let (name, address) = frame
                .trim_end_matches(')')
                .split_once(" (")
                .expect("a frame");
            let address = u64::from_str_radix(address, 16).expect("an address");
            let (_, frames): &mut (String, Vec<_>) = stacks.last_mut().expect("a stack");
            frames.push((address, name.to_owned()));
            continue;
        }
        let Some((head, rest)) = line.split_once(": ") else {
            continue;
        };
        let cpu = head[head.find('[').expect("a CPU")..].split(' ').next();
        let cpu = cpu.unwrap_or_default().to_owned();
        match rest.starts_with("kernel_stack") {
            true => stacks.push((last.remove(&cpu).unwrap_or_default(), Vec::new())),
            false => {
                last.insert(
                    cpu,
                    rest.split_whitespace()
                        .take(9)
                        .collect::<Vec<_>>()
                        .join(" "),
                );
            }
        }
    }
    stacks.retain(|(event, _)| {
        ["block_bio_queue", "block_rq_insert", "block_rq_issue"]
            .iter()
            .any(|name| event.starts_with(name))
    });
    stacks
}

fn trace_dat() -> File {
    let bytes = unpacked("trace-cmd-6.12.trace.dat.xz");
    ("trace.dat".to_owned(), bytes)
}

#[test]
fn stacks_of_a_trace_dat_are_those_that_trace_cmd_prints() {
    let report = String::from_utf8(unpacked("trace-cmd-6.12.report.txt.xz")).expect("a text");
    let (wanted, found) = (reported(&report), found(&trace_dat().1));
    assert!(wanted.len() > 300);
    assert_eq!(found.stacks.len(), wanted.len());
    for ((event, addresses), (text, frames)) in found.stacks.iter().zip(&wanted) {
        let printed: Vec<u64> = frames.iter().map(|frame| frame.0).collect();
        assert_eq!(*addresses, printed, "{text}");
        let place = format!(" {} + {}", event.sector, event.sectors);
        assert!(
            event.sectors == 0 || text.contains(&place),
            "{text} {event:?}"
        );
    }
    let symbols = String::from_utf8_lossy(&found.symbols);
    assert!(
        symbols
            .lines()
            .any(|line| line.ends_with(" t ext4_init_inode_table\t[ext4]"))
    );
}

#[test]
fn a_trace_dat_names_its_functions() {
    let data = trace_dat();
    let store = read(std::slice::from_ref(&data), 1 << 20);
    let placed = place(store.clone(), &[data], &[]);
    assert_eq!(
        (stacks(&placed).addresses, stacks(&placed).other_clock),
        (0, 0)
    );
    let report = unpacked("trace-cmd-6.12.report.txt.xz");
    let wanted = paths(&place(store, &[], &[("report.txt".to_owned(), report)]));
    let direct = |path: &&String| path.contains("ksys_write") && path.contains("iomap_dio_rw");
    assert!(wanted.iter().filter(direct).count() >= 40);
    for (found, wanted) in paths(&placed).iter().zip(&wanted) {
        assert_eq!(found, wanted);
    }
}

#[test]
fn symbols_of_another_kernel_are_not_used() {
    let (data, script) = (perf_data(), perf_script());
    let store = read(std::slice::from_ref(&data), 1 << 20);
    // The functions of another build: in the same order, each a bit longer.
    let text = String::from_utf8(kallsyms(&script, 0).1).expect("a text");
    let longer = |(i, line): (usize, &str)| {
        let (address, rest) = line.split_once(' ').expect("a line");
        let address = u64::from_str_radix(address, 16).expect("an address");
        let moved = if i == 0 {
            address
        } else {
            address + 0x2_0000 + 16 * i as u64
        };
        format!("{moved:x} {rest}\n")
    };
    let other: String = text.lines().enumerate().map(longer).collect();
    let beside = [("kallsyms".to_owned(), other.into_bytes())];
    let placed = place(store.clone(), std::slice::from_ref(&data), &beside);
    assert!(stacks(&placed).other_symbols);
    assert!(
        stacks(&placed)
            .functions
            .iter()
            .all(|name| name.contains("+0x"))
    );
    let placed = place(store, &[data], &[kallsyms(&script, 0)]);
    assert!(!stacks(&placed).other_symbols);
}
