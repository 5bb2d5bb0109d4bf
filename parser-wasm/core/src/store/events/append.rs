//! Events that another worker read, at the end of those before them.

use super::super::row_numbers::RowNumbers;
use super::{Effect, EventKind, Events, FAR, FarEvent, PackedEvent};
use crate::event::{Action, EventDetail};
use crate::store::{BLOCK, rows};

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
        let mut sequences = Vec::with_capacity(BLOCK);
        rows::blocks(0..other.len(), |block| {
            sequences.clear();
            other.sequences(block.clone(), |_, sequence| sequences.push(sequence));
            for (i, &sequence) in block.zip(&sequences) {
                let AppendedKind { number, device, stream, effect, detailed } = kinds[other.kind_number(i) as usize];
                let (row, sector) = (self.rows.len(), other.sector(i));
                each(row, device, effect);
                let offset = self.times.push(row, other.time(i));
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
