//! Bios that a disk refused: they ended with an error and were never issued, so that the table of
//! requests has no row of them.

use super::{FailedSubmitters, is_failed};
use crate::span::Window;
use seekscope_trace::store::Store;

/// Limit for the bios, of 24 bytes each.
const MAX_REFUSED: usize = 1 << 20;

/// A refused bio, by rows of the store's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedBio {
    /// The row of its Q.
    pub queue: usize,
    /// The row of its C, with the error.
    pub end: usize,
    /// Its position where requests and refused bios are one sequence in the order of their start.
    pub place: usize,
}

/// The refused bios of a trace, in the order of their Q. One pass over the events, and none where
/// nothing failed.
pub fn refused_bios(store: &Store) -> Vec<RefusedBio> {
    let mut found = Vec::new();
    if !store.events.each_kind().any(is_failed) {
        return found;
    }
    let mut submitters = FailedSubmitters::new(store, Window::WHOLE);
    store.events.pieces(0..store.events.len(), |piece| {
        for event in piece.filter(|event| is_failed(event.kind())) {
            if found.len() < MAX_REFUSED
                && let Some(queue) = submitters.find(store, event).refused
            {
                found.push(RefusedBio {
                    queue,
                    end: event.row,
                    place: 0,
                });
            }
        }
    });
    found.sort_unstable_by_key(|bio| (bio.queue, bio.end));
    for (earlier, bio) in found.iter_mut().enumerate() {
        let before = Window {
            from: 0,
            to: store.events.time(bio.queue),
        };
        bio.place = before.rows(&store.requests).end + earlier;
    }
    found
}
