//! A store's events and messages as items again, to sort them again or to remove some.

use crate::event::{DeviceNumber, Event};
use crate::order::{OrderedItem, OrderedMessage};
use crate::store::{EventKind, Store};

/// Event `i` of a store as it was recorded, with the store's time and without its sequence number.
pub fn stored_event(store: &Store, i: usize) -> Event {
    let events = &store.events;
    let (kind, process) = events.kind_and_process(i);
    let &EventKind {
        action,
        flags,
        bytes,
        device,
        cpu,
        error,
        ..
    } = kind;
    Event {
        time: events.time(i),
        sector: events.sector(i),
        bytes,
        action,
        flags,
        pid: store.processes.get(process as usize).map_or(0, |p| p.pid),
        device: store
            .devices
            .get(device as usize)
            .map_or(DeviceNumber(0), |d| d.number),
        cpu,
        sequence: 0,
        error,
        detail: events.detail(i),
    }
}

/// The stored events and messages as items again, each stream in its order.
pub fn stored_items(store: &Store) -> Vec<OrderedItem> {
    let number = |device: u32| {
        store
            .devices
            .get(device as usize)
            .map_or(DeviceNumber(0), |d| d.number)
    };
    let events = &store.events;
    let mut sequences = Vec::with_capacity(events.len());
    events.sequences(0..events.len(), |_, sequence| sequences.push(sequence));
    let mut items: Vec<OrderedItem> = (0..events.len())
        .map(|i| {
            let event = stored_event(store, i);
            OrderedItem::Event(Event {
                time: event.time + store.origin,
                sequence: sequences[i],
                ..event
            })
        })
        .collect();
    items.extend(store.messages.rows.iter().map(|m| {
        let (time, device) = (m.time + store.origin, number(m.device));
        OrderedItem::Message(OrderedMessage {
            time,
            cpu: m.cpu,
            device,
            pid: m.pid,
            cgroup: m.cgroup,
            text: m.text,
        })
    }));
    items
}
