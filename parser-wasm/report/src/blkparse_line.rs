//! One line per event and message, as in blkparse's default format:
//!
//! ```text
//!   8,0    0       42     0.000000000  4711  Q   R 1000 + 8 [dd]
//! dev      cpu  sequence  time in s     pid  action, RWBS, tail
//! ```
//!
//! Per-CPU sequence numbers are calculated from the start of a block of events, so a caller that
//! prints many lines passes each one.

use seekscope_trace::event::{Action, DeviceNumber, EventDetail, Flags};
use seekscope_trace::store::Store;
use std::fmt::Write;

/// The columns before the tail: device, CPU, sequence, time, process, action, RWBS.
#[derive(Clone, Copy, Debug)]
pub struct LineHead<'a> {
    pub device: DeviceNumber,
    pub cpu: u32,
    /// Sequence number; without it, the column is omitted.
    pub sequence: Option<u32>,
    /// Time in ns since the trace's start.
    pub time: u64,
    /// Pid of the running task.
    pub pid: u32,
    pub action: &'a str,
    pub rwbs: &'a str,
}

impl LineHead<'_> {
    /// Appends the columns and a space. All widths are minimum widths: long values shift what
    /// follows to the right.
    pub fn write(&self, out: &mut String) {
        let LineHead {
            device,
            cpu,
            sequence,
            time,
            pid,
            action,
            rwbs,
        } = *self;
        // Writing to a string cannot fail.
        let _ = write!(out, "{:3},{:<3} {cpu:2} ", device.major(), device.minor());
        if let Some(sequence) = sequence {
            let _ = write!(out, "{:8} ", sequence as i32);
        }
        let _ = write!(
            out,
            "{:5}.{:09} {pid:5} {action:>2} {rwbs:>3} ",
            time / 1_000_000_000,
            time % 1_000_000_000
        );
    }
}

/// Number of a device of the store.
pub fn device(store: &Store, index: u32) -> DeviceNumber {
    store
        .devices
        .get(index as usize)
        .map_or(DeviceNumber(0), |d| d.number)
}

/// The name that blkparse prints for a process without one.
const NO_NAME: &str = "(null)";

/// Name of a process: the first recorded one, as in blkparse.
pub fn name(store: &Store, process: u32) -> &str {
    let process = store.processes.get(process as usize);
    process
        .and_then(|p| p.first_name.as_deref().or(p.name.as_deref()))
        .unwrap_or(NO_NAME)
}

pub fn pid(store: &Store, process: u32) -> u32 {
    store.processes.get(process as usize).map_or(0, |p| p.pid)
}

/// Appends what follows the RWBS of event `i`.
pub fn tail(out: &mut String, store: &Store, i: usize) {
    let e = &store.events;
    let (sector, sectors, name) = (e.sector(i), e.sectors(i), name(store, e.process(i)));
    let pc = e.flags(i).has(Flags::PC);
    let _ = match e.action(i) {
        Action::Complete if pc => write!(out, "{}[{}]", command(store, i), e.error(i) as u16),
        Action::Requeue if pc => write!(out, "[{}]", e.error(i) as u16),
        Action::Complete | Action::Requeue if sectors == 0 => {
            write!(out, "{sector} [{}]", e.error(i) as u16)
        }
        Action::Complete | Action::Requeue => {
            write!(out, "{sector} + {sectors} [{}]", e.error(i) as u16)
        }
        Action::Issue | Action::Insert if pc => {
            write!(out, "{} {}[{name}]", e.bytes(i), command(store, i))
        }
        Action::Queue | Action::Bounce if pc => write!(out, "{} [{name}]", e.bytes(i)),
        Action::Plug => write!(out, "[{name}]"),
        Action::Unplug | Action::UnplugTimer => match e.detail(i) {
            EventDetail::Unplug(count) => write!(out, "[{name}] {count}"),
            _ => write!(out, "[{name}]"),
        },
        Action::Remap => match e.detail(i) {
            EventDetail::Remap {
                from,
                sector: before,
                ..
            } => {
                write!(
                    out,
                    "{sector} + {sectors} <- ({},{}) {before}",
                    from.major(),
                    from.minor()
                )
            }
            _ => write!(out, "{sector} + {sectors}"),
        },
        Action::Split => match e.detail(i) {
            EventDetail::Split(rest) => write!(out, "{sector} / {} [{name}]", rest as u32),
            _ => write!(out, "{sector} [{name}]"),
        },
        _ if sectors == 0 => write!(out, "[{name}]"),
        _ => write!(out, "{sector} + {sectors} [{name}]"),
    };
}

/// A passthrough command in parentheses, followed by a space; trailing zeros are shortened. Empty
/// if there is none.
fn command(store: &Store, i: usize) -> String {
    let EventDetail::Command { start, len } = store.events.detail(i) else {
        return String::new();
    };
    let bytes = store
        .commands
        .get(start as usize..start as usize + usize::from(len))
        .unwrap_or_default();
    let end = bytes
        .iter()
        .rposition(|&b| b != 0)
        .map_or(0, |last| last + 1);
    let mut words: Vec<String> = bytes
        .iter()
        .take(end + 1)
        .map(|b| format!("{b:02x}"))
        .collect();
    if end < bytes.len() {
        words.push("..".to_owned());
    }
    format!("({}) ", words.join(" "))
}

/// Device of an event's line: for a remap the device that it leads to.
pub fn printed_device(store: &Store, i: usize) -> DeviceNumber {
    match store.events.detail(i) {
        EventDetail::Remap { to, .. } => to,
        _ => device(store, store.events.device(i)),
    }
}

/// Appends the line of event `i`, without a newline.
pub fn event(out: &mut String, store: &Store, i: usize, sequence: Option<u32>) {
    event_at(out, store, i, sequence, store.events.time(i));
}

/// The line of the same event with another time, ns.
pub(super) fn event_at(
    out: &mut String,
    store: &Store,
    i: usize,
    sequence: Option<u32>,
    time: u64,
) {
    let e = &store.events;
    let head = LineHead {
        device: printed_device(store, i),
        cpu: e.cpu(i),
        sequence,
        time,
        pid: pid(store, e.process(i)),
        action: e.action(i).letters(),
        rwbs: &e.flags(i).rwbs(e.bytes(i)),
    };
    head.write(out);
    tail(out, store, i);
}

/// Appends the line of message `m`, without a newline; newlines inside it become spaces.
pub fn message(out: &mut String, store: &Store, m: usize, sequence: Option<u32>) {
    let Some(row) = store.messages.rows.get(m) else {
        return;
    };
    let (device, cpu, time, pid) = (device(store, row.device), row.cpu, row.time, row.pid);
    LineHead {
        device,
        cpu,
        sequence,
        time,
        pid,
        action: "m",
        rwbs: "N",
    }
    .write(out);
    out.push_str(&message_text(store, m));
}

/// Text of a message on one line.
pub fn message_text(store: &Store, m: usize) -> String {
    store
        .messages
        .text(m)
        .trim_end_matches(['\n', '\0'])
        .replace(['\n', '\r', '\0'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture;

    fn lines(drawing: &str) -> Vec<String> {
        let mut store = fixture::store(drawing);
        store
            .processes
            .iter_mut()
            .filter(|p| p.pid == 512)
            .for_each(|p| p.name = Some("dd".to_owned()));
        (0..store.events.len())
            .map(|i| {
                let mut line = String::new();
                event(&mut line, &store, i, None);
                line
            })
            .collect()
    }

    #[test]
    fn lines_have_blkparses_columns() {
        let drawn = lines(
            "0 Q 1000+8 R pid=512
             1500 G 1000+8 RS pid=512
             2000 P - N pid=512
             3000000001 D 1000+8 WFS dev=12 cpu=3 pid=512
             3000000002 C 1000+8 WS pid=7
             3000000003 C 1000+0 W pid=7
             3000000004 A 5000+16 W from=12:40 pid=512
             3000000005 X 5000+16 W split=5008 pid=512
             3000000006 D 1000+8 WP pid=123456
             3000000007 Q 0+0 FN pid=7",
        );
        let wanted = [
            "  8,0    0     0.000000000   512  Q   R 1000 + 8 [dd]",
            "  8,0    0     0.000001500   512  G  RS 1000 + 8 [dd]",
            "  8,0    0     0.000002000   512  P   N [dd]",
            "  8,12   3     3.000000001   512  D WFS 1000 + 8 [dd]",
            "  8,0    0     3.000000002     7  C  WS 1000 + 8 [0]",
            "  8,0    0     3.000000003     7  C   W 1000 [0]",
            "  8,0    0     3.000000004   512  A   W 5000 + 16 <- (8,12) 40",
            "  8,0    0     3.000000005   512  X   W 5000 / 5008 [dd]",
            "  8,0    0     3.000000006 123456  D   W 4096 [(null)]",
            "  8,0    0     3.000000007     7  Q  FN [(null)]",
        ];
        assert_eq!(drawn, wanted);
    }

    #[test]
    fn commands_are_hexadecimal_and_remaps_name_their_target() {
        let mut store = seekscope_trace::store::Store {
            commands: vec![0x12, 0, 0, 0, 36, 0, 0],
            ..Default::default()
        };
        store
            .devices
            .push(seekscope_trace::store::Device::default());
        let detail = [
            EventDetail::Command { start: 0, len: 5 },
            EventDetail::Command { start: 0, len: 7 },
            EventDetail::Remap {
                from: fixture::number(2),
                to: fixture::number(3),
                sector: 1,
            },
        ];
        for detail in detail {
            let action = if matches!(detail, EventDetail::Command { .. }) {
                Action::Issue
            } else {
                Action::Remap
            };
            let flags = if action == Action::Issue {
                Flags::PC
            } else {
                Flags::WRITE
            };
            let event = seekscope_trace::event::Event {
                time: 0,
                sector: 8,
                bytes: 512,
                action,
                flags,
                pid: 0,
                device: fixture::number(1),
                cpu: 0,
                sequence: 0,
                error: 0,
                detail,
            };
            store
                .events
                .push_event(0, &event, 0, 0, seekscope_trace::store::Effect::default());
        }
        let lines = (0..3).map(|i| {
            let mut line = String::new();
            event(&mut line, &store, i, None);
            line
        });
        let wanted = [
            "  0,0    0     0.000000000     0  D   R 512 (12 00 00 00 24) [(null)]",
            "  0,0    0     0.000000000     0  D   R 512 (12 00 00 00 24 00 ..) [(null)]",
            "  8,3    0     0.000000000     0  A   W 8 + 1 <- (8,2) 1",
        ];
        assert_eq!(lines.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn a_sequence_has_a_column_and_messages_stay_on_their_line() {
        use seekscope_trace::store::{Message, Store};
        let mut store = fixture::store("0 Q 1+8 R");
        let mut line = String::new();
        event(&mut line, &store, 0, Some(42));
        assert_eq!(
            line,
            "  8,0    0       42     0.000000000     1  Q   R 1 + 8 [(null)]"
        );
        store.messages.text = b"cfq1234S\nlast\n".to_vec();
        store.messages.rows.push(Message {
            time: 9,
            cpu: 2,
            device: 0,
            pid: 0,
            cgroup: None,
            text: (0, 14),
        });
        line.clear();
        message(&mut line, &store, 0, None);
        assert_eq!(
            line,
            "  8,0    2     0.000000009     0  m   N cfq1234S last"
        );
        line.clear();
        message(&mut line, &Store::default(), 0, None);
        assert_eq!(line, "");
    }
}
