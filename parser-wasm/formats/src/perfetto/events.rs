//! Block events as messages of protobuf, made samples of `../tep`: so they take the same road as
//! those of trace.dat and perf.data.
//!
//! Of each event Perfetto has a message type, and fields in the order of their numbers from 1.
//! Events that Perfetto has no type for are generic: a name (1) and fields (2), each with name (1)
//! and text (3) or number (4, 5). From v50 on they have a number of their own instead, which a
//! description (`Descriptions`) introduces. Devices are always in the encoding of user space.
//!
//! Numbers are those of the published sources: `block.proto`, `ftrace_event.proto`,
//! `generic.proto`; descriptions as the tracer writes them (`proto_translation_table.cc`). There is
//! no type for nvme; of scsi there are only errors and timeouts (`scsi.proto`), whose numbers among
//! the events could not be verified, so they are not read. Arrays of bytes are not recorded: the
//! commands of both have no sectors.

use super::wire::{WireFields, WireValue};
use crate::driver::DriverPoint;
use crate::tep::BlockFormats;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Field of an event with a generic one.
pub const GENERIC: u32 = 327;
/// The fields that are text.
const TEXTS: [&str; 4] = ["rwbs", "comm", "cmd", "disk"];
const NUMBERS: [&str; 22] = [
    "dev",
    "sector",
    "nr_sector",
    "bytes",
    "error",
    "errors",
    "old_dev",
    "old_sector",
    "new_sector",
    "nr_rq",
    "ctrl_id",
    "qid",
    "cid",
    "nsid",
    "opcode",
    "status",
    "host_no",
    "channel",
    "id",
    "lun",
    "result",
    "driver_tag",
];
/// Numbers of generic events with descriptions begin here.
pub const DESCRIBED: u32 = 1 << 16;
/// Limits for the descriptions and for the fields of one.
const MAX_DESCRIPTORS: usize = 256;
const MAX_FIELDS: usize = 64;
/// Bytes of a text that are kept.
const LONGEST: usize = 64;
/// Bytes before the fields of a sample: type, two unused, pid.
const HEAD: usize = 8;
/// Bytes of a field: a number, or where a text is.
const SLOT: usize = 8;

/// The index of a sample's event in `EVENTS`.
pub type EventIndex = u8;

/// Field number in an event (0: only generic), name, and names of its fields.
const EVENTS: [(u32, &str, &[&str]); 25] = [
    (
        45,
        "block_rq_issue",
        &["dev", "sector", "nr_sector", "bytes", "rwbs", "comm", "cmd"],
    ),
    (
        115,
        "block_bio_backmerge",
        &["dev", "sector", "nr_sector", "rwbs", "comm"],
    ),
    (
        116,
        "block_bio_bounce",
        &["dev", "sector", "nr_sector", "rwbs", "comm"],
    ),
    (
        117,
        "block_bio_complete",
        &["dev", "sector", "nr_sector", "error", "rwbs"],
    ),
    (
        118,
        "block_bio_frontmerge",
        &["dev", "sector", "nr_sector", "rwbs", "comm"],
    ),
    (
        119,
        "block_bio_queue",
        &["dev", "sector", "nr_sector", "rwbs", "comm"],
    ),
    (
        120,
        "block_bio_remap",
        &[
            "dev",
            "sector",
            "nr_sector",
            "old_dev",
            "old_sector",
            "rwbs",
        ],
    ),
    (
        122,
        "block_getrq",
        &["dev", "sector", "nr_sector", "rwbs", "comm"],
    ),
    (123, "block_plug", &["comm"]),
    (
        124,
        "block_rq_abort",
        &["dev", "sector", "nr_sector", "errors", "rwbs", "cmd"],
    ),
    (
        125,
        "block_rq_complete",
        &["dev", "sector", "nr_sector", "errors", "rwbs", "cmd"],
    ),
    (
        126,
        "block_rq_insert",
        &["dev", "sector", "nr_sector", "bytes", "rwbs", "comm", "cmd"],
    ),
    (
        128,
        "block_rq_remap",
        &[
            "dev",
            "sector",
            "nr_sector",
            "old_dev",
            "old_sector",
            "",
            "rwbs",
        ],
    ),
    (
        129,
        "block_rq_requeue",
        &["dev", "sector", "nr_sector", "errors", "rwbs", "cmd"],
    ),
    (
        130,
        "block_sleeprq",
        &["dev", "sector", "nr_sector", "rwbs", "comm"],
    ),
    (
        131,
        "block_split",
        &["dev", "sector", "new_sector", "rwbs", "comm"],
    ),
    (133, "block_unplug", &["nr_rq", "comm"]),
    (0, "block_rq_merge", &[]),
    (0, "block_io_start", &[]),
    (0, "block_io_done", &[]),
    (0, "block_rq_error", &[]),
    (
        0,
        "nvme_setup_cmd",
        &["disk", "ctrl_id", "qid", "cid", "nsid", "opcode"],
    ),
    (
        0,
        "nvme_complete_rq",
        &["disk", "ctrl_id", "qid", "cid", "status"],
    ),
    (
        0,
        "scsi_dispatch_cmd_start",
        &["host_no", "channel", "id", "lun", "driver_tag"],
    ),
    (
        0,
        "scsi_dispatch_cmd_done",
        &["host_no", "channel", "id", "lun", "result", "driver_tag"],
    ),
];

/// Events that are read: which field number in an event they have, and their names.
pub trait EventSet {
    /// The event of this name.
    fn named(&self, name: &[u8]) -> Option<EventIndex>;

    /// The event with this field number; absent for generic ones.
    fn numbered(&self, number: u32) -> Option<EventIndex>;

    /// A field of an event that is used.
    fn field(&self, event: EventIndex, name: &[u8]) -> Option<&'static str>;
}

/// The events of the block layer and of drivers.
pub struct BlockEvents;

impl EventSet for BlockEvents {
    fn named(&self, name: &[u8]) -> Option<EventIndex> {
        let mut events = EVENTS.iter();
        let index = events.position(|event| event.1.as_bytes() == name)?;
        Some(index as EventIndex)
    }

    fn numbered(&self, number: u32) -> Option<EventIndex> {
        let mut events = EVENTS.iter();
        let index = events.position(|event| event.0 == number && number > 0)?;
        Some(index as EventIndex)
    }

    fn field(&self, _event: EventIndex, name: &[u8]) -> Option<&'static str> {
        let mut fields = NUMBERS.iter().chain(&TEXTS);
        fields.find(|field| field.as_bytes() == name).copied()
    }
}

/// Generic events by their numbers: which one it is, and the names of its fields by their numbers.
#[derive(Default)]
pub struct Descriptions(FxHashMap<u32, (EventIndex, FieldNames)>);

/// The names of fields, by their numbers.
type FieldNames = Vec<(u32, &'static str)>;

impl Descriptions {
    /// The fields of a described event.
    pub fn fields(&self, number: u32) -> &[(u32, &'static str)] {
        self.0.get(&number).map_or(&[], |event| &event.1)
    }

    /// Takes the description of an event: its number (1) and a message (2) with its name (1) and
    /// fields (2), each with name (1) and number (3).
    pub fn add(&mut self, description: &[u8], events: &dyn EventSet) {
        let bytes = |message, wanted| {
            WireFields::new(message)
                .find(|f| f.0 == wanted)
                .and_then(|f| f.1.bytes())
        };
        let number = |message, wanted| {
            WireFields::new(message)
                .find(|f| f.0 == wanted)
                .and_then(|f| f.1.number())
        };
        let number_of_event = number(description, 1)
            .and_then(|n| u32::try_from(n).ok())
            .filter(|n| *n >= DESCRIBED);
        let (Some(number_of_event), Some(message)) = (number_of_event, bytes(description, 2))
        else {
            return;
        };
        let Some(kind) = bytes(message, 1).and_then(|name| events.named(name)) else {
            return;
        };
        let fields = WireFields::new(message)
            .filter(|f| f.0 == 2)
            .filter_map(|f| f.1.bytes())
            .take(MAX_FIELDS);
        let names = fields.filter_map(|field| {
            let name = events.field(kind, bytes(field, 1)?)?;
            Some((u32::try_from(number(field, 3)?).ok()?, name))
        });
        if self.0.len() < MAX_DESCRIPTORS {
            self.0.insert(number_of_event, (kind, names.collect()));
        }
    }
}

/// The kind of an event by its field number, and for generic ones by the name in it.
pub fn kind(
    number: u32,
    message: &[u8],
    described: &Descriptions,
    events: &dyn EventSet,
) -> Option<EventIndex> {
    match number {
        GENERIC => {
            let name = WireFields::new(message).find(|field| field.0 == 1)?;
            events.named(name.1.bytes()?)
        }
        DESCRIBED.. => described.0.get(&number).map(|event| event.0),
        _ => events.numbered(number),
    }
}

/// Name and value of a field of a generic event.
pub fn generic_field(field: &[u8]) -> Option<(&[u8], WireValue<'_>)> {
    let mut fields = WireFields::new(field);
    let name = fields.find(|f| f.0 == 1)?.1.bytes()?;
    let value = fields.find(|f| (3..=5).contains(&f.0))?;
    Some((name, value.1))
}

/// The layouts of the samples: every field that any event has, and which of them are text.
pub fn formats() -> BlockFormats {
    let mut formats = BlockFormats::default();
    for (id, (_, name, fields)) in EVENTS.iter().enumerate() {
        let mut text = format!(
            "name: {name}\nID: {id}\n\tfield:unsigned short \
                common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
             \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
        );
        for (slot, field) in NUMBERS.iter().chain(&TEXTS).enumerate() {
            let offset = HEAD + SLOT * slot;
            // A field of another version of the event, with another name, would hide it.
            if fields.is_empty() && matches!(*field, "errors")
                || !fields.is_empty() && !fields.contains(field)
            {
                continue;
            }
            let _ = if slot < NUMBERS.len() {
                writeln!(
                    text,
                    "\tfield:long {field};\toffset:{offset};\tsize:8;\tsigned:1;"
                )
            } else {
                writeln!(
                    text,
                    "\tfield:__data_loc char[] {field};\toffset:{offset};\tsize:4;\tsigned:1;"
                )
            };
        }
        match DriverPoint::named(name.as_bytes()) {
            Some(_) => formats.add_driver(text.as_bytes()),
            None => formats.add(text.as_bytes()),
        }
    }
    formats
}

/// Writes an event with this number as a sample into `out`.
pub fn sample(
    (kind, number): (EventIndex, u32),
    pid: u32,
    message: &[u8],
    described: &Descriptions,
    out: &mut Vec<u8>,
) {
    out.clear();
    out.resize(HEAD + SLOT * (NUMBERS.len() + TEXTS.len()), 0);
    out[..2].copy_from_slice(&u16::from(kind).to_le_bytes());
    out[4..8].copy_from_slice(&pid.to_le_bytes());
    let names = EVENTS
        .get(usize::from(kind))
        .map_or(&[][..], |event| event.2);
    let names_of_event = described.fields(number);
    for (field, value) in WireFields::new(message) {
        if number >= DESCRIBED {
            names_of_event
                .iter()
                .filter(|entry| entry.0 == field)
                .for_each(|(_, name)| set(name, value, out));
        } else if number != GENERIC {
            if let Some(name) = (field as usize)
                .checked_sub(1)
                .and_then(|index| names.get(index))
            {
                set(name, value, out);
            }
        } else if let (2, WireValue::Bytes(field)) = (field, value) {
            let found = generic_field(field);
            if let Some((Ok(name), value)) = found.map(|f| (std::str::from_utf8(f.0), f.1)) {
                set(name, value, out);
            }
        }
    }
}

fn set(name: &str, value: WireValue<'_>, out: &mut Vec<u8>) {
    let slot = |index: usize| HEAD + SLOT * index;
    match value {
        WireValue::Number(n) => {
            let Some(index) = NUMBERS.iter().position(|candidate| *candidate == name) else {
                return;
            };
            let n = if name.ends_with("dev") {
                kernel_device(n)
            } else {
                n
            };
            out[slot(index)..slot(index) + 8].copy_from_slice(&n.to_le_bytes());
        }
        WireValue::Bytes(text) => {
            let Some(index) = TEXTS.iter().position(|candidate| *candidate == name) else {
                return;
            };
            let text = &text[..text.len().min(LONGEST)];
            let place = (text.len() as u32) << 16 | out.len() as u32;
            out.extend_from_slice(text);
            let index = slot(NUMBERS.len() + index);
            out[index..index + 4].copy_from_slice(&place.to_le_bytes());
        }
    }
}

/// 12 bits of the major number from bit 20 and 20 bits of the minor one; user space has them at
/// bits 8 and 0, and the rest above.
pub fn kernel_device(user: u64) -> u64 {
    let (major, minor) = (user >> 8 & 0xfff, user & 0xff | user >> 12 & 0xf_ff00);
    major << 20 | minor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_user_space() {
        // 259:0, 8:16, 254:300 as makedev() writes them.
        assert_eq!(kernel_device(259 << 8), 259 << 20);
        assert_eq!(kernel_device(8 << 8 | 16), 8 << 20 | 16);
        assert_eq!(kernel_device(254 << 8 | 44 | 256 << 12), 254 << 20 | 300);
    }

    #[test]
    fn every_known_field_has_a_slot() {
        for (_, event, fields) in EVENTS {
            for field in fields.iter().filter(|field| !field.is_empty()) {
                assert!(
                    NUMBERS.contains(field) != TEXTS.contains(field),
                    "{event}: {field}"
                );
            }
            assert!(
                !fields.contains(&"sector") || fields[..2] == ["dev", "sector"],
                "{event}"
            );
        }
    }
}
