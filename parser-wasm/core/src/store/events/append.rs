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
    pub fn append(&mut self, other: &Events, numbers: &RowNumbers, mut each: impl FnMut(usize, u32, Effect)) {
        let kind = |number: usize| {
            let kind = *other.kinds.get(number as u32);
            let (process, device) = (numbers.process(kind.process), numbers.device(kind.device));
            let unplugs = matches!(kind.action, Action::Unplug | Action::UnplugTimer);
            let detailed = unplugs || matches!(kind.action, Action::Remap | Action::Split) || !other.commands.is_empty();
            let EventKind { cpu, effect, .. } = kind;
            let (number, stream) = (self.kinds.number(&EventKind { process, device, ..kind }), self.stream(cpu, device));
            AppendedKind { number, device, stream, effect, detailed }
        };
        let kinds: Vec<AppendedKind> = (0..other.kinds.len()).map(kind).collect();
        let streams = kinds.iter().map(|kind| kind.stream as usize + 1).max().unwrap_or(0);
        let mut sequences = other.sequences.reader(streams);
        other.pieces(0..other.len(), |piece| {
            for event in piece {
                let i = event.row;
                let AppendedKind { number, device, stream, effect, detailed } = kinds[event.kind_number() as usize];
                let (row, sector, sequence) = (self.rows.len(), event.sector(), sequences.next(i, stream));
                each(row, device, effect);
                let offset = self.times.push(row, event.time());
                if PackedEvent::fits(sector, number) {
                    self.rows.push(PackedEvent::new(offset, sector, number));
                } else {
                    self.far.push((row as u32, FarEvent { sector, kind: number }));
                    self.rows.push(PackedEvent::new(offset, 0, FAR));
                }
                self.sequences.push(row, stream, sequence);
                if detailed {
                    self.append_detail(row as u32, other.action(i), other.detail(i), sector, numbers);
                }
            }
        });
    }

    fn append_detail(&mut self, row: u32, action: Action, detail: EventDetail, sector: u64, numbers: &RowNumbers) {
        match detail {
            EventDetail::None if !matches!(action, Action::Unplug | Action::UnplugTimer) => {}
            EventDetail::Command { at, len } => {
                self.push_detail(row, EventDetail::Command { at: at + numbers.commands as u32, len }, sector);
            }
            detail => self.push_detail(row, detail, sector),
        }
    }
}
