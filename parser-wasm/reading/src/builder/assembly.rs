//! The last stage: ordered items become the store of a trace.

use seekscope_formats::NumberOutliers;
use seekscope_trace::event::{Action, DeviceNumber};
use seekscope_trace::lifecycle::Lifecycle;
use seekscope_trace::order::{KindNumber, OrderedItem, OrderedMessage, OrderedRef, sort};
use seekscope_trace::plugs::Plugs;
use seekscope_trace::replay::stored_items;
use seekscope_trace::store::{Message, Store, TimeWindow};

#[derive(Clone, Debug, Default)]
pub(super) struct Assembly {
    pub lifecycle: Lifecycle,
    pub plugs: Plugs,
    pub store: Store,
    /// Whether time 0 is known.
    pub started: bool,
    /// An event after the window was in turn: no file has more of it.
    pub passed: bool,
    /// Commands that were left out when the sizes of blocks were known.
    pub scaled_outliers: Option<NumberOutliers>,
}

impl Assembly {
    /// Appends an item to what was read; the first one is time 0. One outside of the window leaves
    /// no trace; returns whether it is after it.
    #[inline(always)]
    pub fn append(&mut self, item: OrderedRef<'_>) -> bool {
        if !self.started {
            self.begin_at(item.time());
        }
        let store = &mut self.store;
        let time = item.time().saturating_sub(store.origin);
        if let Some(window) = store.window.filter(|window| !window.holds(time)) {
            return time >= window.to;
        }
        match item {
            OrderedRef::Event(e, number)
                if e.device != DeviceNumber::NONE && !self.plugs.any_early() =>
            {
                self.lifecycle.event(store, time, e, number);
            }
            item => self.append_other(time, item),
        }
        false
    }

    /// A plug without a device, the event that tells whose it is, or a message.
    #[cold]
    fn append_other(&mut self, time: u64, item: OrderedRef<'_>) {
        let Assembly {
            lifecycle,
            plugs,
            store,
            ..
        } = self;
        match item {
            OrderedRef::Event(e, _) => {
                let placed = if e.device == DeviceNumber::NONE {
                    plugs.place(e, &store.devices)
                } else {
                    Some(*e)
                };
                let Some(e) = placed else { return };
                for early in plugs.take_early(e.device) {
                    lifecycle.event(
                        store,
                        early.time.saturating_sub(store.origin),
                        &early,
                        KindNumber::NONE,
                    );
                }
                lifecycle.event(store, time, &e, KindNumber::NONE);
            }
            OrderedRef::Message(&OrderedMessage {
                cpu,
                device,
                pid,
                cgroup,
                text,
                ..
            }) => {
                let device = lifecycle.device(store, device);
                store.messages.rows.push(Message {
                    time,
                    cpu,
                    device,
                    pid,
                    cgroup,
                    text,
                });
            }
        }
    }

    /// Begins the trace at a time of the trace clock.
    pub fn begin_at(&mut self, origin: u64) {
        (self.store.origin, self.started) = (origin, true);
    }

    /// Stores everything again together with items that were out of order.
    pub fn add_sorted(&mut self, stash: Vec<OrderedItem>) {
        let mut items = stored_items(&self.store);
        items.extend(stash);
        items.extend(self.plugs.drain().map(OrderedItem::Event));
        sort(&mut items);
        self.move_origin(items.first());
        self.rebuild(&items);
        self.recant_plugs();
    }

    /// Takes over the time of an item that came later and is earlier than the first one so far.
    /// What was dropped before was not in a window that begins so much earlier: it begins where it
    /// began.
    fn move_origin(&mut self, first: Option<&OrderedItem>) {
        let Some(first) = first.map(|item| item.as_ref().time()) else {
            return;
        };
        let Some(window) = &mut self.store.window else {
            return;
        };
        if !self.started {
            self.begin_at(first);
        } else if first < self.store.origin {
            if window.from > 0 {
                window.from = window
                    .from
                    .saturating_add(self.store.origin - first)
                    .min(window.to);
            }
            self.store.origin = first;
        }
    }

    /// Stores all items again, in the order of a sort instead of a merge.
    pub fn rebuild(&mut self, items: &[OrderedItem]) {
        let lifecycle = Lifecycle::with_zones(&self.store);
        let old = std::mem::take(&mut self.store);
        // The first event of the recording may be outside of the window.
        self.started &= old.window.is_some();
        self.store = Store {
            name: old.name,
            label: old.label,
            window: old.window,
            origin: old.origin,
            ..Store::default()
        };
        self.store.messages.text = old.messages.text;
        self.store.commands = old.commands;
        self.lifecycle = lifecycle;
        for item in items {
            self.passed |= self.append(item.as_ref());
        }
    }

    /// Removes plugs that were assigned to the only device when a second one appears.
    pub fn recant_plugs(&mut self) {
        if self.plugs.recant(&self.store.devices) {
            let mut items = stored_items(&self.store);
            items.retain(|item| !matches!(item, OrderedItem::Event(e) if is_plug(e.action)));
            self.rebuild(&items);
        }
    }

    /// Ends the window with the last item that was read: the rest of the recording did not fit.
    pub fn cut_window(&mut self) {
        let from = self.store.window.map_or(0, |window| window.from);
        self.store.window = Some(TimeWindow {
            from,
            to: self.store.span().saturating_add(1).max(from),
        });
    }

    /// Drops the texts of the messages that are outside of the window.
    pub fn drop_texts(&mut self) {
        if self.store.window.is_some() {
            let messages = &mut self.store.messages;
            let mut text = Vec::new();
            for row in &mut messages.rows {
                let (from, length) = (row.text.0 as usize, usize::from(row.text.1));
                row.text.0 = text.len() as u32;
                text.extend_from_slice(messages.text.get(from..from + length).unwrap_or_default());
            }
            messages.text = text;
        }
    }
}

fn is_plug(action: Action) -> bool {
    matches!(action, Action::Plug | Action::Unplug | Action::UnplugTimer)
}
