//! Small files of trace-cmd and perf, made of parts of real ones: three kinds of events, a page or
//! some records.

use crate::seeds::{below, unpacked};

/// Events that are kept, where a file describes them.
const KINDS: [&str; 4] = [
    "block_bio_queue",
    "block_rq_insert",
    "block_rq_issue",
    "block_rq_complete",
];
/// Functions of the kernel, in the place of all symbols.
const SYMBOLS: &[u8] = b"ffffffff81000000 T _text\nffffffff8163b000 t submit_bio\n\
    ffffffffa4e34000 t blk_mq_start_request\nffffffffc0779000 t ext4_file_write_iter\t[ext4]\n";
const PAGE: usize = 4096;
/// Length of the header of a perf.data, after which the attributes begin.
const ATTRIBUTES: usize = 104;
/// Bytes of records that are copied from a perf.data.
const RECORDS: usize = 3200;
const SAMPLE: u8 = 9;

fn find(data: &[u8], what: &[u8]) -> usize {
    found(data, what).expect("it is there")
}

fn found(data: &[u8], what: &[u8]) -> Option<usize> {
    data.windows(what.len()).position(|w| w == what)
}

/// The `format` file of an event, with its size before it.
fn format(data: &[u8], name: &str) -> Option<Vec<u8>> {
    let text = found(data, format!("name: {name}\n").as_bytes())?;
    Some(data[text - 8..text + u64_at(data, text - 8)].to_vec())
}

fn u64_at(data: &[u8], offset: usize) -> usize {
    u64::from_le_bytes(data[offset..offset + 8].try_into().expect("eight bytes")) as usize
}

/// The copy of tracefs in a file, from `header_page` on, with a few events and symbols.
fn tracefs(data: &[u8]) -> Vec<u8> {
    let from = find(data, b"header_page\0");
    let event = from + 20 + u64_at(data, from + 12);
    let mut out = data[from..event + 21 + u64_at(data, event + 13)].to_vec();
    let stack = format(data, "kernel_stack");
    out.extend(u32::from(stack.is_some()).to_le_bytes());
    out.extend(stack.unwrap_or_default());
    let formats: Vec<Vec<u8>> = KINDS.iter().filter_map(|name| format(data, name)).collect();
    out.extend(1u32.to_le_bytes());
    out.extend([b"block\0".as_slice(), &(formats.len() as u32).to_le_bytes()].concat());
    out.extend(formats.concat());
    // Symbols, formats of trace_printk, names of tasks.
    out.extend([&(SYMBOLS.len() as u32).to_le_bytes(), SYMBOLS, &[0; 4]].concat());
    let tasks = b"1466 fio\n";
    out.extend([(tasks.len() as u64).to_le_bytes().as_slice(), tasks].concat());
    out
}

fn head(version: &str) -> Vec<u8> {
    [
        b"\x17\x08\x44tracing",
        version.as_bytes(),
        &[0, 0, 8],
        &(PAGE as u32).to_le_bytes(),
    ]
    .concat()
}

fn trace_dat(data: &[u8]) -> Vec<u8> {
    let page = u64_at(data, find(data, b"flyrecord\0") + 10);
    let mut out = [head("6"), tracefs(data)].concat();
    out.extend(1u32.to_le_bytes());
    out.extend(b"flyrecord\0");
    let start = (out.len() + 16).next_multiple_of(PAGE);
    out.extend([start, PAGE].map(|n| (n as u64).to_le_bytes()).concat());
    out.resize(start, 0);
    out.extend(&data[page..page + PAGE]);
    out
}

fn perf_data(data: &[u8]) -> Vec<u8> {
    let (size, attributes, records) = (u64_at(data, 16), u64_at(data, 24), u64_at(data, 40));
    let size_at =
        |start: usize| usize::from(u16::from_le_bytes([data[start + 6], data[start + 7]]));
    let mut starts = std::iter::successors(Some(records), |&start| Some(start + size_at(start)));
    let sample = starts
        .find(|&start| data[start] == SAMPLE)
        .expect("there are samples");
    // Where the kernel and its first module are.
    let mappings = records..records + size_at(records) + size_at(records + size_at(records));
    let mut out = data[..ATTRIBUTES].to_vec();
    out.extend(&data[attributes..attributes + size - 16]);
    out.extend([0; 16]);
    let start = out.len();
    out.extend(&data[mappings]);
    out.extend(&data[sample..sample + RECORDS]);
    let end = out.len();
    let tracefs = [head("0.6"), tracefs(data)].concat();
    out.extend(
        [end + 16, tracefs.len()]
            .map(|n| (n as u64).to_le_bytes())
            .concat(),
    );
    out.extend(tracefs);
    for (offset, value) in [
        (24, ATTRIBUTES),
        (32, size),
        (40, start),
        (48, end - start),
        (72, 2),
        (80, 0),
    ] {
        out[offset..offset + 8].copy_from_slice(&(value as u64).to_le_bytes());
    }
    out
}

/// A field of a message of protobuf: a number below 16384, or bytes.
fn field(number: u16, value: Result<u16, &[u8]>) -> Vec<u8> {
    let varint = |n: u16| {
        if n < 128 {
            vec![n as u8]
        } else {
            vec![n as u8 | 128, (n >> 7) as u8]
        }
    };
    match value {
        Ok(n) => [varint(number << 3), varint(n)].concat(),
        Err(bytes) => [
            varint(number << 3 | 2),
            varint(bytes.len() as u16),
            bytes.to_vec(),
        ]
        .concat(),
    }
}

/// A trace of Perfetto with a clock, a name, statistics, issues and completions of two CPUs, and
/// generic events of both kinds.
#[expect(clippy::too_many_lines, reason = "a recording written field by field")]
fn perfetto() -> Vec<u8> {
    let clock = |id| {
        field(
            1,
            Err(&[field(1, Ok(id)), field(2, Ok(1000 + id))].concat()),
        )
    };
    let place = |i: u16| [field(1, Ok(254 << 4)), field(2, Ok(8 * i)), field(3, Ok(8))].concat();
    let issue = |i| {
        field(
            45,
            Err(&[
                place(i),
                field(4, Ok(4096)),
                field(5, Err(b"WS")),
                field(6, Err(b"fio")),
            ]
            .concat()),
        )
    };
    let complete = |i| {
        field(
            125,
            Err(&[place(i), field(4, Ok(0)), field(5, Err(b"WS"))].concat()),
        )
    };
    let event = |time, message: Vec<u8>| {
        field(
            2,
            Err(&[field(1, Ok(time)), field(2, Ok(77)), message].concat()),
        )
    };
    let bundle = |cpu, events: Vec<u8>| {
        field(
            1,
            Err(&field(
                1,
                Err(&[field(1, Ok(cpu)), field(3, Ok(1)), events].concat()),
            )),
        )
    };
    let mut out = field(
        1,
        Err(&[
            field(6, Err(&[clock(1), clock(6)].concat())),
            field(10, Ok(1)),
        ]
        .concat()),
    );
    out.extend(field(
        1,
        Err(&field(
            2,
            Err(&field(
                2,
                Err(&[field(1, Ok(77)), field(2, Err(b"fio"))].concat()),
            )),
        )),
    ));
    for i in 1..7 {
        out.extend(bundle(
            i % 2,
            [
                event(2000 + 10 * i, issue(i)),
                event(2005 + 10 * i, complete(i)),
            ]
            .concat(),
        ));
    }
    // block_io_start by a description, as number 65536; nvme_setup_cmd with the names of its
    // fields.
    let name = |number, name: &str| {
        field(1, Err(name.as_bytes()))
            .into_iter()
            .chain(field(3, Ok(number)))
            .collect::<Vec<u8>>()
    };
    let fields = ["dev", "sector", "nr_sector", "rwbs"]
        .iter()
        .zip(1..)
        .flat_map(|(key, i)| field(2, Err(&name(i, key))));
    let description = [field(1, Err(b"block_io_start")), fields.collect()].concat();
    let number = [vec![0x08, 0x80, 0x80, 0x04], field(2, Err(&description))].concat();
    let start = [place(9), field(4, Err(b"R"))].concat();
    let start = [vec![0x82, 0x80, 0x20, start.len() as u8], start].concat();
    let value = |key: &str, n| {
        field(
            2,
            Err(&[field(1, Err(key.as_bytes())), field(5, Ok(n))].concat()),
        )
    };
    let command = [
        field(1, Err(b"nvme_setup_cmd")),
        value("qid", 1),
        value("cid", 7),
        value("opcode", 2),
    ]
    .concat();
    let generic = [
        event(2090, start),
        event(2091, field(327, Err(&command))),
        field(11, Err(&number)),
    ]
    .concat();
    out.extend(bundle(0, generic));
    out.extend(field(
        1,
        Err(&field(
            34,
            Err(&[
                field(1, Ok(2)),
                field(2, Err(&[field(1, Ok(0)), field(3, Ok(3))].concat())),
            ]
            .concat()),
        )),
    ));
    out
}

/// A trace.dat, a perf.data and a trace of Perfetto.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let files = below("binaries")
        .into_iter()
        .chain(below("stacks"))
        .flat_map(|(path, bytes)| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let files = if name.ends_with(".xz") {
                unpacked(&path, bytes)
            } else {
                Vec::new()
            };
            files
                .into_iter()
                .filter_map(move |file| match name.as_str() {
                    "trace-version-6.dat.xz" | "trace-cmd-6.12.trace.dat.xz" => {
                        Some(trace_dat(&file))
                    }
                    "perf.data.xz" | "perf-fio-6.12.perf.data.xz" => Some(perf_data(&file)),
                    _ => None,
                })
        });
    files.chain([perfetto()]).collect()
}

#[cfg(test)]
mod tests {
    use seekscope_core::beside::FilesBeside;
    use seekscope_core::builder::TraceBuilder;

    #[test]
    fn they_are_traces() {
        let opened = super::seeds()
            .into_iter()
            .map(|seed| TraceBuilder::read("seed", &[("seed", &seed)]).expect("a trace"));
        let formats: Vec<(String, bool)> = opened
            .map(|store| (store.format, store.events.len() >= 8))
            .collect();
        assert_eq!(
            formats,
            [
                ("perf.data".to_owned(), true),
                ("trace.dat".to_owned(), true),
                ("perf.data".to_owned(), true),
                ("trace.dat".to_owned(), true),
                ("perfetto".to_owned(), true)
            ]
        );
    }

    #[test]
    fn some_have_stacks() {
        let with_stacks = |seed: &Vec<u8>| {
            let mut store = TraceBuilder::read("seed", &[("seed", seed)]).expect("a trace");
            let mut beside = FilesBeside::default();
            beside.add_trace("seed", seed);
            beside.close();
            beside.finish(&mut store);
            store.stacks.map(|stacks| stacks.functions)
        };
        let functions: Vec<_> = super::seeds().iter().filter_map(with_stacks).collect();
        let has = |name: &str| {
            functions
                .iter()
                .any(|list| list.iter().any(|function| function == name))
        };
        assert!(functions.len() == 2 && has("submit_bio"), "{functions:?}");
    }
}
