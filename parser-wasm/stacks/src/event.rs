//! Events of the block layer in a line of ftrace or of `perf script`. Both end alike:
//!
//! ```text
//!   fio-340   [000] .N...    25.944643: block_rq_issue: 254,0 RM 4096 () 19016 + 8 be,0,4 [fio]
//! fio   340 [000]    25.944643210: block:block_rq_issue: 254,0 RM 4096 () 19016 + 8 0x2,0,4 [fio]
//! ```

use seekscope_trace::store::StackEvent;

/// The events whose stacks are read.
const EVENTS: [(&str, StackEvent); 3] = [
    ("block_bio_queue: ", StackEvent::Queue),
    ("block_rq_insert: ", StackEvent::Insert),
    ("block_rq_issue: ", StackEvent::Issue),
];

/// An event and its request are at most so far apart, ns: two probes of one place in the kernel,
/// between which the CPU may have been taken away.
pub const NEAR: u64 = 2_000_000;

/// What tells to which request an event belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEvent {
    pub event: StackEvent,
    /// By the clock of the tracer, ns.
    pub time: u64,
    /// As in `DeviceNumber`.
    pub device: u32,
    pub sector: u64,
    pub sectors: u32,
}

/// An event with its stack.
#[derive(Clone, Copy, Debug)]
pub struct FramedEvent {
    pub event: BlockEvent,
    /// Innermost frame.
    pub frame: u32,
}

/// The CPU, and the event if it is one whose stack is wanted; `None` for what is no event.
pub fn parse(line: &str) -> Option<(u32, Option<BlockEvent>)> {
    let (cpu, rest) = split_cpu(line)?;
    let (stamp, rest) = rest.split_once(": ")?;
    let time = parse_seconds(stamp.rsplit(' ').next()?)?;
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("block:").unwrap_or(rest);
    let found = EVENTS.iter().find_map(|(name, event)| {
        let (device, sector, sectors) = place(rest.strip_prefix(name)?.trim_start())?;
        Some(BlockEvent {
            event: *event,
            time,
            device,
            sector,
            sectors,
        })
    });
    Some((cpu, found))
}

/// The CPU is the first number in brackets behind a blank: a name may hold brackets, too.
fn split_cpu(line: &str) -> Option<(u32, &str)> {
    let mut from = 0;
    loop {
        let bracket = from + line.get(from..)?.find(" [")? + 2;
        let rest = line.get(bracket..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=5).contains(&digits) && rest.as_bytes().get(digits) == Some(&b']') {
            return Some((rest[..digits].parse().ok()?, &rest[digits + 1..]));
        }
        from = bracket;
    }
}

/// Device, sector and number of sectors of `254,0 RM 4096 () 19016 + 8 be,0,4 [fio]`.
fn place(fields: &str) -> Option<(u32, u64, u32)> {
    let (number, rest) = fields.split_once(' ')?;
    let (major, minor) = number.split_once(',')?;
    let (major, minor): (u32, u32) = (major.parse().ok()?, minor.parse().ok()?);
    if major >= 1 << 12 || minor >= 1 << 20 {
        return None;
    }
    let (before, behind) = rest.split_once(" + ")?;
    let sector: u64 = before.rsplit(' ').next()?.parse().ok()?;
    let sectors: u32 = behind.split(' ').next()?.parse().ok()?;
    // A flush has no place: sector 0, or -1.
    let sector = if sectors == 0 { 0 } else { sector };
    Some((major << 20 | minor, sector, sectors))
}

/// `10.719039283`: seconds with up to nine decimals, in ns.
fn parse_seconds(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > 9 {
        return None;
    }
    let scale = 10_u64.pow(9 - decimals.len() as u32);
    let below = decimals.parse::<u64>().ok()?.checked_mul(scale)?;
    whole
        .parse::<u64>()
        .ok()?
        .checked_mul(1_000_000_000)?
        .checked_add(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(event: StackEvent, time: u64, sector: u64, sectors: u32) -> BlockEvent {
        BlockEvent {
            event,
            time,
            device: 254 << 20,
            sector,
            sectors,
        }
    }

    #[test]
    fn events_of_ftrace_and_perf_have_their_place() {
        let line = "  a [x] b-340   [001] .N... 25.944643: block_rq_issue: 254,0 RM 4096 () 19016 + 8 be,0,4 [a]";
        let issue = event(StackEvent::Issue, 25_944_643_000, 19016, 8);
        assert_eq!(parse(line), Some((1, Some(issue))));
        let line = "fio 51 [000] 10.719039283:   block:block_rq_insert: 254,0 FF 0 () 18446744073709551615 + 0 0x0,0,0 [fio]";
        let flush = event(StackEvent::Insert, 10_719_039_283, 0, 0);
        assert_eq!(parse(line), Some((0, Some(flush))));
        // trace-cmd report aligns the fields.
        let line = "fio-5 [000] ..... 1.5: block_bio_queue:      254,0 WS 64 + 16 [fio]";
        let queue = event(StackEvent::Queue, 1_500_000_000, 64, 16);
        assert_eq!(parse(line), Some((0, Some(queue))));
    }

    #[test]
    fn other_events_have_a_cpu_only() {
        let line = "fio-5 [003] ..... 1.5: block_rq_complete: 254,0 WS () 64 + 16 [0]";
        assert_eq!(parse(line), Some((3, None)));
        for line in [
            "x-1 [000] 1.5: block_rq_issue: 254,0 W 1 () 5 +",
            "x-1 [000] 1.5: block_rq_issue: 99999,0 W 1 () 5 + 8",
        ] {
            assert_eq!(parse(line), Some((0, None)), "{line}");
        }
        for line in [
            "",
            " => f",
            " [",
            " [1",
            " [0] 1.5",
            "# a [000] b: c",
            "x [0] 1.: e: f",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
