//! A line of a stack.
//!
//! | source | line |
//! |---|---|
//! | ftrace | ` => submit_bio_noacct`, ` => submit_bio_noacct+0x12/0x40 <ffffffff8163f075>` |
//! | trace-cmd report | `=> submit_bio_noacct (ffffffff8163f075)`, `\t=> submit_bio_noacct` |
//! | ftrace, without a name | ` => <ffffffff8163f075>`, ` => 0xffffffff8163f075` |
//! | perf script | `    ffffffff8163f075 __submit_bio+0xf5 ([kernel.kallsyms])` |
//! | perf script, without a name | `    ffffffff8163f075 [unknown] ([kernel.kallsyms])` |

/// Characters of a name that are kept.
const MAX_NAME: usize = 96;

/// A frame, by what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    Function(&'a str),
    /// An address within the kernel.
    Address(u64),
    /// Of a program, or of the tracer itself: no part of a path through the kernel.
    Left,
}

/// A frame of ftrace; `None` if the line is none.
pub fn of_ftrace(line: &str) -> Option<Frame<'_>> {
    let text = line.trim_start().strip_prefix("=>")?.trim();
    let word = text.split(' ').next()?;
    let bare = word.trim_start_matches('<').trim_end_matches('>');
    let is_address = word.starts_with('<') || word.starts_with("0x");
    Some(match is_address {
        true => hexadecimal(bare).map_or(Frame::Left, address),
        false => symbol(word),
    })
}

/// The address and the frame of a line of `perf script`; `None` if the line is none.
pub fn of_perf(line: &str) -> Option<(u64, Frame<'_>)> {
    if !line.starts_with([' ', '\t']) {
        return None;
    }
    let text = line.trim();
    let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
    let value = hexadecimal(number)?;
    let rest = rest.trim_start();
    // A symbol of C++ may have blanks and brackets in it: the file is in the last ones.
    let (name, file) = match rest
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
    {
        Some((name, file)) => (name, Some(file)),
        None => (rest, None),
    };
    let is_kernel = match file {
        Some("[unknown]" | "inlined") | None => is_kernel(value),
        Some(file) => is_file_of_kernel(file),
    };
    let frame = match name.trim() {
        _ if !is_kernel => Frame::Left,
        "" | "[unknown]" => Frame::Address(value),
        named => symbol(named),
    };
    Some((value, frame))
}

fn is_file_of_kernel(file: &str) -> bool {
    const OF_PROGRAMS: [&str; 5] = ["[vdso]", "[stack]", "[heap]", "[vsyscall]", "[unknown]"];
    (file.starts_with('[') && !OF_PROGRAMS.contains(&file))
        || file.ends_with(".ko")
        || file.contains(".ko.")
        || file.contains("vmlinux")
}

/// Addresses of the kernel are negative in 64 bits; in 32 bits they are the upper half.
fn is_kernel(value: u64) -> bool {
    value >> 63 == 1 || (0x8000_0000..=0xffff_ffff).contains(&value)
}

fn address(value: u64) -> Frame<'static> {
    match is_kernel(value) {
        true => Frame::Address(value),
        false => Frame::Left,
    }
}

fn hexadecimal(text: &str) -> Option<u64> {
    let text = text.strip_prefix("0x").unwrap_or(text);
    let is_number = (1..=16).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    is_number
        .then(|| u64::from_str_radix(text, 16).ok())
        .flatten()
}

/// The frame of a symbol.
pub fn symbol(text: &str) -> Frame<'_> {
    match name(text) {
        "" => Frame::Left,
        name if is_tracer(name) => Frame::Left,
        name => Frame::Function(name),
    }
}

/// Without the offset, and without what the compiler adds, which differs between builds of the same
/// kernel: `virtblk_prep_rq.isra.0+0xeb` is `virtblk_prep_rq`.
fn name(symbol: &str) -> &str {
    let end = symbol.find("+0x").unwrap_or(symbol.len());
    let symbol = symbol[..end].trim();
    let dot = symbol.find('.').filter(|&dot| dot > 0);
    let name = &symbol[..dot.unwrap_or(symbol.len())];
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => &name[..end],
        None => name,
    }
}

/// Frames of the tracepoint itself.
fn is_tracer(name: &str) -> bool {
    const BEGINNINGS: [&str; 12] = [
        "trace_event_raw_event_",
        "__traceiter_",
        "perf_trace_",
        "trace_event_buffer_",
        "__trace_event_",
        "trace_buffer_unlock_commit",
        "__ftrace_trace_stack",
        "ftrace_",
        "bpf_trace_",
        "__bpf_trace_",
        "perf_tp_event",
        "do_trace_event_raw_event_",
    ];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_ftrace_have_names_or_addresses() {
        for (line, frame) in [
            (" => ext4_lookup", Frame::Function("ext4_lookup")),
            (
                " => dd_x.isra.0+0x1/0x40 <ffffffff81000000>",
                Frame::Function("dd_x"),
            ),
            (" => ext4_x+0x1/0x40 [ext4]", Frame::Function("ext4_x")),
            ("=> ext4_x (ffffffff81000010)", Frame::Function("ext4_x")),
            (
                " => <ffffffff81000010>",
                Frame::Address(0xffff_ffff_8100_0010),
            ),
            (
                " => 0xffffffff81000010",
                Frame::Address(0xffff_ffff_8100_0010),
            ),
            (" =>  <00007f0012345678>", Frame::Left),
            (" => trace_event_raw_event_block_rq", Frame::Left),
            (" =>", Frame::Left),
            (" => <>", Frame::Left),
        ] {
            assert_eq!(of_ftrace(line), Some(frame), "{line}");
        }
        assert_eq!(of_ftrace("  fio-3 [000] 1.5: e: a => b"), None);
    }

    #[test]
    fn frames_of_perf_are_of_the_kernel_by_file_or_address() {
        for (line, frame) in [
            (
                "\tffffffff8163b3fa submit_bio+0x2a ([kernel.kallsyms])",
                Frame::Function("submit_bio"),
            ),
            (
                "\tffffffff8163b3fa submit_bio+0x2a",
                Frame::Function("submit_bio"),
            ),
            (
                "\tffffffffc0292921 [unknown] ([kernel.kallsyms])",
                Frame::Address(0xffff_ffff_c029_2921),
            ),
            (
                "\tffffffffc0292921 ext4_x ([ext4])",
                Frame::Function("ext4_x"),
            ),
            (
                "    7f00aa f(int (*)(a b))+0x1 (/usr/lib/x.so)",
                Frame::Left,
            ),
            ("    7f00aa main", Frame::Left),
            ("    7ffd00aa __vdso_time ([vdso])", Frame::Left),
            (
                "\tffffffff8163b3fa __traceiter_block_rq_insert+0x2a",
                Frame::Left,
            ),
        ] {
            let found = of_perf(line).map(|(_, frame)| frame);
            assert_eq!(found, Some(frame), "{line}");
        }
        for line in [
            "",
            "\t",
            "\tzz a",
            "ffffffff8163b3fa a",
            "\tffffffff8163b3faf a",
        ] {
            assert_eq!(of_perf(line), None, "{line}");
        }
    }
}
