//! Text with one line per completed I/O: when, and how long it took. The events are made when the
//! text is complete, because an I/O may begin before the one of the line above.

use crate::Record;
use crate::named::NamedDevices;
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use seekscope_trace::limits::MAX_TIME;

/// The longest an I/O takes or waits, ns: 26 days. A longer time is a negative one, of a clock that
/// stepped back.
const MAX_LATENCY: u64 = 1 << 51;

/// An I/O that has completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletedIo {
    /// When it completed, ns.
    pub time: u64,
    /// How long it took, ns.
    pub latency: u64,
    /// How long it waited in the scheduler before that, ns, if given.
    pub queued: Option<u64>,
    /// First sector.
    pub sector: u64,
    /// Length.
    pub bytes: u32,
    /// Kind of operation.
    pub flags: Flags,
    /// Task.
    pub pid: u32,
    /// Device.
    pub device: DeviceNumber,
}

impl CompletedIo {
    /// A time of it that cannot be, ns.
    pub fn impossible_time(&self) -> Option<u64> {
        let times = [(self.time, MAX_TIME), (self.latency, MAX_LATENCY)];
        let queued = self.queued.map(|queued| (queued, MAX_LATENCY));
        let mut times = times.into_iter().chain(queued);
        times.find_map(|(time, most)| (time > most).then_some(time))
    }

    fn issued(&self) -> i128 {
        i128::from(self.time) - i128::from(self.latency)
    }

    fn inserted(&self) -> Option<i128> {
        self.queued.map(|queued| self.issued() - i128::from(queued))
    }
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct CompletedIos {
    rows: Vec<CompletedIo>,
    names: NamedDevices,
}

impl CompletedIos {
    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Takes one.
    pub fn push(&mut self, row: CompletedIo) {
        self.rows.push(row);
    }

    /// The made-up number of the device with this name.
    pub fn device(&mut self, name: &[u8]) -> DeviceNumber {
        self.names.number(name)
    }

    /// Gives out the events of all I/Os, in the order of their times, and the devices' names.
    pub fn finish(&mut self, sink: &mut impl FnMut(Record<'_>)) {
        self.names.finish(sink);
        let rows = std::mem::take(&mut self.rows);
        // Times count from the tool's start, or from the first completion: what began before that
        // is no earlier than 0.
        let first = rows
            .iter()
            .map(|row| row.inserted().unwrap_or(row.issued()))
            .min()
            .unwrap_or(0)
            .min(0);
        let time = |moment: i128| u64::try_from(moment - first).unwrap_or(u64::MAX);
        let mut moments: Vec<(u64, Action, usize)> = Vec::with_capacity(2 * rows.len());
        for (i, row) in rows.iter().enumerate() {
            moments.extend(
                row.inserted()
                    .map(|moment| (time(moment), Action::Insert, i)),
            );
            moments.push((time(row.issued()), Action::Issue, i));
            moments.push((time(i128::from(row.time)), Action::Complete, i));
        }
        // What ends at a moment ends before other things begin at it, unless it took no time
        // itself.
        let rank = |action: Action, i: usize| match action {
            Action::Complete if rows[i].latency > 0 => 0,
            Action::Insert => 1,
            Action::Issue => 2,
            _ => 3,
        };
        moments.sort_by_key(|&(time, action, i)| (time, rank(action, i), i));
        for (time, action, i) in moments {
            let row = &rows[i];
            sink(Record::Event(Event {
                time,
                sector: row.sector,
                bytes: row.bytes,
                action,
                flags: row.flags | Flags::FS,
                pid: row.pid,
                device: row.device,
                cpu: 0,
                sequence: 0,
                error: 0,
                detail: EventDetail::None,
            }));
        }
    }
}
