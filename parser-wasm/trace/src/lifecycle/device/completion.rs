//! Completions of requests, of parts of requests, and of bios without a request.

use super::{Context, DeviceState, waiting};
use crate::event::Event;
use crate::lifecycle::bios::{Bio, NONE};
use crate::lifecycle::in_flight::{FLUSH, InFlight, PASSTHROUGH};
use crate::lifecycle::unmatched::MissingPartner;
use crate::store::{Effect, Stage, StoredRequest};

/// The process of a completion: the task that it interrupted is not the submitter.
const NO_PROCESS: u32 = u32::MAX;

impl DeviceState {
    /// Takes a completion: the last one of a request ends it and its bios.
    pub(super) fn complete(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        let key = self.key(e);
        if self.appends.is_repeated(e) {
            return Effect::default();
        }
        // The last completion of a preflush write, and that of a flush bio, carry no data and no
        // flush bit.
        if key < PASSTHROUGH && e.sectors() == 0 && self.in_flight.find(key, e.end()).is_none() {
            return self.complete_flush_bio(e, cx);
        }
        let end = (key < PASSTHROUGH).then(|| e.end());
        if let Some(request) = self.in_flight.take(key, end, self.lossy) {
            if key < PASSTHROUGH && e.end() < request.end {
                cx.requests.fail(request.row as usize, e.error);
                return Effect {
                    depth: self.hold(e.end(), request, cx),
                    waiting: 0,
                };
            }
            return self.complete_request(request, e, cx);
        }
        if let Some(effect) = self.complete_append(e, cx) {
            return effect;
        }
        if key == PASSTHROUGH || (key == FLUSH && self.has_issues) {
            cx.unmatched.c += 1;
            return Effect::default();
        }
        if key == FLUSH {
            return self.complete_flush_bio(e, cx);
        }
        self.complete_without_request(e, cx)
    }

    /// The last completion of a request in flight.
    pub(super) fn complete_request(
        &mut self,
        request: InFlight,
        e: &Event,
        cx: &mut Context<'_>,
    ) -> Effect {
        cx.requests
            .complete(request.row as usize, cx.time, e.cpu, e.error);
        let mut id = request.bios;
        while id != NONE {
            if !self.bios.remove(id) {
                break;
            }
            let &Bio {
                process,
                queued,
                issued,
                whole,
                sibling,
                ..
            } = self.bios.get(id);
            cx.sample(Stage::D2C, process, issued);
            if whole == NONE && self.has_issues {
                cx.sample(Stage::Q2C, process, queued);
            } else {
                let bio = *self.bios.get(id);
                self.complete_bio(&bio, e, cx);
            }
            id = sibling;
        }
        Effect {
            depth: -1,
            waiting: 0,
        }
    }

    /// A completion of which nothing else is known so far is a row.
    pub(super) fn complete_alone(&mut self, e: &Event, cx: &mut Context<'_>) {
        self.alone.push(cx.requests.len() as u32);
        cx.requests.push(&StoredRequest {
            start: cx.time,
            completed: Some(cx.time),
            sector: e.sector,
            bytes: e.bytes,
            flags: e.flags,
            process: NO_PROCESS,
            device: cx.device,
            submit_cpu: e.cpu,
            complete_cpu: e.cpu,
            error: e.error,
            bio: true,
            ..StoredRequest::default()
        });
    }

    /// A flush bio of a device without requests.
    fn complete_flush_bio(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        if self.has_issues {
            return Effect::default();
        }
        match self.flush_bios.pop_front() {
            Some(bio) => {
                self.bio_row(&bio, e, cx);
                waiting(-1)
            }
            None => Effect::default(),
        }
    }

    /// Bios of a device without requests (md, dm), and those that a disk ended before it issued
    /// them.
    fn complete_without_request(&mut self, e: &Event, cx: &mut Context<'_>) -> Effect {
        let mut found = std::mem::take(&mut self.scratch);
        let cut = self.covered_bios(e, &mut found);
        if found.is_empty() {
            cx.unmatched.c += 1;
            self.lossy = true;
        }
        if self.has_issues {
            self.unmatched.note(cx.time, e.cpu, MissingPartner::Issue);
        }
        let n = found.len() as i32;
        for &id in &found {
            if self.bios.remove(id) {
                let bio = *self.bios.get(id);
                self.complete_bio(&bio, e, cx);
            }
        }
        self.scratch = found;
        waiting(cut.waiting - n)
    }

    /// Accounts for a bio that is done, or for the part of one.
    pub(super) fn complete_bio(&mut self, bio: &Bio, e: &Event, cx: &mut Context<'_>) {
        if let Some(whole) = self.split_bios.get_mut(bio.whole as usize) {
            whole.parts_left = whole.parts_left.saturating_sub(1);
            whole.error = if whole.error == 0 {
                e.error
            } else {
                whole.error
            };
            if whole.parts_left > 0 {
                return;
            }
        }
        let done = self
            .split_bios
            .get(bio.whole as usize)
            .map_or(bio, |whole| &whole.bio);
        cx.sample(Stage::Q2C, done.process, done.queued);
        if !self.has_issues {
            self.bio_row(done, e, cx);
        }
    }

    fn bio_row(&self, bio: &Bio, e: &Event, cx: &mut Context<'_>) {
        let error = self
            .split_bios
            .get(bio.whole as usize)
            .map_or(e.error, |w| w.error);
        let row = StoredRequest {
            completed: Some(cx.time),
            complete_cpu: e.cpu,
            error,
            ..row_of(bio, cx.device)
        };
        cx.requests.push(&row);
    }
}

/// A bio as a request, on devices that issue none.
pub(super) fn row_of(bio: &Bio, device: u32) -> StoredRequest {
    StoredRequest {
        start: bio.queued,
        queued: Some(bio.queued),
        sector: bio.start,
        bytes: ((bio.end - bio.start) << 9).min(u64::from(u32::MAX)) as u32,
        flags: bio.flags,
        process: bio.process,
        device,
        submit_cpu: bio.cpu,
        bios: 1,
        bio: true,
        ..StoredRequest::default()
    }
}
