//! Text of tracepoints as trace.dat and perf.data, made from the documented layout (`man
//! trace-cmd.dat.v6`, perf.data-file-format.txt) and the fields in the kernel's trace headers: no
//! recording of wbt, kyber, iocost or waits for tags by trace-cmd or perf is at hand.

/// The place of a field's value in the text.
#[derive(Clone, Copy)]
enum SampleText {
    /// The first two numbers: `254,0`.
    Dev,
    /// A number by its place among all of them.
    Number(usize),
    /// A word by its place.
    Word(usize),
    /// The text before `: ` or in brackets.
    Name,
    /// 1 if this occurs, else 0.
    Contains(&'static str),
    /// The value does not matter.
    Zero,
}

/// Declaration, bytes, and whether it is signed. `__data_loc` fields are references to text at the
/// end of a sample.
type KernelField = (&'static str, usize, bool, SampleText);

const KINDS: [(&str, &str, &[KernelField]); 13] = {
    use self::SampleText::*;
    [
        (
            "block",
            "block_bio_queue",
            &[
                ("dev_t dev", 4, false, Dev),
                ("sector_t sector", 8, false, Number(2)),
                ("unsigned int nr_sector", 4, false, Number(3)),
                ("char rwbs[10]", 10, true, Word(1)),
                ("char comm[16]", 16, true, Zero),
            ],
        ),
        (
            "block",
            "block_rq_issue",
            &[
                ("dev_t dev", 4, false, Dev),
                ("sector_t sector", 8, false, Number(3)),
                ("unsigned int nr_sector", 4, false, Number(4)),
                ("unsigned int bytes", 4, false, Number(2)),
                ("char rwbs[10]", 10, true, Word(1)),
                ("char comm[16]", 16, true, Zero),
            ],
        ),
        (
            "block",
            "block_rq_complete",
            &[
                ("dev_t dev", 4, false, Dev),
                ("sector_t sector", 8, false, Number(2)),
                ("unsigned int nr_sector", 4, false, Number(3)),
                ("int error", 4, true, Zero),
                ("char rwbs[10]", 10, true, Word(1)),
            ],
        ),
        (
            "block",
            "block_rq_tag_wait",
            &[
                ("dev_t dev", 4, false, Dev),
                ("u32 hctx_id", 4, false, Number(2)),
                ("u32 nr_tags", 4, false, Number(3)),
                ("bool is_sched_tag", 1, false, Contains("scheduler tags")),
                ("bool is_reserved", 1, false, Zero),
            ],
        ),
        (
            "wbt",
            "wbt_timer",
            &[
                ("char name[32]", 32, true, Name),
                ("unsigned int status", 4, false, Number(2)),
                ("int step", 4, true, Number(3)),
                ("unsigned int inflight", 4, false, Number(4)),
            ],
        ),
        (
            "wbt",
            "wbt_step",
            &[
                ("char name[32]", 32, true, Name),
                ("const char * msg", 8, false, Zero),
                ("int step", 4, true, Number(2)),
                ("unsigned long window", 8, false, Number(3)),
                ("unsigned int bg", 4, false, Number(4)),
                ("unsigned int normal", 4, false, Number(5)),
                ("unsigned int max", 4, false, Number(6)),
            ],
        ),
        (
            "wbt",
            "wbt_lat",
            &[
                ("char name[32]", 32, true, Name),
                ("unsigned long lat", 8, false, Number(2)),
            ],
        ),
        (
            "wbt",
            "wbt_stat",
            &[
                ("char name[32]", 32, true, Name),
                ("s64 rmean", 8, true, Number(2)),
                ("u64 rmin", 8, false, Number(3)),
                ("u64 rmax", 8, false, Number(4)),
                ("s64 rnr_samples", 8, true, Number(5)),
                ("s64 rtime", 8, true, Zero),
                ("s64 wmean", 8, true, Number(6)),
                ("u64 wmin", 8, false, Number(7)),
                ("u64 wmax", 8, false, Number(8)),
                ("s64 wnr_samples", 8, true, Number(9)),
                ("s64 wtime", 8, true, Zero),
            ],
        ),
        (
            "kyber",
            "kyber_latency",
            &[
                ("dev_t dev", 4, false, Dev),
                ("char domain[16]", 16, true, Word(1)),
                ("char type[8]", 8, true, Word(2)),
                ("u8 percentile", 1, false, Number(2)),
                ("u8 numerator", 1, false, Number(3)),
                ("u8 denominator", 1, false, Number(4)),
                ("unsigned int samples", 4, false, Number(5)),
            ],
        ),
        // Later kernels have the domain at the end of the sample.
        (
            "kyber",
            "kyber_adjust",
            &[
                ("dev_t dev", 4, false, Dev),
                ("__data_loc char[] domain", 4, true, Word(1)),
                ("unsigned int depth", 4, false, Number(2)),
            ],
        ),
        (
            "kyber",
            "kyber_throttled",
            &[
                ("dev_t dev", 4, false, Dev),
                ("char domain[16]", 16, true, Word(1)),
            ],
        ),
        (
            "iocost",
            "iocost_ioc_vrate_adj",
            &[
                ("__data_loc char[] devname", 4, true, Name),
                ("u64 old_vrate", 8, false, Number(0)),
                ("u64 new_vrate", 8, false, Number(1)),
                ("int busy_level", 4, true, Number(2)),
                ("u32 read_missed_ppm", 4, false, Number(3)),
                ("u32 write_missed_ppm", 4, false, Number(4)),
                ("u32 rq_wait_pct", 4, false, Number(5)),
                ("int nr_lagging", 4, true, Number(6)),
                ("int nr_shortages", 4, true, Number(7)),
            ],
        ),
        (
            "iocost",
            "iocost_inuse_shortage",
            &[
                ("__data_loc char[] devname", 4, true, Name),
                ("u64 now", 8, false, Number(0)),
            ],
        ),
    ]
};

/// The number of the first kind.
const FIRST_ID: usize = 100;
const PAGE: usize = 4096;

struct Writer {
    bytes: Vec<u8>,
    big: bool,
}

impl Writer {
    fn new(big: bool) -> Writer {
        Writer {
            bytes: Vec::new(),
            big,
        }
    }

    fn number(&mut self, value: i64, size: usize) {
        match self.big {
            true => self.bytes.extend(&value.to_be_bytes()[8 - size..]),
            false => self.bytes.extend(&value.to_le_bytes()[..size]),
        }
    }

    fn sized(&mut self, text: &[u8]) {
        self.number(text.len() as i64, 8);
        self.bytes.extend(text);
    }

    fn align(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }
}

fn alignment(declaration: &str, size: usize) -> usize {
    if declaration.ends_with(']') { 1 } else { size }
}

/// The `format` file of a kind.
fn format(index: usize) -> String {
    let (_, name, fields) = KINDS[index];
    let mut text = format!("name: {name}\nID: {}\nformat:\n", FIRST_ID + index);
    for (declaration, offset, size) in [
        ("unsigned short common_type", 0, 2),
        ("int common_pid", 4, 4),
    ] {
        text += &format!("\tfield:{declaration};\toffset:{offset};\tsize:{size};\tsigned:0;\n");
    }
    let mut offset: usize = 8;
    for (declaration, size, signed, _) in fields {
        offset = offset.next_multiple_of(alignment(declaration, *size));
        text += &format!(
            "\tfield:{declaration};\toffset:{offset};\tsize:{size};\tsigned:{};\n",
            u8::from(*signed)
        );
        offset += size;
    }
    text + "\nprint fmt: \"\"\n"
}

/// The numbers in a text, in their order.
fn numbers(text: &str) -> Vec<i64> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut index = 0;
    while index < bytes.len() {
        let negative = bytes[index] == b'-' && bytes.get(index + 1).is_some_and(u8::is_ascii_digit);
        let from = index + usize::from(negative);
        let end = from
            + bytes[from..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count();
        if end > from {
            // The sector of a flush is all ones.
            let number = text[from..end].parse::<u64>().expect("a number") as i64;
            found.push(if negative { -number } else { number });
        }
        index = end.max(index + 1);
    }
    found
}

/// A line of text as time and sample.
fn sample(line: &str, big: bool) -> Option<(u64, Vec<u8>)> {
    let index = KINDS
        .iter()
        .position(|kind| line.contains(&format!(" {}: ", kind.1)))?;
    let (head, body) = line.split_once(&format!(": {}: ", KINDS[index].1))?;
    let (seconds, micros) = head.rsplit(' ').next()?.split_once('.')?;
    let time = seconds.parse::<u64>().ok()? * 1_000_000_000 + micros.parse::<u64>().ok()? * 1000;
    let (all, words) = (numbers(body), body.split_whitespace().collect::<Vec<_>>());
    let name = body.strip_prefix('[').map_or_else(
        || body.split(": ").next(),
        |rest| rest.split([':', ']']).next(),
    )?;
    let mut out = Writer::new(big);
    out.number((FIRST_ID + index) as i64, 2);
    out.align(4);
    out.number(1, 4);
    let mut texts: Vec<(usize, &str)> = Vec::new();
    for (declaration, size, _, from) in KINDS[index].2 {
        out.align(alignment(declaration, *size));
        let text = match from {
            SampleText::Word(n) => words[*n],
            SampleText::Name => name,
            SampleText::Dev
            | SampleText::Number(_)
            | SampleText::Contains(_)
            | SampleText::Zero => "",
        };
        if declaration.starts_with("__data_loc") {
            texts.push((out.bytes.len(), text));
            out.number(0, 4);
        } else if declaration.ends_with(']') {
            let end = out.bytes.len() + size;
            out.bytes.extend(text.as_bytes());
            out.bytes.resize(end, 0);
        } else {
            let value = match from {
                SampleText::Dev => all[0] << 20 | all[1],
                SampleText::Number(n) => all[*n],
                SampleText::Contains(text) => i64::from(body.contains(text)),
                SampleText::Zero | SampleText::Word(_) | SampleText::Name => 0,
            };
            out.number(value, *size);
        }
    }
    for (place, text) in texts {
        let mut reference = Writer::new(big);
        reference.number((text.len() as i64 + 1) << 16 | out.bytes.len() as i64, 4);
        out.bytes[place..place + 4].copy_from_slice(&reference.bytes);
        out.bytes.extend(text.as_bytes());
        out.bytes.push(0);
    }
    out.align(4);
    Some((time, out.bytes))
}

fn samples(text: &str, big: bool) -> Vec<(u64, Vec<u8>)> {
    text.lines().filter_map(|line| sample(line, big)).collect()
}

/// The copy of tracefs, without symbols.
fn tracefs(version: &str, big: bool) -> Writer {
    let mut out = Writer::new(big);
    out.bytes.extend(b"\x17\x08\x44tracing");
    out.bytes.extend(version.as_bytes());
    out.bytes.extend([0, u8::from(big), 8]);
    out.number(PAGE as i64, 4);
    let page = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t \
        commit;\toffset:8;\tsize:8;\tsigned:1;\n\
                \tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
    out.bytes.extend(b"header_page\0");
    out.sized(page.as_bytes());
    out.bytes.extend(b"header_event\0");
    out.sized(b"# compressed entry header\n");
    out.number(0, 4);
    let systems = ["block", "wbt", "kyber", "iocost"];
    out.number(systems.len() as i64, 4);
    for system in systems {
        let kinds: Vec<usize> = (0..KINDS.len())
            .filter(|&index| KINDS[index].0 == system)
            .collect();
        out.bytes.extend(system.as_bytes());
        out.bytes.push(0);
        out.number(kinds.len() as i64, 4);
        for index in kinds {
            out.sized(format(index).as_bytes());
        }
    }
    out.number(0, 4);
    out.number(0, 4);
    out.number(0, 8);
    out
}

/// A trace.dat of version 6, of one CPU.
pub fn trace_dat(text: &str, big: bool) -> Vec<u8> {
    let mut out = tracefs("6", big);
    let mut pages = Writer::new(big);
    let mut page = Writer::new(big);
    let mut last = 0;
    let close = |page: &mut Writer, pages: &mut Writer| {
        let used = page.bytes.len() as i64 - 16;
        if used > 0 {
            let mut commit = Writer::new(big);
            commit.number(used, 8);
            page.bytes[8..16].copy_from_slice(&commit.bytes);
            page.bytes.resize(PAGE, 0);
            pages.bytes.append(&mut page.bytes);
        }
    };
    for (time, sample) in samples(text, big) {
        if page.bytes.len() + 16 + sample.len() > PAGE {
            close(&mut page, &mut pages);
        }
        if page.bytes.is_empty() {
            page.number(time as i64, 8);
            page.number(0, 8);
            last = time;
        }
        // A time extension, then the sample with its length.
        let (low, high) = (
            (time - last) as i64 & ((1 << 27) - 1),
            (time - last) as i64 >> 27,
        );
        page.number(if big { 30 << 27 | low } else { low << 5 | 30 }, 4);
        page.number(high, 4);
        page.number(0, 4);
        page.number(4 + sample.len() as i64, 4);
        page.bytes.extend(sample);
        last = time;
    }
    close(&mut page, &mut pages);
    out.number(1, 4);
    out.bytes.extend(b"flyrecord\0");
    let start = (out.bytes.len() + 16).next_multiple_of(PAGE);
    out.number(start as i64, 8);
    out.number(pages.bytes.len() as i64, 8);
    out.bytes.resize(start, 0);
    out.bytes.extend(pages.bytes);
    out.bytes
}

/// A perf.data with thread, time, CPU and fields per sample.
pub fn perf_data(text: &str) -> Vec<u8> {
    const ATTRIBUTE: usize = 64 + 16;
    const HEADER: usize = 104;
    let mut records = Writer::new(false);
    for (time, sample) in samples(text, false) {
        let size = (8 + 8 + 8 + 8 + 4 + sample.len()).next_multiple_of(8);
        let end = records.bytes.len() + size;
        records.number(9, 4);
        records.number(size as i64 >> 16 << 16, 2);
        records.number(size as i64, 2);
        records.number(1 << 32 | 1, 8);
        records.number(time as i64, 8);
        records.number(0, 8);
        records.number((end - records.bytes.len() - 4) as i64, 4);
        records.bytes.extend(sample);
        records.bytes.resize(end, 0);
    }
    let tracefs = tracefs("0.6", false).bytes;
    let start = HEADER + ATTRIBUTE;
    let mut out = Writer::new(false);
    out.bytes.extend(b"PERFILE2");
    for value in [
        HEADER,
        ATTRIBUTE,
        HEADER,
        ATTRIBUTE,
        start,
        records.bytes.len(),
        0,
        0,
        2,
        0,
        0,
        0,
    ] {
        out.number(value as i64, 8);
    }
    // Type 2, size 64, and at 24 the fields: thread, time, CPU, raw.
    for (value, size) in [
        (2, 4),
        (64, 4),
        (0, 8),
        (0, 8),
        (1 << 1 | 1 << 2 | 1 << 7 | 1 << 10, 8),
    ] {
        out.number(value, size);
    }
    out.bytes.resize(start, 0);
    out.bytes.extend(records.bytes);
    let end = out.bytes.len();
    out.number(end as i64 + 16, 8);
    out.number(tracefs.len() as i64, 8);
    out.bytes.extend(tracefs);
    out.bytes
}
