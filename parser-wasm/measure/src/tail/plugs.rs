//! When processes opened and released their plugs.

use seekscope_trace::event::Action;
use seekscope_trace::store::{Events, Store};

/// A plug that was opened or released.
pub(crate) struct PlugEvent {
    pub time: u64,
    /// Number of its kind of events: equal numbers have the same device and process.
    pub kind: u32,
    pub device: u32,
    pub process: u32,
    /// The action: P, U or UT.
    pub action: Action,
}

/// The plugs of a trace, one after another.
pub(crate) struct PlugEvents<'a> {
    events: &'a Events,
    /// Whether it is a plug, per kind of events.
    is_plug: Vec<bool>,
    /// The next one, and its time; at the end of the events, no time is later.
    next: usize,
    pub time: u64,
}

impl PlugEvents<'_> {
    /// The plug events from request `first` on.
    pub fn new(store: &Store, first: usize) -> PlugEvents<'_> {
        let events = &store.events;
        let plugs = |kind: u32| {
            matches!(
                events.kind_of(kind).action,
                Action::Plug | Action::Unplug | Action::UnplugTimer
            )
        };
        let is_plug: Vec<bool> = (0..events.kinds() as u32).map(plugs).collect();
        let next = match first {
            _ if !is_plug.contains(&true) => events.len(),
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
            is_plug,
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
            let mut numbers = self.events.kind_numbers(self.next..n);
            let piece = numbers.len();
            let offset = numbers.position(|number| self.is_plug[number as usize]);
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
        let number = in_events.then(|| self.events.kind_number(self.next))?;
        let kind = self.events.kind_of(number);
        let plug = PlugEvent {
            time: self.time,
            kind: number,
            device: kind.device,
            process: kind.process,
            action: kind.action,
        };
        self.next += 1;
        self.find();
        Some(plug)
    }
}
