//! The lines that `blkparse -i` (1.2.0) prints above its summary, in pieces.
//!
//! Differs from 1.2.0 for events with a cgroup id, which have lines here. Times start at the first
//! line. If the clock of a CPU steps back, the latest time before is printed. Messages with a
//! cgroup id, which 1.2.0 drops, are printed on request.

use super::blkparse_line::{LineHead, device, event_at};
use seekscope_trace::event::Action;
use seekscope_trace::store::Store;

/// Selects the messages that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageLines {
    /// The messages that blkparse 1.2.0 prints.
    Plain,
    /// The messages with a cgroup id, too.
    All,
}

/// The lines of `count` events from event `from` on, and of the messages before each of them; after
/// the last event, the remaining messages. Absent if there is no event `from`.
pub fn text(store: &Store, from: usize, count: usize, which: MessageLines) -> Option<String> {
    let events = &store.events;
    if from >= events.len() {
        return None;
    }
    let to = from.saturating_add(count.max(1)).min(events.len());
    let rows = &store.messages.rows;
    let printed = |m: usize| which == MessageLines::All || rows[m].cgroup.is_none();
    let zero = match which {
        MessageLines::All if store.window.is_none() => store.first().unwrap_or_default(),
        _ => store.blkparse_zero(),
    };
    let mut message = match from {
        0 => 0,
        _ => rows.partition_point(|m| m.time <= events.time(from - 1)),
    };
    let mut out = String::with_capacity((to - from) * 72);
    let mut messages_until = |time: u64, out: &mut String| {
        while let Some(row) = rows.get(message).filter(|m| m.time <= time) {
            if printed(message) {
                write_message(out, store, message, row.time.saturating_sub(zero));
            }
            message += 1;
        }
    };
    events.sequences(from..to, |i, sequence| {
        messages_until(events.time(i), &mut out);
        if has_line(events.action(i)) {
            event_at(
                &mut out,
                store,
                i,
                Some(sequence),
                events.time(i).saturating_sub(zero),
            );
            out.push('\n');
        }
    });
    if to == events.len() {
        messages_until(u64::MAX, &mut out);
    }
    Some(out)
}

fn has_line(action: Action) -> bool {
    !matches!(
        action,
        Action::Abort | Action::DriverData | Action::ZonePlug | Action::ZoneUnplug
    )
}

/// Sequence 0 as recorded, pid 0 as in 1.2.0, or the pid if 1.2.0 drops the message; newlines
/// inside it stay.
fn write_message(out: &mut String, store: &Store, m: usize, time: u64) {
    let row = &store.messages.rows[m];
    let pid = if row.cgroup.is_some() { row.pid } else { 0 };
    LineHead {
        device: device(store, row.device),
        cpu: row.cpu,
        sequence: Some(0),
        time,
        pid,
        action: "m",
        rwbs: "N",
    }
    .write(out);
    out.push_str(&store.messages.text(m));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture;
    use seekscope_trace::store::Message;

    #[test]
    fn pieces_are_the_whole_and_dropped_messages_only_on_request() {
        let mut store =
            fixture::store("5 Q 1+8 R\n6 G 1+8 R\n9 U - N\n10 D 1+8 R cpu=2\n12 C 1+8 R");
        store.messages.text = b"early late".to_vec();
        let message = |time, cgroup, text| Message {
            time,
            cpu: 1,
            device: 0,
            pid: 7,
            cgroup,
            text,
        };
        store.messages.rows = vec![message(1, Some(3), (0, 5)), message(30, None, (6, 4))];
        let plain = text(&store, 0, 100, MessageLines::Plain).unwrap();
        assert!(
            plain.starts_with("  8,0    0        0     0.000000000     1  Q   R 1 + 8 [(null)]\n"),
            "{plain}"
        );
        assert!(
            plain.ends_with("     0.000000025     0  m   N late\n"),
            "{plain}"
        );
        assert_eq!(plain.lines().count(), 6);
        let all = text(&store, 0, 100, MessageLines::All).unwrap();
        assert!(
            all.starts_with("  8,0    1        0     0.000000000     7  m   N early\n"),
            "{all}"
        );
        for (size, which, whole) in [
            (1, MessageLines::Plain, &plain),
            (2, MessageLines::All, &all),
            (3, MessageLines::All, &all),
        ] {
            let pieces: String = (0..5)
                .step_by(size)
                .map(|from| text(&store, from, size, which).unwrap())
                .collect();
            assert_eq!(&pieces, whole);
        }
        assert_eq!(text(&store, 5, 1, MessageLines::All), None);
    }
}
