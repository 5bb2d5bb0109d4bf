//! The matches of the event lists on the page, kept between queries.

use super::entries::ListEntries;
use super::event_filter::{EventFilter, EventSelection};
use super::matches::Matches;
use crate::answer::BadQuery;
use seekscope_trace::store::Store;

/// Filters whose matches are kept: the list on the page, the filter being typed, and the unfiltered
/// list.
const MAX_LISTS: usize = 3;

/// The matches found so far, per filter.
///
/// A page asks again and again for the same filter; each query examines one more piece of the trace
/// ([`Matches::advance`]), so that no query takes long and typing in the filter stays smooth.
#[derive(Clone, Debug, Default)]
pub struct EventLists {
    /// Events, messages and completeness of the store that the lists belong to.
    state: (usize, usize, bool),
    entries: ListEntries,
    /// Most recently used last.
    lists: Vec<(EventFilter, Matches)>,
}

impl EventLists {
    /// The matches of a filter, advanced by one step. Matches of a trace that has grown since are
    /// dropped.
    pub fn list(
        &mut self,
        store: &Store,
        filter: &EventFilter,
    ) -> Result<(&ListEntries, &Matches), BadQuery> {
        let state = (
            store.events.len(),
            store.messages.rows.len(),
            store.complete,
        );
        if self.state != state || self.entries.len() == 0 {
            *self = EventLists {
                state,
                entries: ListEntries::new(store),
                lists: Vec::new(),
            };
        }
        let position = self.lists.iter().position(|list| list.0 == *filter);
        let mut list = position.map_or_else(
            || (filter.clone(), Matches::default()),
            |index| self.lists.remove(index),
        );
        if list.1.examined() < self.entries.len() {
            list.1
                .advance(&self.entries, &EventSelection::new(store, filter)?);
        }
        if self.lists.len() >= MAX_LISTS {
            self.lists.remove(0);
        }
        self.lists.push(list);
        match self.lists.last() {
            Some((_, matches)) => Ok((&self.entries, matches)),
            None => Err(BadQuery::new("the event list is not available")),
        }
    }

    pub fn memory(&self) -> usize {
        self.entries.memory() + self.lists.iter().map(|(_, m)| m.memory()).sum::<usize>()
    }
}
