//! A complete record to an event or a note of the tracer.

use super::V8_HEADER;
use crate::Record;
use crate::fields::Fields;
use seekscope_trace::event::{Action, DeviceNumber, Event, EventDetail, Flags, ZoneAction};

/// Action bit: the payload begins with a cgroup id.
const CGROUP: u64 = 0x100;
/// Bytes of a cgroup id.
pub const CGROUP_ID: usize = 8;
/// Category bit 10: not an event but a record of the tracer itself.
pub const NOTIFY: u64 = 1 << (16 + 10);

/// Decodes a complete record; the error is an unknown action word.
#[inline(always)]
pub fn record<'a, const BIG: bool>(head: &[u8], payload: &'a [u8]) -> Result<Record<'a>, u64> {
    let f = Fields::<BIG>(head);
    let sequence = f.u32(4);
    let time = f.u64(8);
    let (pid, action, device, cpu, error) = if head.len() == V8_HEADER {
        (f.u32(28), f.u64(32), f.u32(40), f.u32(44), f.u16(48))
    } else {
        (
            f.u32(32),
            u64::from(f.u32(28)),
            f.u32(36),
            f.u32(40),
            f.u16(44),
        )
    };
    let device = DeviceNumber(device);
    let (cgroup, payload) = match payload.split_first_chunk::<CGROUP_ID>() {
        Some((id, rest)) if action & CGROUP != 0 => (
            Some(if BIG {
                u64::from_be_bytes(*id)
            } else {
                u64::from_le_bytes(*id)
            }),
            rest,
        ),
        _ => (None, payload),
    };
    let code = action as u16 & !(CGROUP as u16);
    if action & NOTIFY != 0 {
        return match code {
            0 => {
                let name = payload.split(|&b| b == 0).next().unwrap_or_default();
                Ok(Record::Process {
                    time,
                    pid,
                    name,
                    device,
                })
            }
            1 if payload.len() >= 8 => {
                let p = Fields::<BIG>(payload);
                let wall = u64::from(p.u32(0)) * 1_000_000_000 + u64::from(p.u32(4));
                Ok(Record::Timestamp { time, wall, device })
            }
            2 => Ok(Record::Message {
                time,
                cpu,
                device,
                pid,
                cgroup,
                text: payload,
            }),
            _ => Err(action),
        };
    }
    // No device has this number: other formats use it for plugs without a device.
    let block_action = Action::from_code(code).filter(|_| device != DeviceNumber::NONE);
    let action_kind = block_action.ok_or(action)?;
    let event = Event {
        time,
        sector: f.u64(16),
        bytes: f.u32(24),
        action: action_kind,
        flags: flags(action),
        pid,
        device,
        cpu,
        sequence,
        error: error as i16,
        detail: if payload.is_empty() {
            EventDetail::None
        } else {
            detail::<BIG>(action_kind, device, payload)
        },
    };
    let command =
        !payload.is_empty() && event.detail == EventDetail::None && event.flags.has(Flags::PC);
    Ok(if command {
        Record::Command(event, payload)
    } else {
        Record::Event(event)
    })
}

/// Categories to flags. Bits 4 to 7 (queue, requeue, issue, complete), 10 (notify) and 14 (driver
/// data) repeat what the action says.
///
/// | bit | category | bit | category |
/// |---:|---|---:|---|
/// | 0 | read | 11 | readahead |
/// | 1 | write | 12 | metadata |
/// | 2 | flush (barrier before 2.6.37) | 13 | discard |
/// | 3 | sync | 15 | FUA |
/// | 8 | file system request | 16-21 | zone append, reset, reset of all, finish, open, close (v8) |
/// | 9 | passthrough | 22 | write zeroes (v8) |
#[inline(always)]
fn flags(action: u64) -> Flags {
    let category = (action >> 16) as u32;
    // Neighbouring bits that move by the same distance are moved together.
    let moved = category >> 1 & 0x7
        | category >> 8 & 0x38
        | category >> 9 & 0x40
        | category >> 2 & 0x80
        | category & 0x100
        | category << 9 & 0x200
        | category >> 11 & 0x800;
    let mut flags = Flags(moved as u16);
    let zone = category >> 16 & 0x3f;
    if zone != 0 {
        flags |= ZoneAction::NAMED
            .get(zone.trailing_zeros() as usize)
            .copied()
            .map_or(Flags::ZONE, Flags::of_zone);
    }
    flags
}

fn detail<const BIG: bool>(action: Action, device: DeviceNumber, payload: &[u8]) -> EventDetail {
    let be32 = |offset: usize| {
        payload
            .get(offset..offset + 4)
            .and_then(|b| b.try_into().ok())
            .map(u32::from_be_bytes)
    };
    let be64 = |offset: usize| {
        payload
            .get(offset..offset + 8)
            .and_then(|b| b.try_into().ok())
            .map(u64::from_be_bytes)
    };
    match action {
        Action::Remap => match (be32(0), be32(4), be64(8)) {
            (Some(from), Some(0), Some(sector)) => {
                // Before 2.6.30 the payload is {device, padding, sector}, in host order before
                // 2.6.26. The source is nearly always a partition with the target's major, which
                // distinguishes the byte orders.
                let host = Fields::<BIG>(payload);
                let (host_from, host_sector) = (DeviceNumber(host.u32(0)), host.u64(8));
                if host_from.major() == device.major()
                    && DeviceNumber(from).major() != device.major()
                {
                    EventDetail::Remap {
                        from: host_from,
                        to: device,
                        sector: host_sector,
                    }
                } else {
                    EventDetail::Remap {
                        from: DeviceNumber(from),
                        to: device,
                        sector,
                    }
                }
            }
            (Some(from), Some(to), Some(sector)) => EventDetail::Remap {
                from: DeviceNumber(from),
                to: DeviceNumber(to),
                sector,
            },
            _ => EventDetail::None,
        },
        Action::Split => be64(0).map_or(EventDetail::None, EventDetail::Split),
        Action::Unplug | Action::UnplugTimer => {
            be64(0).map_or(EventDetail::None, EventDetail::Unplug)
        }
        _ => EventDetail::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_one_by_one() {
        let expected_flags = [
            (0, Flags::READ),
            (1, Flags::WRITE),
            (2, Flags::FLUSH),
            (3, Flags::SYNC),
            (8, Flags::FS),
            (9, Flags::PC),
            (11, Flags::AHEAD),
            (12, Flags::META),
            (13, Flags::DISCARD),
            (15, Flags::FUA),
            (22, Flags::WRITE_ZEROES),
        ];
        for bit in (0..32).filter(|bit| !(16..22).contains(bit)) {
            let expected = expected_flags
                .iter()
                .find(|(flag, _)| *flag == bit)
                .map_or(Flags(0), |(_, flag)| *flag);
            assert_eq!(flags(1 << (16 + bit)), expected, "bit {bit}");
        }
        assert_eq!(flags(0xffff), Flags(0));
    }
}
