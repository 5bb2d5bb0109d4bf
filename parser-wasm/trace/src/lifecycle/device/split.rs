//! Bios that are cut in two: by X, or because a request covers only their first part.

use super::{DeviceState, SplitBio, waiting};
use crate::event::{Event, EventDetail};
use crate::lifecycle::bios::{Bio, NONE};
use crate::store::Effect;

impl DeviceState {
    pub(super) fn split(&mut self, e: &Event) -> Effect {
        let EventDetail::Split(recorded) = e.detail else {
            return Effect::default();
        };
        // The kernel passes the sector through 32 bits: restore the upper half.
        let mut sector = recorded;
        if sector < e.sector && sector <= u64::from(u32::MAX) {
            sector |= e.sector & !u64::from(u32::MAX);
            if sector < e.sector {
                sector = sector.saturating_add(1 << 32);
            }
        }
        if sector == e.sector {
            self.advance(sector, (e.bytes > 0).then(|| e.end()));
            return Effect::default();
        }
        match self
            .bios
            .starting(e.sector, |b| !b.in_request && b.end > sector)
        {
            Some(id) => self.cut(id, sector),
            None => Effect::default(),
        }
    }

    /// dm reports a split after its bio has moved on to the remainder: only the remainder
    /// completes, and ends the complete bio. Text traces do not print its end.
    fn advance(&mut self, sector: u64, end: Option<u64>) {
        if !self.searches.allows() {
            return;
        }
        self.searches.spend(self.bios.len());
        let Some(id) = self.bios.around(sector, end) else {
            return;
        };
        let mut rest = *self.bios.get(id);
        self.bios.remove(id);
        if rest.whole == NONE {
            rest.whole = self.split_bios.len() as u32;
            self.split_bios.push(SplitBio {
                bio: rest,
                parts_left: 1,
                error: 0,
            });
        }
        rest.start = sector;
        self.bios.insert(rest);
    }

    /// Splits a waiting bio at `sector` if that is inside it; the front part keeps the id.
    pub(super) fn cut(&mut self, id: u32, sector: u64) -> Effect {
        let bio = *self.bios.get(id);
        if sector <= bio.start || sector >= bio.end {
            return Effect::default();
        }
        let mut front = bio;
        if front.whole == NONE {
            front.whole = self.split_bios.len() as u32;
            self.split_bios.push(SplitBio {
                bio: front,
                parts_left: 1,
                error: 0,
            });
        }
        self.split_bios[front.whole as usize].parts_left += 1;
        let b = self.bios.get_mut(id);
        b.whole = front.whole;
        b.end = sector;
        let rest = Bio {
            whole: front.whole,
            ..Bio::queued(sector, bio.end, bio.queued, bio.process, bio.cpu, bio.flags)
        };
        self.bios.insert(rest);
        waiting(1)
    }
}
