//! A line of ftrace text: `comm-pid  [cpu] flags time: event: fields`. trace-cmd report leaves out
//! the flags; perf script prints `comm pid [cpu] time: system:event: fields`.

use super::{Line, parse_seconds};

/// Whether a text begins as one of ftrace: with its header, or with its lines.
pub fn is_ftrace(head: &str) -> bool {
    let mut lines = head.lines().take(40).filter(|line| !line.is_empty());
    if head.starts_with("# tracer:") {
        return true;
    }
    lines.any(|line| parse(line).is_some())
}

/// Beginnings of the names of events that say something about files, or name tasks: the first lines
/// of a recording may have only these.
const NAMES: [&str; 13] = [
    "ext4_",
    "jbd2_",
    "xfs_",
    "iomap_",
    "f2fs_",
    "btrfs_",
    "writeback_",
    "wbc_",
    "io_uring_",
    "sys_",
    "task_newtask",
    "task_rename",
    "sched_process_",
];

/// Whether such an event is among the lines of a text. Others have texts of ftrace, too, which
/// belong to other readers.
pub fn has_file_system_event(head: &str) -> bool {
    let named = |line: &str| {
        parse(line).is_some_and(|line| NAMES.iter().any(|name| line.name.starts_with(name)))
    };
    head.lines().any(named)
}

/// The parts of a line; absent for comments, and for lines of another form.
pub fn parse(text: &str) -> Option<Line<'_>> {
    if text.starts_with('#') {
        return None;
    }
    let bytes = text.as_bytes();
    // A name may hold brackets, too: the CPU is the first number in them behind a pid.
    let mut from = 0;
    let (task, rest) = loop {
        let bracket = from + memchr::memchr(b'[', bytes.get(from..)?)?;
        let digits = bytes[bracket + 1..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let end = bracket + 1 + digits;
        let cpu = digits > 0 && bytes.get(end) == Some(&b']');
        if cpu && bracket > 0 && bytes[bracket - 1] == b' ' {
            break (text.get(..bracket)?, text.get(end + 1..)?);
        }
        from = bracket + 1;
    };
    let (comm, pid) = task_name(task)?;
    // The flags are left out by some tools.
    let rest = rest.trim_start();
    let (stamp, rest) = rest.split_once(": ")?;
    let time = parse_seconds(stamp.rsplit(' ').next()?)?;
    let rest = rest.trim_start();
    if let Some((name, fields)) = system_call(rest) {
        return Some(Line {
            comm,
            pid,
            time,
            name,
            fields,
        });
    }
    let (mut name, mut fields) = rest.split_once(':')?;
    // perf script prints the system of the event, too: `ext4:ext4_unlink_enter: fields`.
    if let Some((event, rest)) = fields.split_once(':')
        && is_word(event)
    {
        (name, fields) = (event, rest);
    }
    is_word(name).then(|| Line {
        comm,
        pid,
        time,
        name,
        fields: fields.trim(),
    })
}

/// ftrace prints system calls as `sys_fsync(fd: 3)` and `sys_fsync -> 0x0`.
fn system_call(text: &str) -> Option<(&str, &str)> {
    let end = text.find(['(', ' ']).filter(|_| text.starts_with("sys_"))?;
    let (name, fields) = text.split_at(end);
    let fields = fields.trim_start();
    (is_word(name) && fields.starts_with(['(', '-'])).then_some((name, fields))
}

fn is_word(text: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !text.is_empty() && text.bytes().all(word)
}

/// `jbd2/vda1-8-168   ` or `bash-17  (   12) `: the pid stands behind the last `-`. perf script
/// prints `bash   17 ` or `bash   12/17 `.
fn task_name(task: &str) -> Option<(&str, u32)> {
    let task = task.trim_end();
    let last = task.rsplit_once(' ').and_then(|(comm, last)| {
        let pid = last.rsplit_once('/').map_or(last, |(_, thread)| thread);
        Some((comm.trim(), pid.parse().ok()?))
    });
    if let Some((comm, pid)) = last.filter(|(comm, _)| !comm.is_empty()) {
        return Some((comm, pid));
    }
    let task = match task.rfind('(') {
        Some(open) if task.ends_with(')') && !task[open..].contains('-') => task[..open].trim_end(),
        // A thread group that is not known: `(-----)`.
        Some(open) if task.ends_with("-)") => task[..open].trim_end(),
        _ => task,
    };
    let (comm, pid) = task.rsplit_once('-')?;
    let comm = without_instance(comm).trim_start();
    (!comm.is_empty()).then_some((comm, pid.parse().ok()?))
}

/// trace-cmd report begins lines of an instance with its name and a colon; names of tasks are
/// aligned behind it.
fn without_instance(comm: &str) -> &str {
    match comm.split_once(':') {
        Some((_, rest)) if !comm.starts_with(' ') && rest.starts_with("  ") => rest,
        _ => comm,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_parts() {
        let text =
            "    jbd2/vda1-8-168   [001] ...1.    12.571580: jbd2_start_commit: dev 254,1 sync 0";
        let line = parse(text).unwrap();
        assert_eq!(
            (line.comm, line.pid, line.time),
            ("jbd2/vda1-8", 168, 12_571_580_000)
        );
        assert_eq!(
            (line.name, line.fields),
            ("jbd2_start_commit", "dev 254,1 sync 0")
        );
    }

    #[test]
    fn names_may_hold_anything() {
        let line = parse("  a [x] b-17  (   12) [000] d..1.  5.000001: e: f").unwrap();
        assert_eq!(
            (line.comm, line.pid, line.time),
            ("a [x] b", 17, 5_000_001_000)
        );
        let line = parse("  <idle>-0  (-----) [000] 5.5: e: f: g").unwrap();
        assert_eq!((line.comm, line.fields), ("<idle>", "f: g"));
    }

    #[test]
    fn tools_print_other_forms() {
        let lines = [
            // perf script, also with the process.
            "jbd2/vda1-8   168 [001] 12.571580123:  jbd2:jbd2_end_commit: dev 254,1 transaction 9",
            "jbd2/vda1-8  168/168 [001] 12.571580123: jbd2:jbd2_end_commit: dev 254,1 transaction 9",
            // trace-cmd report, also of an instance.
            "    jbd2/vda1-8-168  [001] 12.571580123: jbd2_end_commit:  dev 254,1 transaction 9",
            "all:   jbd2/vda1-8-168  [001] 12.571580123: jbd2_end_commit:  dev 254,1 transaction 9",
            // print-tgid without irq-info.
            "jbd2/vda1-8-168  (    168) [001] 12.571580123: jbd2_end_commit: dev 254,1 transaction 9",
        ];
        for text in lines {
            let expected = Line {
                comm: "jbd2/vda1-8",
                pid: 168,
                time: 12_571_580_123,
                name: "jbd2_end_commit",
                fields: "dev 254,1 transaction 9",
            };
            assert_eq!(parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_lines_are_none() {
        for text in [
            "",
            "#  comment [000]",
            "x [000]",
            "a-1 [000] .. 5.x: e: f",
            "a-b [000] 1.0: e: f",
            "[",
            "a-1 [0",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(is_ftrace("# tracer: nop\n#\n"));
    }
}
