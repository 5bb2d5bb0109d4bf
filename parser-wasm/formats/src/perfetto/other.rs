//! Events of the layers above. Those that Perfetto has a message type for have fields in the order
//! of their numbers; all others are generic, with the kernel's names of fields. Arrays are not
//! recorded: neither the arguments of system calls, nor the UUID of a btrfs, without which its
//! events say nothing.
//!
//! The numbers are those of `ftrace_event.proto`, `ext4.proto`, `f2fs.proto`, `raw_syscalls.proto`
//! and `task.proto`.

use super::events::{DESCRIBED, EventIndex, EventSet, GENERIC, generic_field, kernel_device};
use super::wire::{WireFields, WireValue};
use super::{FoundEvent, Packets};
use crate::tep::{Column, FieldStyle, FieldValue, OtherEvent, other_events};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Field number in an event, name, and names of its fields by their numbers from 1.
const TYPED: [(u32, &str, &[&str]); 12] = [
    (
        43,
        "ext4_sync_file_enter",
        &["dev", "ino", "parent", "datasync"],
    ),
    (44, "ext4_sync_file_exit", &["dev", "ino", "ret"]),
    (
        135,
        "ext4_allocate_blocks",
        &[
            "dev", "ino", "block", "len", "logical", "lleft", "lright", "goal", "pleft", "pright",
            "flags",
        ],
    ),
    (167, "ext4_ext_map_blocks_exit", MAP_BLOCKS),
    (
        178,
        "ext4_free_blocks",
        &["dev", "ino", "block", "count", "flags", "mode"],
    ),
    (183, "ext4_ind_map_blocks_exit", MAP_BLOCKS),
    (217, "ext4_unlink_enter", &["dev", "ino", "parent", "size"]),
    (
        236,
        "task_rename",
        &["pid", "oldcomm", "newcomm", "oom_score_adj"],
    ),
    (255, "f2fs_sync_file_enter", &["dev", "ino", "pino", "mode"]),
    (
        268,
        "f2fs_unlink_enter",
        &["dev", "ino", "size", "blocks", "name"],
    ),
    (329, "sys_enter", &["id"]),
    (330, "sys_exit", &["id", "ret"]),
];
const MAP_BLOCKS: &[&str] = &[
    "dev", "ino", "flags", "pblk", "lblk", "len", "mflags", "ret",
];

/// The events of other layers, by their place in the list of those that are read.
struct OtherEvents {
    list: Vec<(&'static str, &'static [Column])>,
}

impl OtherEvents {
    fn new() -> OtherEvents {
        OtherEvents {
            list: other_events().collect(),
        }
    }
}

impl EventSet for OtherEvents {
    fn named(&self, name: &[u8]) -> Option<EventIndex> {
        let index = self
            .list
            .iter()
            .position(|event| event.0.as_bytes() == name)?;
        EventIndex::try_from(index).ok()
    }

    fn numbered(&self, number: u32) -> Option<EventIndex> {
        let (_, name, _) = TYPED.iter().find(|event| event.0 == number)?;
        self.named(name.as_bytes())
    }

    fn field(&self, event: EventIndex, name: &[u8]) -> Option<&'static str> {
        let (_, columns) = self.list.get(usize::from(event))?;
        let column = columns.iter().find(|column| column.1.as_bytes() == name)?;
        Some(column.1)
    }
}

/// Gives the events of other layers of a complete file, in the order of their times.
pub fn read_other_events(data: &[u8], each: &mut dyn FnMut(OtherEvent<'_>)) {
    let mut found = Packets::new(Box::new(OtherEvents::new()), data);
    let mut unpacked = Vec::new();
    found.read(data, &mut unpacked);
    let (events, set) = (found.take_events(), OtherEvents::new());
    let names = names(&found);
    let symbols = FxHashMap::default();
    let mut fields = String::new();
    for event in events {
        let source: &[u8] = if event.unpacked { &unpacked } else { data };
        let place = event.place.start as usize..event.place.end as usize;
        let message = source.get(place).unwrap_or_default();
        let (name, columns) = set.list[usize::from(event.kind.0)];
        let values = values(&event, message, &found, &set);
        fields.clear();
        for (label, field, style) in columns {
            let value = values.iter().find(|value| value.0 == *field);
            if let Some(value) = value.and_then(|value| converted(value.1, *style)) {
                fields.push_str(label);
                style.print(value, false, &symbols, &mut fields);
            }
        }
        each(OtherEvent {
            time: event.time,
            pid: event.pid,
            comm: names.get(&event.pid).map_or("", |name| name),
            name,
            fields: &fields,
            machine: found.machine,
        });
    }
}

/// The names of tasks: of threads, else of processes.
fn names(found: &Packets) -> FxHashMap<u32, Cow<'_, str>> {
    let tasks = found.processes.iter().chain(&found.threads);
    let named = tasks.filter(|task| !task.1.is_empty());
    named
        .map(|(pid, name)| (*pid, String::from_utf8_lossy(name)))
        .collect()
}

/// The fields of a message that are printed.
fn values<'a>(
    event: &FoundEvent,
    message: &'a [u8],
    found: &Packets,
    set: &OtherEvents,
) -> Vec<(&'static str, WireValue<'a>)> {
    let (index, number) = event.kind;
    let described = found.described.fields(number);
    let typed = TYPED.iter().find(|event| event.0 == number);
    let typed = typed.map_or(&[][..], |event| event.2);
    let named = |(field, value): (u32, WireValue<'a>)| match number {
        GENERIC => {
            let (name, value) = generic_field(value.bytes().filter(|_| field == 2)?)?;
            Some((set.field(index, name)?, value))
        }
        DESCRIBED.. => {
            let (_, name) = described.iter().find(|entry| entry.0 == field)?;
            Some((*name, value))
        }
        _ => {
            let place = (field as usize).checked_sub(1)?;
            Some((*typed.get(place)?, value))
        }
    };
    WireFields::new(message).filter_map(named).collect()
}

/// A value as the kernel has it.
fn converted(value: WireValue<'_>, style: FieldStyle) -> Option<FieldValue<'_>> {
    Some(match (value, style) {
        (WireValue::Number(device), FieldStyle::Device) => {
            FieldValue::Number(kernel_device(device) as i64)
        }
        (WireValue::Number(number), style) if style.is_number() => {
            FieldValue::Number(number as i64)
        }
        (WireValue::Bytes(text), FieldStyle::Text) => FieldValue::Bytes(text),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_events_have_the_fields_that_are_printed() {
        let set = OtherEvents::new();
        assert!(set.list.len() < usize::from(EventIndex::MAX));
        for (number, name, fields) in TYPED {
            let index = set.numbered(number).expect("it is read");
            let (found, columns) = set.list[usize::from(index)];
            assert_eq!(found, name);
            let printed = columns.iter().filter(|column| fields.contains(&column.1));
            assert!(printed.count() > 0, "{name}");
        }
    }
}
