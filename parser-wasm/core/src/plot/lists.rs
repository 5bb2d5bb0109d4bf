//! The matches of the event lists on the page, kept between queries.

use super::answer::BadQuery;
use super::entries::ListEntries;
use super::event_filter::{EventFilter, EventSelection};
use super::matches::Matches;
use crate::store::Store;

/// Filters whose matches are kept: that of the list, one that is just being typed, and that of a whole list.
const KEPT: usize = 3;

/// What event lists have found so far.
#[derive(Clone, Debug, Default)]
pub struct EventLists {
    of: (usize, usize, bool),
    entries: ListEntries,
    /// Most recently asked for last.
    kept: Vec<(EventFilter, Matches)>,
}

impl EventLists {
    /// The list of a filter, a piece further than it was; what was found in a trace that has grown since is dropped.
    pub fn list(&mut self, store: &Store, filter: &EventFilter) -> Result<(&ListEntries, &Matches), BadQuery> {
        let of = (store.events.len(), store.messages.rows.len(), store.complete);
        if self.of != of || self.entries.len() == 0 {
            *self = EventLists { of, entries: ListEntries::of(store), kept: Vec::new() };
        }
        let known = self.kept.iter().position(|(kept, _)| kept == filter);
        let mut list = known.map_or_else(|| (filter.clone(), Matches::default()), |at| self.kept.remove(at));
        if list.1.examined() < self.entries.len() {
            list.1.advance(&self.entries, &EventSelection::new(store, filter)?);
        }
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(list);
        match self.kept.last() {
            Some((_, matches)) => Ok((&self.entries, matches)),
            None => Err(BadQuery::new("the list is gone")),
        }
    }

    /// Memory in bytes.
    pub fn memory(&self) -> usize {
        self.entries.memory() + self.kept.iter().map(|(_, m)| m.memory()).sum::<usize>()
    }
}
