//! When processes opened and released their plugs.

use seekscope_trace::event::Action;
use seekscope_trace::store::{EventKind, Events, Store};

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

/// The plugs of a trace, one after another.
pub(crate) struct PlugEvents<'a> {
    events: &'a Events,
    /// Its device, process and action if it is a plug, by the number of the kind and process.
    kinds: Vec<Option<(u32, u32, Action)>>,
    /// The next one, and its time; at the end of the events, no time is later.
    next: usize,
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
        let next = match first {
            _ if kinds.iter().all(Option::is_none) => events.len(),
            0 => 0,
            first => events.find(
                store
                    .requests
                    .row(first.min(store.requests.len() - 1))
                    .start(),
            ),
        };
        let mut found = PlugEvents {
            events,
            kinds,
            next,
            time: 0,
        };
        found.find();
        found
    }

    /// Finds the next one, this event included.
    fn find(&mut self) {
        let n = self.events.len();
        while self.next < n {
            let mut numbers = self.events.task_numbers(self.next..n);
            let piece = numbers.len();
            let offset = numbers.position(|number| self.kinds[number as usize].is_some());
            self.next += offset.unwrap_or(piece);
            if offset.is_some() {
                self.time = self.events.time(self.next);
                return;
            }
        }
        self.time = u64::MAX;
    }

    pub fn take(&mut self) -> Option<PlugEvent> {
        let in_events = self.next < self.events.len();
        let number = in_events.then(|| self.events.task_number(self.next))?;
        let (device, process, action) = self.kinds[number as usize]?;
        let plug = PlugEvent {
            time: self.time,
            number,
            device,
            process,
            action,
        };
        self.next += 1;
        self.find();
        Some(plug)
    }
}
