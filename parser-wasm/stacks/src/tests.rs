use crate::StacksReader;
use crate::frame::Frame;
use crate::join::Recorded;
use crate::symbols::Symbols;
use seekscope_formats::stacks::KernelMapping;
use seekscope_trace::store::{CallStacks, Store};

const FTRACE: &str = "# tracer: nop\n\
 fio-3 [000] ..... 1.000001: block_rq_insert: 8,0 R 4096 () 64 + 8 be,0,4 [fio]\n\
 fio-4 [001] ..... 1.000002: block_rq_issue: 8,0 R 4096 () 72 + 8 be,0,4 [fio]\n\
 fio-3 [000] ..... 1.000003: <stack trace>\n => submit_bio\n => vfs_read\n => do_syscall_64\n\
 fio-3 [000] ..... 1.000003: <user stack trace>\n =>  <00007f0000000000>\n\
 fio-4 [001] ..... 1.000004: <stack trace>\n => blk_mq_start_request\n => do_syscall_64\n";

fn named(recorded: &Recorded) -> (CallStacks, Vec<u32>) {
    let tree = recorded.tree.clone();
    tree.named(&recorded.symbols, &recorded.mappings)
}

fn events(text: &str, piece: usize) -> (usize, String) {
    let mut reader = StacksReader::default();
    reader.open();
    text.as_bytes()
        .chunks(piece)
        .for_each(|bytes| reader.feed(bytes));
    reader.close();
    let (stacks, _) = named(&reader.recorded);
    let innermost = stacks.frames.len() as u32;
    let names: Vec<String> = (0..innermost)
        .map(|frame| stacks.names(frame).join(">"))
        .collect();
    (reader.recorded.len(), names.join(" "))
}

#[test]
fn stacks_belong_to_the_event_of_their_cpu() {
    for piece in [1, 7, 1 << 20] {
        let (count, names) = events(FTRACE, piece);
        assert_eq!(count, 2);
        assert_eq!(
            names,
            "do_syscall_64 do_syscall_64>vfs_read do_syscall_64>vfs_read>submit_bio \
             do_syscall_64>blk_mq_start_request"
        );
    }
    assert!(StacksReader::recognise(FTRACE.as_bytes()));
}

#[test]
fn stacks_of_trace_cmd_are_of_the_same_event() {
    let text = " fio-3 [000] 1.000001: block_rq_insert: 8,0 R 4096 () 64 + 8 be,0,4 [fio]\n\
        \x20fio-3 [000] 1.000003: kernel_stack:         <stack trace >\n=> submit_bio (ffffffff81000010)\n\
        => do_syscall_64 (ffffffff81000020)\n\
        \x20fio-4 [001] 1.000004: block_rq_issue: 8,0 R 4096 () 64 + 8 be,0,4 [fio]\n\
        \x20fio-4 [001] 1.000005: kernel_stack:         \t=> blk_mq_start_request\n\t=> do_syscall_64\n";
    assert!(StacksReader::recognise(text.as_bytes()));
    let (count, names) = events(text, 9);
    let expected = "do_syscall_64 do_syscall_64>submit_bio do_syscall_64>blk_mq_start_request";
    assert_eq!((count, names.as_str()), (2, expected));
}

#[test]
fn stacks_of_perf_script_follow_their_event() {
    let text = "fio 3 [000] 1.5: block:block_rq_insert: 8,0 R 4096 () 64 + 8 0x2,0,4 [fio]\n\
        \tffffffff81000010 submit_bio+0x1 ([kernel.kallsyms])\n\
        \tffffffff81000020 do_syscall_64+0x1 ([kernel.kallsyms])\n\
        \t    7f0000000000 read+0x1 (/usr/lib/libc.so.6)\n\n\
        fio 3 [000] 1.6: sched:sched_switch: a\n\tffffffff81000010 schedule ([kernel.kallsyms])\n\n";
    assert!(StacksReader::recognise(text.as_bytes()));
    let (count, names) = events(text, 5);
    assert_eq!(
        (count, names.as_str()),
        (1, "do_syscall_64 do_syscall_64>submit_bio")
    );
}

#[test]
fn addresses_become_functions_if_kallsyms_is_there() {
    let text = "fio 3 [000] 1.5: block:block_rq_insert: 8,0 R 4096 () 64 + 8 0x2,0,4 [fio]\n\
        \tffffffff81000110\n\tffffffff81000010\n\n\
        fio 3 [000] 1.6: block:block_rq_insert: 8,0 R 4096 () 64 + 8 0x2,0,4 [fio]\n\
        \tffffffff81000120\n\tffffffff81000020\n\n";
    let symbols = "ffffffff81000000 T outer\nffffffff81000100 T inner\n";
    let mut reader = StacksReader::default();
    for text in [text, symbols] {
        reader.open();
        reader.feed(text.as_bytes());
    }
    reader.close();
    let mut recorded = reader.recorded;
    recorded.symbols.sort();
    let (stacks, frames) = named(&recorded);
    assert_eq!(stacks.functions, ["inner", "outer"]);
    assert_eq!((frames, stacks.addresses), (vec![0, 1, 0, 1], 0));
}

#[test]
fn a_store_without_requests_has_no_stacks() {
    let mut reader = StacksReader::default();
    reader.open();
    reader.feed(FTRACE.as_bytes());
    assert_eq!(reader.finish(&Store::default()), None);
}

#[test]
fn hostile_texts_are_read_to_their_end() {
    let deep = " => f\n".repeat(100_000);
    let wide: String = (0..70_000).map(|i| format!(" => f{i}\n")).collect();
    let event =
        " a-1 [000] 1.5: block_rq_issue: 8,0 R 8 () 1 + 8 be [a]\n a-1 [000] 1.5: <stack trace>\n";
    for frames in [
        deep,
        wide,
        " => \u{0}\u{fffd}+0x\n =>\n".to_owned(),
        "x".repeat(1 << 20),
    ] {
        let mut reader = StacksReader::default();
        reader.open();
        reader.feed(format!("{event}{frames}{event}").as_bytes());
        reader.close();
        assert!(reader.recorded.len() <= 1);
    }
}

#[test]
fn hostile_symbols_and_mappings_are_bounded() {
    let mut recorded = Recorded::default();
    // 20 MB of the shortest lines, and names that fill the room for names.
    let shortest: String = (0..3_400_000)
        .map(|i| format!("{:x} t x\n", 1 + i % 15))
        .collect();
    recorded.symbols.text(shortest.as_bytes());
    let long = format!("ffffffff81000000 t {}\n", "n".repeat(1 << 20));
    recorded.symbols.text(long.repeat(40).as_bytes());
    recorded.symbols.text(&[0xff; 1 << 20]);
    recorded.symbols.sort();
    assert!(recorded.symbols.left_out > 2_800_000);
    assert_eq!(recorded.symbols.name(3), Some("x"));
    // More modules than a kernel has, all of them around every address.
    for i in 0..10_000 {
        let name = format!("[kernel.kallsyms]_text{i}");
        let mapping = KernelMapping::new(&name, i..u64::MAX, i);
        recorded.mappings.add(&mapping);
    }
    let addresses: Vec<u64> = (0..70_000).map(|i| u64::MAX - 1 - 16 * i).collect();
    let functions: Vec<u32> = addresses
        .iter()
        .filter_map(|address| recorded.tree.function(Frame::Address(*address)))
        .collect();
    recorded.tree.stack(&functions);
    let (stacks, frames) = named(&recorded);
    assert_eq!((stacks.functions.len(), frames.len()), (1, 1 << 16));
    assert_eq!(recorded.tree.left_out, 70_000 - (1 << 16));
    recorded.symbols = Symbols::default();
    let (stacks, _) = named(&recorded);
    assert_eq!(stacks.addresses, 1 << 16);
    assert!(
        stacks
            .functions
            .iter()
            .all(|name| name.starts_with("[kernel]+0x"))
    );
}
