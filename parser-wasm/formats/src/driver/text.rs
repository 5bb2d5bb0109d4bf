//! The bodies of drivers' trace points as ftrace prints them, and trace-cmd and perf with their
//! plugins:
//!
//! ```text
//! nvme0: disk=nvme0n1, qid=1, cmdid=576, nsid=1, flags=0x0, meta=0x0, cmd=(nvme_cmd_write slba=24704, len=255, ctrl=0x0, dsmgmt=0, reftag=0)
//! nvme0: disk=nvme0n1, qid=1, cmdid=576, res=0x0, retries=0, flags=0x0, status=0x0
//! host_no=0 channel=0 id=0 lun=0 data_sgl=32 prot_sgl=0 prot_op=SCSI_PROT_NORMAL driver_tag=167 scheduler_tag=89 cmnd=(WRITE_10 lba=24704 txlen=256 protect=0 raw=2a 00 00 00 60 80 00 01 00 00)
//! ```
//!
//! Without the plugins `[FAILED TO PARSE]` and the plain fields follow the name: all of nvme, of
//! scsi all but the command.

use super::{
    CommandStep, DriverCommand, DriverEvent, DriverPoint, embedded, nvme, nvme_event, scsi,
    scsi_event,
};
use crate::block_event::hex;
use memchr::memmem;

/// Bytes of a command descriptor block.
const CDB: usize = 32;
/// Bytes of a command of nvme from dword 10 on.
const CDW10: usize = 24;

/// A line of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DriverLine<'a> {
    Event(DriverEvent<'a>),
    /// The tool did not decode the command.
    Undecoded,
    /// A command of the controller, not of a disk.
    Other,
}

/// Reads a body; `None` if it is invalid.
pub fn read(point: DriverPoint, body: &[u8]) -> Option<DriverLine<'_>> {
    match point {
        DriverPoint::NvmeSetup | DriverPoint::NvmeComplete => nvme_line(point, body),
        DriverPoint::MmcStart | DriverPoint::MmcDone => {
            embedded::mmc_line(point == DriverPoint::MmcStart, body)
        }
        DriverPoint::Ufs => embedded::ufs_line(body),
        _ => scsi_line(point, body),
    }
}

/// The value of a field: `key` with its `=`. It ends at a blank, comma or bracket.
pub fn value<'a>(body: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let starts =
        |&index: &usize| index == 0 || matches!(body[index - 1], b' ' | b'(' | b',' | b'\t');
    let index = memmem::find_iter(body, key).find(starts)? + key.len();
    let rest = &body[index..];
    let end = rest
        .iter()
        .position(|b| matches!(b, b' ' | b',' | b')' | b']'))
        .unwrap_or(rest.len());
    Some(&rest[..end])
}

/// A value in decimal, or in hex with `0x`.
pub fn number(body: &[u8], key: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(value(body, key)?).ok()?;
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn nvme_line(point: DriverPoint, body: &[u8]) -> Option<DriverLine<'_>> {
    let queue = number(body, b"qid=").unwrap_or(0);
    let id = number(body, b"cmdid=").or_else(|| number(body, b"cid="))?;
    let printed = || {
        std::str::from_utf8(body.strip_prefix(b"nvme")?.split(|&b| b == b':').next()?)
            .ok()?
            .parse()
            .ok()
    };
    let controller = number(body, b"ctrl_id=").or_else(printed).unwrap_or(0);
    let namespace = number(body, b"nsid=").unwrap_or(1);
    let (step, command) = match point {
        DriverPoint::NvmeSetup => (CommandStep::Started, Some(nvme_command(body)?)),
        _ => (
            CommandStep::Done(nvme::outcome(number(body, b"status=")?)),
            None,
        ),
    };
    let disk = value(body, b"disk=").unwrap_or_default();
    Some(
        nvme_event(disk, [controller, queue, id, namespace], step, command)
            .map_or(DriverLine::Other, DriverLine::Event),
    )
}

fn nvme_command(body: &[u8]) -> Option<DriverCommand> {
    if let Some(name) = value(body, b"cmd=(") {
        let command_at = memmem::find(body, b"cmd=(")?;
        let command = &body[command_at + b"cmd=(".len()..];
        // Flushes and others have no place; numbers that are too large are damage.
        let field = |key: &[u8], most: u64| match value(command, key) {
            Some(_) => number(command, key).filter(|n| *n <= most),
            None => Some(0),
        };
        let word = |key: &[u8]| Some(field(key, u64::from(u16::MAX))? as u16);
        let printed = |key: &[u8]| number(command, key).unwrap_or(0);
        let zone = nvme::zone_action(printed(b"zsa="), printed(b"all=") != 0);
        return Some(nvme::command(
            nvme::opcode(name),
            field(b"slba=", u64::MAX)?,
            word(b"len=")?,
            word(b"ctrl=")?,
            zone,
        ));
    }
    // `cdw10=ARRAY[80, 60, 00, ...]`
    let opcode = u8::try_from(number(body, b"opcode=")?).ok()?;
    let list_at = memmem::find(body, b"cdw10=ARRAY[")? + b"cdw10=ARRAY[".len();
    let list = body[list_at..].split(|&b| b == b']').next()?;
    let list: Vec<u8> = list
        .iter()
        .map(|&b| if b == b',' { b' ' } else { b })
        .collect();
    nvme::command_of(opcode, hex(&list, &mut [0; CDW10]))
}

fn scsi_line(point: DriverPoint, body: &[u8]) -> Option<DriverLine<'_>> {
    let field = |key: &[u8]| number(body, key);
    let address = [
        field(b"host_no=")?,
        field(b"channel=")?,
        field(b"id=")?,
        field(b"lun=")?,
    ];
    let Some(raw_at) = memmem::find(body, b" raw=") else {
        return body
            .starts_with(b"[FAILED TO PARSE]")
            .then_some(DriverLine::Undecoded);
    };
    let raw = body[raw_at + b" raw=".len()..]
        .split(|&b| b == b')')
        .next()?;
    let command = scsi::command(hex(raw, &mut [0; CDB]))?;
    let step = match point {
        DriverPoint::ScsiStart => CommandStep::Started,
        DriverPoint::ScsiError => CommandStep::Refused,
        DriverPoint::ScsiTimeout => CommandStep::TimedOut,
        _ => {
            let (host, status) = (value(body, b"host=")?, value(body, b"status=")?);
            scsi::outcome_of(host, status).map_or(CommandStep::Refused, CommandStep::Done)
        }
    };
    Some(DriverLine::Event(scsi_event(
        address,
        field(b"driver_tag="),
        step,
        Some(command),
    )))
}
