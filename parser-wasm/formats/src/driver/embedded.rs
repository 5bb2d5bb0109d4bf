//! The bodies of trace points of phones and boards, as ftrace, trace-cmd and perf print them:
//!
//! ```text
//! mmc0: start struct mmc_request[c669d954]: cmd_opcode=25 cmd_arg=0x480dc0 ... blocks=8 block_size=512 ... data_flags=0x100 ...
//! mmc0: end struct mmc_request[c669d954]: cmd_opcode=25 cmd_err=0 ... bytes_xfered=4096 data_err=0 ...
//! send_req: 1d84000.ufshc: tag: 12, DB: 0x0, size: 4096, IS: 0, LBA: 7058430, opcode: 0x2a (WRITE_10), group_id: 0x0, hwq_id: 0
//! complete_rsp: 1d84000.ufshc: tag: 12, ...
//! ```
//!
//! mmc counts in sectors of 512 bytes. ufs has its size in bytes; its LBA is in sectors up to Linux
//! 5.13, later in logical blocks, which are 4 KiB in UFS.

use super::text::{DriverLine, number, value};
use super::{CommandStep, DriverCommand, DriverEvent, scsi};
use memchr::memmem;
use seekscope_trace::event::Flags;
use std::borrow::Cow;

/// A flag of the data of a command of mmc.
const MMC_WRITES: u64 = 1 << 8;
const MMC_READS: u64 = 1 << 9;

/// Reads and writes of one block and of several, and the tasks of a command queue.
fn transfers(opcode: u64) -> bool {
    matches!(opcode, 0 | 17 | 18 | 24 | 25 | 46 | 47)
}

pub fn mmc_line(is_start: bool, body: &[u8]) -> Option<DriverLine<'_>> {
    let host = body.split(|&b| b == b':').next()?;
    let pointer = value(body, b"mmc_request[")?;
    let pointer = u64::from_str_radix(std::str::from_utf8(pointer).ok()?, 16).ok()?;
    let opcode = number(body, b"cmd_opcode=")?;
    if !transfers(opcode) {
        return Some(DriverLine::Other);
    }
    let (step, command) = if is_start {
        let (blocks, size) = (number(body, b"blocks=")?, number(body, b"block_size=")?);
        let data = number(body, b"data_flags=")?;
        if blocks == 0 || data & (MMC_READS | MMC_WRITES) == 0 {
            return Some(DriverLine::Other);
        }
        let first = match opcode {
            // The command of a queued task has no address.
            0 | 46 | 47 => number(body, b"blk_addr=")?,
            _ => number(body, b"cmd_arg=")?,
        };
        let flags = if data & MMC_WRITES != 0 {
            Flags::WRITE
        } else {
            Flags::READ
        };
        let sectors = blocks.checked_mul(size)? / 512;
        (
            CommandStep::Started,
            Some(DriverCommand::on_sectors(first, sectors, flags)),
        )
    } else {
        let errors = [&b"cmd_err="[..], b"data_err=", b"sbc_err=", b"stop_err="];
        let error = errors.into_iter().find_map(|key| {
            let value: i16 = std::str::from_utf8(value(body, key)?).ok()?.parse().ok()?;
            (value != 0).then_some(value)
        });
        if error.is_none() && number(body, b"bytes_xfered=") == Some(0) {
            return Some(DriverLine::Other);
        }
        (CommandStep::Done(error.unwrap_or(0)), None)
    };
    Some(DriverLine::Event(DriverEvent {
        step,
        device: Cow::Borrowed(host),
        key: (pointer, u64::MAX - 2),
        command,
    }))
}

/// The number after a key that ends with a colon: `tag: 12,`.
fn field(body: &[u8], key: &[u8]) -> Option<u64> {
    let value_at = memmem::find(body, key)? + key.len();
    let rest = body[value_at..].trim_ascii_start();
    let end = rest
        .iter()
        .position(|b| matches!(b, b' ' | b','))
        .unwrap_or(rest.len());
    let text = std::str::from_utf8(&rest[..end]).ok()?;
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

pub fn ufs_line(body: &[u8]) -> Option<DriverLine<'_>> {
    let separator = memmem::find(body, b": ")?;
    let (word, rest) = (&body[..separator], &body[separator + 2..]);
    let device = &rest[..memmem::find(rest, b": tag:")?];
    let step = if word.starts_with(b"send") {
        CommandStep::Started
    } else if word.starts_with(b"complete") {
        CommandStep::Done(0)
    } else {
        return Some(DriverLine::Other);
    };
    let tag = field(rest, b"tag:")?;
    let queue = field(rest, b"hwq_id:").unwrap_or(0);
    let opcode = u8::try_from(field(rest, b"opcode:")?).ok()?;
    let Some(command) = scsi::named(opcode) else {
        return Some(DriverLine::Other);
    };
    // Commands without data have the size -1.
    let command = match field(rest, b"size:") {
        Some(bytes) if command.place.is_some() => DriverCommand {
            is_ufs: true,
            ..DriverCommand::on_sectors(field(rest, b"LBA:")?, bytes / 512, command.flags)
        },
        _ => command,
    };
    Some(DriverLine::Event(DriverEvent {
        step,
        device: Cow::Borrowed(device),
        key: (queue << 32 ^ tag, hash(device)),
        command: Some(command),
    }))
}

/// A number that differs between hosts.
fn hash(device: &[u8]) -> u64 {
    let step = |sum: u64, byte: &u8| sum.wrapping_mul(31).wrapping_add(u64::from(*byte));
    device.iter().fold(0, step)
}
