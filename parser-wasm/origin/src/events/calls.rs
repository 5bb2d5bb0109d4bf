//! System calls and operations of io_uring, by task and time.
//!
//! `sys_enter_write` or `NR 1` begins a call of its task, `sys_exit_write` ends it. What a number
//! means is known where the recording says the architecture. An operation of
//! io_uring begins with its submission; the requests that it queues follow in the same task, before
//! the next submission. One that is given to a worker is queued by another task that no event
//! names, so it has none.

use super::{Line, number, value};
use crate::tasks::TaskTable;
use rustc_hash::FxHashMap;
use seekscope_formats::machine::{Machine, system_call};
use seekscope_trace::store::{Call, Calls, NO_END, NO_FD, Store};

/// Calls and operations; later ones are left out. 40 bytes each.
const MAX_CALLS: usize = 4 << 20;
/// Tasks that are in a call, and operations that are not complete.
const MAX_OPEN: usize = 1 << 20;
const MAX_NAMES: usize = 4096;
/// Times in text are rounded to microseconds.
const ROUNDING: u64 = 1_000;
/// Calls that queue no request themselves: they only wait, or ask for something.
const NO_IO: [&str; 22] = [
    "futex",
    "nanosleep",
    "clock_nanosleep",
    "clock_gettime",
    "gettimeofday",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "getpid",
    "gettid",
    "getppid",
    "sched_yield",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "brk",
    "wait4",
    "getrandom",
];

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallKind {
    System,
    Uring,
}

/// A call or an operation, on the clock of the trace.
#[derive(Clone, Copy, Debug)]
struct CallRow {
    call: Call,
    kind: CallKind,
    /// When the task stopped to queue requests of the operation: it submitted the next one, or gave
    /// this one to a worker.
    queues_until: u64,
}

/// The calls of a recording.
#[derive(Debug, Default)]
pub struct CallLog {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    rows: Vec<CallRow>,
    /// The call that a task is in.
    open: FxHashMap<u32, usize>,
    /// The last submission of a task.
    submitted: FxHashMap<u32, usize>,
    /// Operations by their address.
    operations: FxHashMap<u64, usize>,
    /// Of the recording whose events follow.
    pub machine: Option<Machine>,
    left_out: u64,
}

impl CallLog {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Takes a line, if it is about calls.
    pub fn add(&mut self, line: &Line<'_>) {
        let call = line.name.strip_prefix("sys_");
        let is_exit = |name: &str| name.starts_with("exit_") || name == "exit";
        if let Some(name) = call.filter(|_| line.fields.starts_with('(')) {
            self.enter(line, Some(name));
        } else if let Some(name) = call.and_then(|name| name.strip_prefix("enter")) {
            self.enter(line, name.strip_prefix('_'));
        } else if call.is_some_and(|name| is_exit(name) || line.fields.starts_with("->")) {
            if let Some(row) = self.open.remove(&line.pid) {
                self.rows[row].call.end = line.time;
            }
        } else if let Some(name) = line.name.strip_suffix("_sync_file_enter") {
            // Threads of the kernel sync files for others: a loop device does.
            let is_user = !TaskTable::is_kernel_name(line.comm);
            if matches!(name, "ext4" | "f2fs") && is_user && !self.open.contains_key(&line.pid) {
                let datasync = number(line.fields, "datasync").is_some_and(|flag| flag > 0);
                let name = if datasync { "fdatasync()" } else { "fsync()" };
                self.begin(line, name, NO_FD);
                // It counts once its end is known.
                if let Some(&row) = self.open.get(&line.pid) {
                    self.rows[row].queues_until = 0;
                }
            }
        } else if matches!(line.name, "ext4_sync_file_exit" | "f2fs_sync_file_exit") {
            self.end_of_sync(line);
        } else if line.name.starts_with("io_uring_") {
            self.uring(line);
        }
    }

    fn enter(&mut self, line: &Line<'_>, name: Option<&str>) {
        let (name, fd) = match name {
            Some(name) => (
                format!("{name}()"),
                hex(line.fields.trim_start_matches('('), "fd"),
            ),
            None => match self.numbered(line.fields) {
                Some(call) => call,
                None => return,
            },
        };
        // A call whose end is missing ends before the next one of its task.
        if let Some(row) = self.open.remove(&line.pid) {
            self.rows[row].call.end = line.time;
        }
        if !NO_IO.contains(&name.trim_end_matches("()")) {
            let fd = fd.and_then(|fd| u32::try_from(fd).ok());
            self.begin(line, &name, fd.unwrap_or(NO_FD));
        }
    }

    /// Name and file descriptor of a call of raw_syscalls: `NR 18 (3, 7f00, 1000, 0, 0, 0)`.
    fn numbered(&self, fields: &str) -> Option<(String, Option<u64>)> {
        let number = value(fields, "NR")?;
        let call = number
            .parse()
            .ok()
            .and_then(|number| system_call(self.machine, number));
        let Some(call) = call else {
            return Some((format!("call NR {number}"), None));
        };
        let first = fields.split_once('(').map(|(_, rest)| rest);
        let first = first
            .and_then(|rest| rest.split([',', ')']).next())
            .filter(|_| call.has_fd);
        let fd = first.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
        Some((format!("{}()", call.name), fd))
    }

    fn begin(&mut self, line: &Line<'_>, name: &str, fd: u32) {
        let kind = CallKind::System;
        if self.open.len() >= MAX_OPEN {
            self.left_out += 1;
        } else if let Some(row) = self.row(line, kind, name, fd) {
            self.open.insert(line.pid, row);
        }
    }

    fn row(&mut self, line: &Line<'_>, kind: CallKind, name: &str, fd: u32) -> Option<usize> {
        let name = match self.numbers.get(name) {
            Some(&number) => Some(number),
            None if self.names.len() >= MAX_NAMES => None,
            None => {
                let number = self.names.len() as u32;
                self.names.push(name.to_owned());
                self.numbers.insert(name.to_owned(), number);
                Some(number)
            }
        };
        let Some(name) = name.filter(|_| self.rows.len() < MAX_CALLS) else {
            self.left_out += 1;
            return None;
        };
        let call = Call {
            name,
            pid: line.pid,
            fd,
            begin: line.time,
            end: NO_END,
        };
        self.rows.push(CallRow {
            call,
            kind,
            queues_until: NO_END,
        });
        Some(self.rows.len() - 1)
    }

    /// Ends an fsync that no event of a system call began.
    fn end_of_sync(&mut self, line: &Line<'_>) {
        let Some(&row) = self.open.get(&line.pid) else {
            return;
        };
        let name = self.rows[row].call.name as usize;
        let only_of_events = self.rows[row].call.fd == NO_FD;
        if only_of_events && matches!(self.names[name].as_str(), "fsync()" | "fdatasync()") {
            self.rows[row].call.end = line.time;
            self.rows[row].queues_until = NO_END;
            self.open.remove(&line.pid);
        }
    }

    fn uring(&mut self, line: &Line<'_>) {
        let key = || hex(line.fields, "req").or_else(|| hex(line.fields, "request"));
        match line.name {
            "io_uring_submit_req" | "io_uring_submit_sqe" => {
                let name = value(line.fields, "opcode").filter(|name| !name.is_empty());
                let name = name.or_else(|| value(line.fields, "op"));
                let name =
                    name.map_or_else(|| "io_uring".into(), |name| format!("io_uring {name}"));
                if let Some(last) = self.submitted.remove(&line.pid) {
                    let until = &mut self.rows[last].queues_until;
                    *until = (*until).min(line.time);
                }
                if self.submitted.len() >= MAX_OPEN || self.operations.len() >= MAX_OPEN {
                    self.left_out += 1;
                } else if let Some(row) = self.row(line, CallKind::Uring, &name, NO_FD) {
                    self.submitted.insert(line.pid, row);
                    if let Some(key) = key() {
                        self.operations.insert(key, row);
                    }
                }
            }
            "io_uring_file_get" => {
                let row = key().and_then(|key| self.operations.get(&key));
                let fd = number(line.fields, "fd").and_then(|fd| u32::try_from(fd).ok());
                if let Some((&row, fd)) = row.zip(fd) {
                    self.rows[row].call.fd = fd;
                }
            }
            "io_uring_queue_async_work" => {
                if let Some(&row) = key().and_then(|key| self.operations.get(&key)) {
                    let until = &mut self.rows[row].queues_until;
                    *until = (*until).min(line.time);
                }
            }
            "io_uring_complete" => {
                if let Some(row) = key().and_then(|key| self.operations.remove(&key)) {
                    self.rows[row].call.end = line.time;
                }
            }
            _ => {}
        }
    }

    /// The calls of the requests of a store.
    pub fn resolve(mut self, store: &Store) -> Calls {
        self.rows
            .sort_by_key(|row| (row.call.pid, row.call.begin, row.kind == CallKind::Uring));
        let mut calls = Calls::new(std::mem::take(&mut self.names));
        calls.left_out = self.left_out;
        let mut numbers: FxHashMap<usize, u32> = FxHashMap::default();
        for row in 0..store.requests.len() {
            let request = store.requests.row(row);
            let process = store.processes.get(request.process() as usize);
            let found = request.queued().zip(process).and_then(|(queued, process)| {
                let time = store.origin.saturating_add(queued);
                self.find(process.pid, time)
            });
            calls.unknown += u64::from(found.is_none() && request.queued().is_some());
            let number = found.map(|found| {
                *numbers.entry(found).or_insert_with(|| {
                    let call = self.rows[found].call;
                    let since_start = |time: u64| match time {
                        NO_END => NO_END,
                        time => time.saturating_sub(store.origin),
                    };
                    calls.calls.push(Call {
                        begin: since_start(call.begin),
                        end: since_start(call.end),
                        ..call
                    });
                    calls.calls.len() as u32 - 1
                })
            });
            calls.push(number);
        }
        calls
    }

    /// The row in which a task queued something: an operation of io_uring before the call that
    /// submits it.
    fn find(&self, pid: u32, time: u64) -> Option<usize> {
        let key = (pid, time.saturating_add(ROUNDING));
        let end = self
            .rows
            .partition_point(|row| (row.call.pid, row.call.begin) <= key);
        let of_task = |row: &usize| self.rows[*row].call.pid == pid;
        let mut before = (0..end).rev().take_while(of_task);
        // The last submission stands behind the call in which it was made.
        let last = before.next()?;
        let covers = |row: usize| {
            let CallRow {
                call, queues_until, ..
            } = self.rows[row];
            let until = call.end.min(queues_until);
            until == NO_END || until.saturating_add(ROUNDING) >= time
        };
        if covers(last) {
            return Some(last);
        }
        if self.rows[last].kind == CallKind::System {
            return None;
        }
        let system = before.find(|&row| self.rows[row].kind == CallKind::System);
        system.filter(|&row| covers(row))
    }
}

/// A hexadecimal number with or without `0x` behind `key`, such as `fd: 0x00000003` or
/// `req 00000000cbe2e16e`.
fn hex(fields: &str, key: &str) -> Option<u64> {
    let rest = match fields.split_once(&format!("{key}:")) {
        Some((before, rest)) if before.is_empty() || before.ends_with(' ') => rest.trim_start(),
        _ => value(fields, key)?,
    };
    let text = rest.strip_prefix("0x").unwrap_or(rest);
    let end = text
        .find(|letter: char| !letter.is_ascii_hexdigit())
        .unwrap_or(text.len());
    u64::from_str_radix(&text[..end], 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::line;
    use seekscope_trace::fixture;

    /// The names of the calls of requests of task 9 that were queued at these microseconds.
    fn names(lines: &[&str], queued: &[u64]) -> Vec<String> {
        let mut log = CallLog::default();
        for text in lines {
            log.add(&line::parse(&format!("a-9 [000] {text}")).expect("a line"));
        }
        let text: String = queued
            .iter()
            .map(|time| {
                let (ns, sector) = (time * 1000, time * 8);
                format!(
                    "{ns} Q {sector}+8 W pid=9\n{ns} D {sector}+8 W\n{} C {sector}+8 W\n",
                    ns + 1
                )
            })
            .collect();
        let store = fixture::store(&text);
        let calls = log.resolve(&store);
        let name = |row: usize| calls.name(row).unwrap_or("-").to_owned();
        (0..store.requests.len()).map(name).collect()
    }

    #[test]
    fn a_request_is_queued_in_a_call() {
        let lines = [
            "0.000100: sys_enter_pwrite64: fd: 0x00000003, buf: 0x7fe0, count: 0x00004000",
            "0.000200: sys_exit_pwrite64: 0x4000",
            "0.000300: sys_enter_futex: uaddr: 0x7f",
            "0.000400: sys_exit_futex: 0x0",
            "0.000500: sys_enter: NR 18 (3, 7f, 1000, 0, 0, 0)",
            "0.000650: sys_exit: NR 18 = 4096",
            "0.000700: sys_fsync(fd: 3)",
            "0.000800: sys_fsync -> 0x0",
            "0.000900: sys_sync()",
        ];
        let expected = [
            "-",
            "pwrite64()",
            "-",
            "-",
            "call NR 18",
            "-",
            "fsync()",
            "-",
            "sync()",
        ];
        let queued = [50, 150, 250, 350, 600, 670, 750, 850, 950];
        assert_eq!(names(&lines, &queued), expected);
    }

    #[test]
    fn an_operation_of_io_uring_is_before_the_call_that_submits_it() {
        let lines = [
            "0.000100: sys_enter_io_uring_enter: fd: 0x00000004, to_submit: 0x2",
            "0.000110: io_uring_submit_req: ring 0a, req 0b, user_data 0x1, opcode READ, flags 0x0",
            "0.000120: io_uring_submit_req: ring 0a, req 0c, user_data 0x2, opcode WRITE, flags 0x0",
            "0.000130: io_uring_queue_async_work: ring 0a, request 0c, user_data 0x2, opcode WRITE",
            "0.000200: sys_exit_io_uring_enter: 0x2",
            "0.000300: io_uring_complete: ring 0a, req 0b, user_data 0x1, result 4096",
        ];
        let expected = ["io_uring READ", "io_uring WRITE", "io_uring_enter()", "-"];
        assert_eq!(names(&lines, &[115, 125, 150, 250]), expected);
    }

    #[test]
    fn a_sync_has_a_begin_and_an_end() {
        let lines = [
            "0.000100: ext4_sync_file_enter: dev 254,1 ino 12 parent 2 datasync 1 ",
            "0.000200: ext4_sync_file_exit: dev 254,1 ino 12 ret 0",
        ];
        assert_eq!(names(&lines, &[150, 250]), ["fdatasync()", "-"]);
        assert_eq!(names(&lines[..1], &[150]), ["-"]);
    }

    #[test]
    fn numbers_of_fields() {
        assert_eq!(hex("fd: 0x00000003, buf: 0x7", "fd"), Some(3));
        assert_eq!(
            hex("ring 0a, req 00000000cbe2e16e, user", "req"),
            Some(0xcbe2_e16e)
        );
        assert_eq!(hex("no", "fd"), None);
        assert_eq!(hex("fd: ", "fd"), None);
    }
}
