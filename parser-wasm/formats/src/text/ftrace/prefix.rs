//! The fields before an event's name in text of ftrace, trace-cmd and perf: task, pid, CPU and
//! time.
//!
//! `TASK-PID (TGID) [CPU] FLAGS TIME: EVENT: BODY` of ftrace and trace-cmd, TGID and FLAGS missing
//! on some kernels; `TASK PID [CPU] TIME: PERIOD SYSTEM:EVENT: BODY` of perf, with PID, PERIOD,
//! SYSTEM and CPU missing by its options. Names of tasks may contain blanks, dashes, slashes,
//! colons and brackets, so a line is parsed from `[CPU]` on. trace-cmd's `-l` prints `TASK-PID
//! CPUFLAGS TIME: EVENT: BODY`, and a kernel with `tp_printk` writes `[TIME] EVENT: BODY` to its
//! log.

use crate::block_event::{TracePoint, point};
use crate::text::scan::Scan;
use crate::text::tasks::UNKNOWN_PID;

/// The tool that printed the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// ftrace, or trace-cmd: `TASK-PID`.
    Dash,
    /// perf: `TASK PID`.
    Blank,
}

/// A line's prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix<'a> {
    /// How task and pid are written.
    pub style: Style,
    /// Task; absent when unknown (`<...>`, `:-1`).
    pub task: Option<&'a [u8]>,
    /// Thread id.
    pub pid: u32,
    /// 0 where the line has none.
    pub cpu: u32,
    pub has_cpu: bool,
    /// ns, or counts when `counter`.
    pub time: u64,
    /// The clock is a counter: its times have no point.
    pub counter: bool,
    /// Whether flags precede the time, as ftrace prints them.
    pub flags: bool,
    /// From the event's name on.
    pub rest: &'a [u8],
}

/// The prefix of `line`; absent when it has none.
pub fn prefix(line: &[u8]) -> Option<Prefix<'_>> {
    with_cpu(line)
        .or_else(|| without_cpu(line))
        .or_else(|| in_kernel_log(line))
}

/// The event's name without its system, and its body; absent when no name with a colon is next.
pub fn event(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut scan = Scan(rest);
    let mut word = scan.blanks().token();
    if whole(word).is_some() {
        word = scan.blanks().token();
    }
    let name = word.strip_suffix(b":")?;
    let name = name.rsplit(|&b| b == b':').next()?;
    let is_name = !name.is_empty()
        && name
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b));
    is_name.then_some((name, scan.blanks().0))
}

/// A word that is a decimal number.
fn whole(word: &[u8]) -> Option<u64> {
    let mut scan = Scan(word);
    scan.number().filter(|_| scan.0.is_empty())
}

/// Whether a line ends after `TASK-PID [CPU]`, perhaps with flags.
pub fn is_begun(line: &[u8]) -> bool {
    let Some(open) = line.iter().rposition(|&b| b == b'[') else {
        return false;
    };
    let mut scan = Scan(&line[open + 1..]);
    let cpu = scan.small().is_some() && scan.byte(b']').is_some();
    let ends = scan.blanks().0.is_empty() || {
        scan.token();
        scan.done().is_some()
    };
    cpu && ends && task(&line[..open]).is_some()
}

fn with_cpu(line: &[u8]) -> Option<Prefix<'_>> {
    let mut from = 0;
    while let Some(open) = line[from..].iter().position(|&b| b == b'[') {
        let bracket = from + open;
        from = bracket + 1;
        let Some(length) = line[from..].iter().position(|b| !b.is_ascii_digit()) else {
            break;
        };
        let behind = &line[from + length..];
        let cpu = Scan(&line[from..]).small();
        let Some(cpu) = cpu.filter(|_| behind.starts_with(b"] ")) else {
            continue;
        };
        let Some((time, counter, flags, rest)) = clock(&behind[1..]) else {
            continue;
        };
        let (style, task, pid) =
            task(&line[..bracket]).or_else(|| without_pid(&line[..bracket], flags, rest))?;
        return Some(Prefix {
            style,
            task,
            pid,
            cpu,
            has_cpu: true,
            time,
            counter,
            flags,
            rest,
        });
    }
    None
}

/// Flags perhaps, and a time with a colon.
fn clock(behind: &[u8]) -> Option<(u64, bool, bool, &[u8])> {
    let mut scan = Scan(behind);
    let first = scan.blanks().token();
    if let Some((time, counter)) = time(first) {
        return Some((time, counter, false, scan.blanks().0));
    }
    let (time, counter) = if first.len() <= 8 {
        time(scan.blanks().token())?
    } else {
        return None;
    };
    Some((time, counter, true, scan.blanks().0))
}

/// ns, or a count.
fn time(word: &[u8]) -> Option<(u64, bool)> {
    let word = word.strip_suffix(b":")?;
    let mut scan = Scan(word);
    match scan.seconds() {
        Some(time) => scan.0.is_empty().then_some((time, false)),
        None => Some((whole(word)?, true)),
    }
}

/// perf without its CPU column: the first word that is a time and is followed by an event's name.
fn without_cpu(line: &[u8]) -> Option<Prefix<'_>> {
    let mut from = 0;
    while let Some(colon) = line[from..].windows(2).position(|w| w == b": ") {
        let end = from + colon;
        from = end + 1;
        let start = line[..end].iter().rposition(u8::is_ascii_whitespace)? + 1;
        let Some((time, false)) = time(&line[start..end + 1]) else {
            continue;
        };
        let rest = line[from..].trim_ascii();
        if event(rest).is_none() {
            continue;
        }
        let (cpu, style, task, pid) = match task(&line[..start]) {
            Some((Style::Blank, task, pid)) => (0, Style::Blank, task, pid),
            _ => match latency_columns(&line[..start]) {
                Some((cpu, task, pid)) => (cpu, Style::Dash, task, pid),
                None => continue,
            },
        };
        return Some(Prefix {
            style,
            task,
            pid,
            cpu,
            has_cpu: style == Style::Dash,
            time,
            counter: false,
            flags: style == Style::Dash,
            rest,
        });
    }
    None
}

/// Task and pid, and then the CPU with its flags in one word: `dd-12  3d.h1.`.
fn latency_columns(left: &[u8]) -> Option<(u32, Option<&[u8]>, u32)> {
    let left = left.trim_ascii_end();
    let (before, column) = left.split_at(left.iter().rposition(u8::is_ascii_whitespace)? + 1);
    let mut scan = Scan(column);
    let cpu = scan.small()?;
    let is_flag = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'#');
    let is_flags = (4..=6).contains(&scan.0.len())
        && scan.0.iter().all(is_flag)
        && !scan.0[0].is_ascii_digit();
    match task(before)? {
        (Style::Dash, task, pid) if is_flags => Some((cpu, task, pid)),
        _ => None,
    }
}

/// Whether this is an event of the block layer: what only looks like one otherwise is text.
fn is_block_event(rest: &[u8]) -> bool {
    event(rest).is_some_and(|(name, _)| matches!(point(name), TracePoint::Known(..)))
}

/// `dd [000] 392.976830: block_bio_queue: ...`: perf prints no pid with `-F comm`, and people leave
/// it out.
fn without_pid<'a>(
    left: &'a [u8],
    flags: bool,
    rest: &[u8],
) -> Option<(Style, Option<&'a [u8]>, u32)> {
    let style = if flags { Style::Dash } else { Style::Blank };
    let task = left.trim_ascii();
    let digits = task.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let has_pid = digits > 0 && task[..task.len() - digits].ends_with(b"-");
    let is_task = !task.is_empty() && !has_pid;
    (is_task && is_block_event(rest)).then_some((style, Some(task), UNKNOWN_PID))
}

/// `[  230.478731] block_rq_issue: ...`, after the time perhaps the caller: `[  T123]`.
fn in_kernel_log(line: &[u8]) -> Option<Prefix<'_>> {
    let mut scan = Scan(line);
    scan.blanks().byte(b'[')?;
    let time = scan.blanks().seconds()?;
    scan.byte(b']')?;
    if scan.blanks().byte(b'[').is_some() {
        let end = scan.0.iter().position(|b| *b == b']')?;
        scan = Scan(&scan.0[end + 1..]);
    }
    let rest = scan.blanks().0;
    is_block_event(rest).then_some(Prefix {
        style: Style::Dash,
        task: None,
        pid: UNKNOWN_PID,
        cpu: 0,
        has_cpu: false,
        time,
        counter: false,
        flags: false,
        rest,
    })
}

/// Task and pid from the text before the CPU.
fn task(left: &[u8]) -> Option<(Style, Option<&[u8]>, u32)> {
    let mut left = left.trim_ascii();
    // (TGID), or (-----) when it is not known.
    if left.ends_with(b")")
        && let Some(open) = left.iter().rposition(|&b| b == b'(')
    {
        left = left[..open].trim_ascii_end();
    }
    let digits = left.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let (before, pid) = left.split_at(left.len() - digits);
    let mut pid = u32::try_from(whole(pid)?).ok()?;
    let (style, task) = match before {
        // pid/tid of perf.
        [process @ .., b'/'] if process.last().is_some_and(u8::is_ascii_digit) => {
            let digits = process
                .iter()
                .rev()
                .take_while(|b| b.is_ascii_digit())
                .count();
            (Style::Blank, &process[..process.len() - digits])
        }
        // perf's unknown task: `:-1 -1`.
        [task @ .., b' ' | b'\t', b'-'] if pid == 1 => {
            pid = UNKNOWN_PID;
            (Style::Blank, task)
        }
        [task @ .., b'-'] => (Style::Dash, task),
        [] => (Style::Blank, before),
        [.., b' ' | b'\t'] => (Style::Blank, before),
        _ => return None,
    };
    let task = task.trim_ascii();
    let unknown =
        task.is_empty() || task == b"<...>" || (style == Style::Blank && task.starts_with(b":"));
    Some((style, (!unknown).then_some(task), pid))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (style, task, pid, cpu, time, event)
    type ReadPrefix<'a> = (Style, &'a str, u32, u32, u64, &'a str);

    fn decode(line: &str) -> Option<(Style, String, u32, u32, u64, String)> {
        let p = prefix(line.as_bytes())?;
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        let (name, _) = event(p.rest)?;
        Some((
            p.style,
            p.task.map(text).unwrap_or_default(),
            p.pid,
            p.cpu,
            p.time,
            text(name),
        ))
    }

    fn check(line: &str, (style, task, pid, cpu, time, event): ReadPrefix<'_>) {
        assert_eq!(
            decode(line),
            Some((style, task.to_owned(), pid, cpu, time, event.to_owned())),
            "{line}"
        );
    }

    const NS: u64 = 1000;

    #[test]
    fn ftrace() {
        use Style::Dash;
        check(
            "              dd-1592    [000] .....   122.135558: block_bio_queue: 254,0 WS 0 + 8 \
                [dd]",
            (Dash, "dd", 1592, 0, 122_135_558 * NS, "block_bio_queue"),
        );
        // Four flags before 5.17, none before 2.6.39.
        check(
            "kworker/u9:1-83 [003] d..2 2.682991: block_rq_issue: 8,0 RA 0 () 10140208 + 32 \
                [kworker/u9:1]",
            (
                Dash,
                "kworker/u9:1",
                83,
                3,
                2_682_991 * NS,
                "block_rq_issue",
            ),
        );
        check(
            "   bash-4000  [01]  5910.251687: block_plug: [bash]",
            (Dash, "bash", 4000, 1, 5_910_251_687 * NS, "block_plug"),
        );
        // Thread group.
        check(
            "   fio-2860  (   2859) [001] .....  2109.208428: block_plug: [fio]",
            (Dash, "fio", 2860, 1, 2_109_208_428 * NS, "block_plug"),
        );
        check(
            "   <idle>-0  (-----) [001] d.h2. 1.000001: block_plug: [x]",
            (Dash, "<idle>", 0, 1, 1_000_001 * NS, "block_plug"),
        );
        // Unknown task; names with blanks, dashes, colons and brackets.
        check(
            "   <...>-1234  [001] ..... 1.5: block_plug: [x]",
            (Dash, "", 1234, 1, 1_500_000_000, "block_plug"),
        );
        check(
            "   my task-x: [2]-77 [012] ..... 1.0: block_plug: [x]",
            (Dash, "my task-x: [2]", 77, 12, 1_000_000_000, "block_plug"),
        );
        check(
            "   a[7] b (c)-5 [000] ..... 1.0: block_plug: [x]",
            (Dash, "a[7] b (c)", 5, 0, 1_000_000_000, "block_plug"),
        );
        check(
            "   (sd-pam)-5 [000] ..... 1.0: block_plug: [x]",
            (Dash, "(sd-pam)", 5, 0, 1_000_000_000, "block_plug"),
        );
    }

    #[test]
    fn clocks() {
        let line = |time: &str| format!("  dd-1 [000] ..... {time}: block_plug: [dd]");
        let p = |time: &str| prefix(line(time).as_bytes()).map(|p| (p.time, p.counter));
        assert_eq!(p("2750.226053218"), Some((2_750_226_053_218, false)));
        assert_eq!(p("2750.226053"), Some((2_750_226_053_000, false)));
        assert_eq!(p("118433"), Some((118_433, true)));
        assert_eq!(p("yesterday"), None);
    }

    #[test]
    fn trace_cmd() {
        check(
            "             fio-1466  [001]   110.731685: block_bio_queue:      254,0 R 31616 + 16 \
                [fio]",
            (
                Style::Dash,
                "fio",
                1466,
                1,
                110_731_685 * NS,
                "block_bio_queue",
            ),
        );
        check(
            "          <idle>-0     [000] d.h1.   23.577945: block_rq_complete:    254,0 WS () \
                359232 + 16 0x2,0,4 [0]",
            (
                Style::Dash,
                "<idle>",
                0,
                0,
                23_577_945 * NS,
                "block_rq_complete",
            ),
        );
    }

    #[test]
    fn perf() {
        use Style::Blank;
        check(
            "       perf-exec 12969 [001]  3235.811707:    block:block_rq_issue: 254,0 RM 4096 () \
                13317896 + 8 0x2,0,4 [perf-exec]",
            (
                Blank,
                "perf-exec",
                12969,
                1,
                3_235_811_707 * NS,
                "block_rq_issue",
            ),
        );
        check(
            " kworker/0:1H-kb    56 [000]   133.402489:       block:block_rq_issue: 254,0 WS 4096 \
                () 33392 + 8 [kworker/0:1H]",
            (
                Blank,
                "kworker/0:1H-kb",
                56,
                0,
                133_402_489 * NS,
                "block_rq_issue",
            ),
        );
        // -F +pid, --ns, the period of older versions, no comm, no cpu.
        check(
            "  my fio  1733/1735 [000] 1.000000007: 1 block:block_plug: [x]",
            (Blank, "my fio", 1735, 0, 1_000_000_007, "block_plug"),
        );
        check(
            "  1733 [003] 1.000007: block:block_plug: [x]",
            (Blank, "", 1733, 3, 1_000_007_000, "block_plug"),
        );
        check(
            "  fio: 2  1733   1.000007: block:block_plug: [x]",
            (Blank, "fio: 2", 1733, 0, 1_000_007_000, "block_plug"),
        );
        check(
            "   :-1    -1 [000] 1.000007: block:block_plug: [x]",
            (Blank, "", u32::MAX, 0, 1_000_007_000, "block_plug"),
        );
        check(
            "   :4242  4242 [000] 1.000007: block:block_plug: [x]",
            (Blank, "", 4242, 0, 1_000_007_000, "block_plug"),
        );
    }

    #[test]
    fn trace_cmd_with_latencies() {
        check(
            "       test-2991    0.....   119.255974: block_rq_issue:       8,0 R 1310720 () 8 + 8 \
                0x2,0,4 [test]",
            (
                Style::Dash,
                "test",
                2991,
                0,
                119_255_974 * NS,
                "block_rq_issue",
            ),
        );
        check(
            "     <idle>-0      13d.h1.   119.325974: block_rq_complete:    8,0 R () 8 + 8 [0]",
            (
                Style::Dash,
                "<idle>",
                0,
                13,
                119_325_974 * NS,
                "block_rq_complete",
            ),
        );
    }

    #[test]
    fn without_tasks() {
        use Style::{Blank, Dash};
        check(
            "dd [003] ..... 392.976830: block_bio_queue: 254,52 R 8 + 8 [dd]",
            (
                Dash,
                "dd",
                UNKNOWN_PID,
                3,
                392_976_830 * NS,
                "block_bio_queue",
            ),
        );
        check(
            "my dd [003] 392.976830: block:block_bio_queue: 254,52 R 8 + 8 [dd]",
            (
                Blank,
                "my dd",
                UNKNOWN_PID,
                3,
                392_976_830 * NS,
                "block_bio_queue",
            ),
        );
        for log in ["[  230.478731] ", "[  230.478731][  T123] "] {
            check(
                &format!("{log}block_rq_issue: 8,0 WS 4096 () 8 + 8 [kworker/u16:9]"),
                (Dash, "", UNKNOWN_PID, 0, 230_478_731 * NS, "block_rq_issue"),
            );
        }
    }

    #[test]
    fn other_lines_have_no_prefix() {
        for line in [
            "",
            "cpus=2",
            "# tracer: nop",
            "CPU:1 [LOST 17 EVENTS]",
            "        ffffffff8154a1b0 submit_bio_noacct+0x0 ([kernel.kallsyms])",
            " => blk_mq_submit_bio",
            "[    0.000000] Linux version 6.1.0",
            "[    0.000000] usb: a device",
            "disk [001] 1.0: usage: 5",
            "254,0    1       50     0.700353149  1594  Q FWS [mke2fs]",
            "a [12] b [999999999999999999999] 1.0: x: y",
            "dd-99999999999 [000] ..... 1.0: block_plug: [dd]",
        ] {
            assert_eq!(decode(line), None, "{line}");
        }
    }
}
