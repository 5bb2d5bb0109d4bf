//! The matches of the event lists on the page, kept between queries.

use super::entries::ListEntries;
use super::event_filter::{EventFilter, EventSelection};
use super::matches::Matches;
use crate::answer::BadQuery;
use seekscope_trace::store::Store;

/// Filters whose matches are kept: the list on the page, the filter being typed, and the unfiltered
/// list.
const KEPT: usize = 3;

/// The matches found so far, per filter.
#[derive(Clone, Debug, Default)]
pub struct EventLists {
    of: (usize, usize, bool),
    entries: ListEntries,
    /// Most recently used last.
    kept: Vec<(EventFilter, Matches)>,
}

impl EventLists {
    /// The matches of a filter, advanced by one step. Matches of a trace that has grown since are
    /// dropped.
    pub fn list(
        &mut self,
        store: &Store,
        filter: &EventFilter,
    ) -> Result<(&ListEntries, &Matches), BadQuery> {
        let of = (
            store.events.len(),
            store.messages.rows.len(),
            store.complete,
        );
        if self.of != of || self.entries.len() == 0 {
            *self = EventLists {
                of,
                entries: ListEntries::of(store),
                kept: Vec::new(),
            };
        }
        let known = self.kept.iter().position(|(kept, _)| kept == filter);
        let mut list = known.map_or_else(
            || (filter.clone(), Matches::default()),
            |at| self.kept.remove(at),
        );
        if list.1.examined() < self.entries.len() {
            list.1
                .advance(&self.entries, &EventSelection::new(store, filter)?);
        }
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(list);
        match self.kept.last() {
            Some((_, matches)) => Ok((&self.entries, matches)),
            None => Err(BadQuery::new("the event list is not available")),
        }
    }

    pub fn memory(&self) -> usize {
        self.entries.memory() + self.kept.iter().map(|(_, m)| m.memory()).sum::<usize>()
    }
}
