//! The events of a bio before D: allocation, merges, insertion.

use super::{Context, DeviceState};
use crate::event::Event;
use crate::lifecycle::bios::{Bio, NEVER};
use crate::store::{Effect, Stage};

impl DeviceState {
    /// The bio at a sector that an event before D is about: the oldest, or without D and C, where
    /// no bio ever ends, the youngest.
    fn queued_at(&self, sector: u64, fresh: impl Fn(&Bio) -> bool) -> Option<u32> {
        let wanted = |b: &Bio| !b.in_request && fresh(b);
        if self.has_issues || self.has_completions {
            self.bios.starting(sector, wanted)
        } else {
            self.bios.latest(sector, wanted)
        }
    }

    pub(super) fn get_request(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        if e.sectors() == 0 {
            if let Some(bio) = self.flush_bios.iter_mut().find(|b| b.allocated == NEVER) {
                bio.allocated = cx.time;
            }
            return Effect::default();
        }
        let Some(id) = self.queued_at(e.sector, |b| b.allocated == NEVER) else {
            return Effect::default();
        };
        let cut = self.cut(id, e.end());
        let bio = self.bios.get_mut(id);
        bio.allocated = cx.time;
        cx.sample(Stage::Q2G, bio.process, bio.queued);
        cut
    }

    pub(super) fn merge(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        let fresh = self.queued_at(e.sector, |b| b.merged == NEVER);
        if let Some(id) = fresh.or_else(|| self.queued_at(e.sector, |_| true)) {
            let bio = self.bios.get_mut(id);
            bio.merged = cx.time;
            cx.sample(Stage::Q2M, bio.process, bio.queued);
        }
        Effect::default()
    }

    pub(super) fn insert(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        let fresh = self.queued_at(e.sector, |b| b.inserted == NEVER);
        let again = || self.queued_at(e.sector, |_| true);
        if e.sectors() > 0
            && let Some(id) = fresh.or_else(again)
        {
            let bio = self.bios.get_mut(id);
            bio.inserted = cx.time;
            if bio.allocated != NEVER {
                cx.sample(Stage::G2I, bio.process, bio.allocated);
            }
        }
        Effect::default()
    }
}
