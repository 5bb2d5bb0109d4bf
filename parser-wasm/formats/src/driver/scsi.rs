//! Commands of SCSI, by the bytes of their descriptor block (big-endian).

use super::DriverCommand;
use super::nvme::zone_action;
use seekscope_trace::event::Flags;

/// Result bytes of a command that the kernel gives to the driver again.
const HOST_AGAIN: [u8; 5] = [0x02, 0x0b, 0x0c, 0x0d, 0x0e];
const STATUS_AGAIN: [u8; 2] = [0x08, 0x28];

/// The result of a command: 0, or a negative errno; `None` if the kernel issues it again. `host`
/// and `status` are bytes 2 and 0 of the result.
pub fn outcome(host: u8, status: u8) -> Option<i16> {
    match (host, status) {
        (0, 0) => Some(0),
        _ if HOST_AGAIN.contains(&host) || STATUS_AGAIN.contains(&status) => None,
        // Failed fast or on a marginal path.
        (0x0f | 0x14, _) => Some(-67),
        // Reservation conflict.
        (0, 0x18) => Some(-52),
        _ => Some(-5),
    }
}

/// The same by the words that the kernel prints.
pub fn outcome_of(host: &[u8], status: &[u8]) -> Option<i16> {
    let host = match host {
        b"DID_OK" => 0,
        b"DID_BUS_BUSY" => 0x02,
        b"DID_SOFT_ERROR" => 0x0b,
        b"DID_IMM_RETRY" => 0x0c,
        b"DID_REQUEUE" => 0x0d,
        b"DID_TRANSPORT_DISRUPTED" => 0x0e,
        b"DID_TRANSPORT_FAILFAST" => 0x0f,
        b"DID_TRANSPORT_MARGINAL" => 0x14,
        _ => 1,
    };
    let status = match status {
        b"SAM_STAT_GOOD" => 0,
        b"SAM_STAT_BUSY" => 0x08,
        b"SAM_STAT_RESERVATION_CONFLICT" => 0x18,
        b"SAM_STAT_TASK_SET_FULL" => 0x28,
        _ => 1,
    };
    outcome(host, status)
}

/// The meaning of an operation code, with an empty place where it has one; `None` for commands that
/// neither transfer data nor flush.
pub fn named(opcode: u8) -> Option<DriverCommand> {
    let mut cdb = [0; 32];
    cdb[0] = opcode;
    match opcode {
        // Its ranges are in the data, but the tracepoint has a place.
        0x42 => Some(DriverCommand::on_sectors(
            0,
            0,
            Flags::WRITE | Flags::DISCARD,
        )),
        _ => command(&cdb).filter(|command| !command.flags.has(Flags::PC)),
    }
}

/// A command by its descriptor block; `None` if it is empty.
pub fn command(cdb: &[u8]) -> Option<DriverCommand> {
    let byte = |offset: usize| u64::from(cdb.get(offset).copied().unwrap_or(0));
    let number = |offset: usize, width: usize| {
        (offset..offset + width).fold(0u64, |n, offset| n << 8 | byte(offset))
    };
    let fua = if byte(1) & 8 == 0 {
        Flags::default()
    } else {
        Flags::FUA
    };
    let zeroes = if byte(1) & 8 == 0 {
        Flags::WRITE | Flags::WRITE_ZEROES
    } else {
        Flags::WRITE | Flags::DISCARD
    };
    let short = (
        number(1, 3) & 0x1f_ffff,
        if byte(4) == 0 { 256 } else { byte(4) },
    );
    let (flags, place) = match *cdb.first()? {
        // READ and WRITE of 6, 10, 12, 16 and 32 bytes.
        0x08 => (Flags::READ, short),
        0x0a => (Flags::WRITE, short),
        0x28 => (Flags::READ | fua, (number(2, 4), number(7, 2))),
        0x2a => (Flags::WRITE | fua, (number(2, 4), number(7, 2))),
        0xa8 => (Flags::READ | fua, (number(2, 4), number(6, 4))),
        0xaa => (Flags::WRITE | fua, (number(2, 4), number(6, 4))),
        0x88 => (Flags::READ | fua, (number(2, 8), number(10, 4))),
        0x8a => (Flags::WRITE | fua, (number(2, 8), number(10, 4))),
        0x7f if number(8, 2) == 0x09 => (Flags::READ, (number(12, 8), number(28, 4))),
        0x7f if number(8, 2) == 0x0b => (Flags::WRITE, (number(12, 8), number(28, 4))),
        // WRITE ATOMIC (16).
        0x9c => (Flags::WRITE | fua, (number(2, 8), number(12, 2))),
        // WRITE SAME, which unmaps with bit 3.
        0x41 => (zeroes, (number(2, 4), number(7, 2))),
        0x93 => (zeroes, (number(2, 8), number(10, 4))),
        // ZONE OUT: service actions 1 to 4 in the order of NVMe; bit 0 of byte 14 selects all
        // zones.
        0x94 => (
            Flags::of_zone(zone_action(byte(1) & 0x1f, byte(14) & 1 != 0)),
            (number(2, 8), 0),
        ),
        // SYNCHRONIZE CACHE.
        0x35 | 0x91 => return Some(DriverCommand::FLUSH),
        // UNMAP: its ranges are in the data, which the trace point does not have.
        0x42 => {
            return Some(DriverCommand::passthrough(
                Flags::WRITE | Flags::DISCARD,
                cdb,
            ));
        }
        _ => return Some(DriverCommand::passthrough(Flags::READ, cdb)),
    };
    Some(DriverCommand {
        place: Some(place),
        flags: flags | Flags::FS,
        ..DriverCommand::FLUSH
    })
}
