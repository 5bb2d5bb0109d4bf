//! Commands of NVMe, by opcode and the bytes from command dword 10 on.
//!
//! | offset | width | read, write, compare, write zeroes, zone append |
//! |---:|---:|---|
//! | 0 | 8 | first logical block |
//! | 8 | 2 | number of logical blocks, less one |
//! | 10 | 2 | control; bit 14 is FUA |
//!
//! Zone management send has its action at offset 12 (1 byte), and bit 0 of offset 13 selects all
//! zones.

use super::DriverCommand;
use seekscope_trace::event::{Flags, ZoneAction};

const FLUSH: u8 = 0x00;
const WRITE: u8 = 0x01;
const READ: u8 = 0x02;
const COMPARE: u8 = 0x05;
const WRITE_ZEROES: u8 = 0x08;
const DATASET_MANAGEMENT: u8 = 0x09;
const ZONE_MANAGEMENT_SEND: u8 = 0x79;
const ZONE_APPEND: u8 = 0x7d;
const FUA: u16 = 1 << 14;

/// The opcode that the kernel prints as this name; one without data for names of other commands.
pub fn opcode(name: &[u8]) -> u8 {
    match name {
        b"nvme_cmd_flush" => FLUSH,
        b"nvme_cmd_write" => WRITE,
        b"nvme_cmd_read" => READ,
        b"nvme_cmd_compare" => COMPARE,
        b"nvme_cmd_write_zeroes" => WRITE_ZEROES,
        b"nvme_cmd_dsm" => DATASET_MANAGEMENT,
        b"nvme_cmd_zone_mgmt_send" => ZONE_MANAGEMENT_SEND,
        b"nvme_cmd_zone_append" => ZONE_APPEND,
        _ => 0xff,
    }
}

/// The errno of a status without its phase bit: 0 or negative, which the kernel gives to the
/// request if it does not issue the command again. Bits 0-7 are the code, 8-10 the type of code;
/// more, do-not-retry and the retry delay are above.
pub fn outcome(status: u64) -> i16 {
    match status & 0x7ff {
        0 => 0,
        // Invalid opcode, field, namespace.
        0x001 | 0x002 | 0x00b => -95,
        // Interrupted, LBA out of range, namespace not ready, conflicting attributes.
        0x021 | 0x080 | 0x082 | 0x180 => -121,
        // Capacity exceeded.
        0x081 => -28,
        // Reservation conflict.
        0x083 => -52,
        // Wrong protection information; guard, application and reference tag.
        0x181 | 0x282..=0x284 => -84,
        // Read only; write fault, read error, compare failed, access denied, unwritten block.
        0x182 | 0x280 | 0x281 | 0x285..=0x287 => -61,
        // Too many active and open zones.
        0x1bd => -75,
        0x1be => -109,
        // Host path error.
        0x370 => -67,
        _ => -5,
    }
}

/// The meaning of a zone management command, by its zone send action and whether it selects all
/// zones.
pub fn zone_action(action: u64, all: bool) -> ZoneAction {
    match action {
        1 => ZoneAction::Close,
        2 => ZoneAction::Finish,
        3 => ZoneAction::Open,
        4 if all => ZoneAction::ResetAll,
        4 => ZoneAction::Reset,
        _ => ZoneAction::Unnamed,
    }
}

/// A command, by its first logical block, number of blocks less one, control field, and what it
/// does to a zone.
pub fn command(
    opcode: u8,
    first: u64,
    length: u16,
    control: u16,
    zone: ZoneAction,
) -> DriverCommand {
    let fua = if control & FUA == 0 {
        Flags::default()
    } else {
        Flags::FUA
    };
    let (flags, blocks) = match opcode {
        WRITE => (Flags::WRITE | fua, Some(u64::from(length) + 1)),
        ZONE_APPEND => (
            Flags::of_zone(ZoneAction::Append) | fua,
            Some(u64::from(length) + 1),
        ),
        READ | COMPARE => (Flags::READ | fua, Some(u64::from(length) + 1)),
        WRITE_ZEROES => (
            Flags::WRITE | Flags::WRITE_ZEROES | fua,
            Some(u64::from(length) + 1),
        ),
        ZONE_MANAGEMENT_SEND => (Flags::of_zone(zone), Some(0)),
        FLUSH => return DriverCommand::FLUSH,
        // Its ranges are in the data, which the tracepoint does not have.
        DATASET_MANAGEMENT => {
            return DriverCommand::passthrough(Flags::WRITE | Flags::DISCARD, &[opcode]);
        }
        _ => return DriverCommand::passthrough(Flags::READ, &[opcode]),
    };
    DriverCommand {
        place: blocks.map(|n| (first, n)),
        flags: flags | Flags::FS,
        ..DriverCommand::FLUSH
    }
}

/// A command by the bytes from dword 10 on.
pub fn command_of(opcode: u8, cdw10: &[u8]) -> Option<DriverCommand> {
    let first = u64::from_le_bytes(cdw10.get(..8)?.try_into().ok()?);
    let word = |offset: usize| {
        Some(u16::from_le_bytes(
            cdw10.get(offset..offset + 2)?.try_into().ok()?,
        ))
    };
    // The action is in dword 13.
    let zone = cdw10.get(12..14).map_or(ZoneAction::Unnamed, |to| {
        zone_action(to[0].into(), to[1] & 1 != 0)
    });
    Some(command(opcode, first, word(8)?, word(10)?, zone))
}
