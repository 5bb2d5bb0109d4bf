//! When processes opened and released their plugs.

use seekscope_trace::event::Action;
use seekscope_trace::store::{EventKind, Events, Store};
use std::collections::VecDeque;

/// A plug that was opened or released.
pub(crate) struct PlugEvent {
    pub time: u64,
    /// Number of its kind and process: equal numbers have the same device and process.
    pub number: u32,
    pub device: u32,
    pub process: u32,
    /// The action: P, U or UT.
    pub action: Action,
}

/// Events that are searched for plugs at once.
const BATCH: usize = 1 << 12;

/// The plugs of a trace, one after another.
pub(crate) struct PlugEvents<'a> {
    events: &'a Events,
    /// Its device, process and action if it is a plug, by the number of the kind and process.
    kinds: Vec<Option<(u32, u32, Action)>>,
    /// Whether it is a plug, by the same number.
    are_plugs: Vec<bool>,
    /// Events that were searched.
    searched: usize,
    /// Plugs that were found and not taken.
    found: VecDeque<PlugEvent>,
    /// The time of the next one; at its end, no time is later.
    pub time: u64,
}

impl PlugEvents<'_> {
    /// The plug events from request `first` on.
    pub fn new(store: &Store, first: usize) -> PlugEvents<'_> {
        let events = &store.events;
        let plugs = |(kind, process): (&EventKind, u32)| match kind.action {
            Action::Plug | Action::Unplug | Action::UnplugTimer => {
                Some((kind.device, process, kind.action))
            }
            _ => None,
        };
        let kinds: Vec<_> = events.each_task_kind().map(plugs).collect();
        let searched = match first {
            _ if kinds.iter().all(Option::is_none) => events.len(),
            0 => 0,
            first => events.find(
                store
                    .requests
                    .row(first.min(store.requests.len() - 1))
                    .start(),
            ),
        };
        let mut plugs = PlugEvents {
            events,
            are_plugs: kinds.iter().map(Option::is_some).collect(),
            kinds,
            searched,
            found: VecDeque::new(),
            time: 0,
        };
        plugs.find();
        plugs
    }

    /// Finds the next one.
    fn find(&mut self) {
        while self.found.is_empty() && self.searched < self.events.len() {
            let batch = self.searched..self.events.len().min(self.searched + BATCH);
            self.searched = batch.end;
            let (kinds, found) = (&self.kinds, &mut self.found);
            self.events.taken(batch, &self.are_plugs, |event| {
                let number = event.task_number();
                found.extend(
                    kinds[number as usize].map(|(device, process, action)| PlugEvent {
                        time: event.time(),
                        number,
                        device,
                        process,
                        action,
                    }),
                );
            });
        }
        self.time = self.found.front().map_or(u64::MAX, |plug| plug.time);
    }

    pub fn take(&mut self) -> Option<PlugEvent> {
        let plug = self.found.pop_front();
        self.find();
        plug
    }
}
