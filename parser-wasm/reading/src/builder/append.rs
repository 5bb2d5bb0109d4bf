//! The next item of the trace, on its way into the lifecycle or to the messages.

use seekscope_trace::event::DeviceNumber;
use seekscope_trace::lifecycle::Lifecycle;
use seekscope_trace::order::{KindNumber, OrderedMessage, OrderedRef};
use seekscope_trace::plugs::Plugs;
use seekscope_trace::store::{Message, Store};

/// Appends an item to what was read; the first one is time 0. One outside of the window leaves no
/// trace; returns whether it is after it.
#[inline(always)]
pub(super) fn append(
    lifecycle: &mut Lifecycle,
    plugs: &mut Plugs,
    store: &mut Store,
    started: &mut bool,
    item: OrderedRef<'_>,
) -> bool {
    if !*started {
        *started = true;
        store.origin = item.time();
    }
    let time = item.time().saturating_sub(store.origin);
    if let Some(window) = store.window.filter(|window| !window.holds(time)) {
        return time >= window.to;
    }
    match item {
        OrderedRef::Event(e, number) if e.device != DeviceNumber::NONE && !plugs.any_early() => {
            lifecycle.event(store, time, e, number);
        }
        item => append_other(lifecycle, plugs, store, time, item),
    }
    false
}

/// A plug without a device, the event that tells whose it is, or a message.
#[cold]
fn append_other(
    lifecycle: &mut Lifecycle,
    plugs: &mut Plugs,
    store: &mut Store,
    time: u64,
    item: OrderedRef<'_>,
) {
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
