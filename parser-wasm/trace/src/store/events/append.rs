//! Events that another worker read, at the end of those before them.

use super::super::row_numbers::RowNumbers;
use super::{Effect, EventKind, Events, FAR, FarEvent, PackedEvent};
use crate::event::{Action, EventDetail};

/// A kind of events that are appended.
#[derive(Clone, Copy)]
struct AppendedKind {
    number: u32,
    device: u32,
    stream: u32,
    effect: Effect,
    /// Whether an event of it may have a detail.
    detailed: bool,
}

impl Events {
    /// Appends all events of `other`. `each` is called before each with its row, device and effect.
    pub fn append(
        &mut self,
        other: &Events,
        numbers: &RowNumbers,
        mut each: impl FnMut(usize, u32, Effect),
    ) {
        let kind = |number: usize| {
            let kind = *other.kinds.get(number as u32);
            let (process, device) = (numbers.process(kind.process), numbers.device(kind.device));
            let unplugs = matches!(kind.action, Action::Unplug | Action::UnplugTimer);
            let detailed = unplugs
                || matches!(kind.action, Action::Remap | Action::Split)
                || !other.commands.is_empty();
            let EventKind { cpu, effect, .. } = kind;
            let (number, stream) = (
                self.kinds.number(&EventKind {
                    process,
                    device,
                    ..kind
                }),
                self.stream(cpu, device),
            );
            AppendedKind {
                number,
                device,
                stream,
                effect,
                detailed,
            }
        };
        let kinds: Vec<AppendedKind> = (0..other.kinds.len()).map(kind).collect();
        let streams = kinds
            .iter()
            .map(|kind| kind.stream as usize + 1)
            .max()
            .unwrap_or(0);
        let mut sequences = other.sequences.reader(streams);
        other.pieces(0..other.len(), |piece| {
            for event in piece {
                let i = event.row;
                let AppendedKind {
                    number,
                    device,
                    stream,
                    effect,
                    detailed,
                } = kinds[event.kind_number() as usize];
                let (row, sector, sequence) =
                    (self.rows.len(), event.sector(), sequences.next(i, stream));
                each(row, device, effect);
                let offset = self.times.push(row, event.time());
                if PackedEvent::fits(sector, number) {
                    self.rows.push(PackedEvent::new(offset, sector, number));
                } else {
                    self.far.push((
                        row as u32,
                        FarEvent {
                            sector,
                            kind: number,
                        },
                    ));
                    self.rows.push(PackedEvent::new(offset, 0, FAR));
                }
                self.sequences.push(row, stream, sequence);
                if detailed {
                    self.append_detail(
                        row as u32,
                        other.action(i),
                        other.detail(i),
                        sector,
                        numbers,
                    );
                }
            }
        });
    }

    fn append_detail(
        &mut self,
        row: u32,
        action: Action,
        detail: EventDetail,
        sector: u64,
        numbers: &RowNumbers,
    ) {
        match detail {
            EventDetail::None if !matches!(action, Action::Unplug | Action::UnplugTimer) => {}
            EventDetail::Command { at, len } => {
                self.push_detail(
                    row,
                    EventDetail::Command {
                        at: at + numbers.commands as u32,
                        len,
                    },
                    sector,
                );
            }
            detail => self.push_detail(row, detail, sector),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{DeviceNumber, Event, Flags};

    /// Events between two numbers, with gaps of more than 4.3 s, sectors that do not fit into a
    /// row, and details.
    fn made(numbers: std::ops::Range<u64>) -> Events {
        let mut events = Events::default();
        for i in numbers {
            let (action, detail) = match i % 5 {
                0 => (Action::Queue, EventDetail::None),
                1 => (Action::Issue, EventDetail::None),
                2 => (Action::Split, EventDetail::Split(i)),
                3 => (Action::Unplug, EventDetail::Unplug(i % 3)),
                _ => (Action::Complete, EventDetail::None),
            };
            let effect = Effect {
                depth: (action == Action::Issue).into(),
                waiting: 0,
            };
            let (sector, sequence) = (
                if i % 700 == 11 { 1 << 50 } else { i * 8 },
                if i % 900 == 5 {
                    i as u32 + 7
                } else {
                    i as u32 + 1
                },
            );
            let (device, flags, error) = (DeviceNumber(8), Flags::default(), 0);
            let time = i * 1000 + i / 7000 * 5_000_000_000;
            let event = Event {
                time,
                sector,
                bytes: 512,
                action,
                flags,
                pid: 1,
                device,
                cpu: 2,
                sequence,
                error,
                detail,
            };
            let kind = events.kind_of_event(&event, 0, 0, effect);
            let stream = events.stream(2, 0);
            events.push(time, &event, kind, stream);
        }
        events
    }

    #[test]
    fn what_is_appended_is_as_if_it_had_been_pushed() {
        const ALL: u64 = 20_000;
        let whole = made(0..ALL);
        let sequences = |events: &Events| {
            let mut all = Vec::new();
            events.sequences(0..events.len(), |_, n| all.push(n));
            all
        };
        for cut in [0, 1, 2500, 4095, 4096, 4097, 6999, 13_000, ALL] {
            let (mut events, rest) = (made(0..cut), made(cut..ALL));
            let numbers = RowNumbers {
                devices: vec![0],
                processes: vec![0],
                texts: 0,
                commands: 0,
            };
            let mut seen = Vec::new();
            events.append(&rest, &numbers, |row, device, effect| {
                seen.push((row, device, effect))
            });
            let row = |events: &Events, i: usize| {
                (
                    events.time(i),
                    events.sector(i),
                    *events.kind(i),
                    events.detail(i),
                )
            };
            assert_eq!(events.len(), whole.len());
            for i in 0..whole.len() {
                assert_eq!(row(&events, i), row(&whole, i), "{cut}: {i}");
            }
            assert_eq!(sequences(&events), sequences(&whole), "{cut}");
            let wanted: Vec<_> = (cut as usize..whole.len())
                .map(|i| (i, 0, whole.effect(i)))
                .collect();
            assert_eq!(seen, wanted, "{cut}");
        }
    }
}
