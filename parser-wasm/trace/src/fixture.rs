//! Traces drawn as text, for unit tests. The events go through the real lifecycle.
//!
//! One event per line: `time action sector+sectors [rwbs] [key=value ...]`, `-` for an event
//! without a sector. Keys: `dev` (default 0), `pid` (1), `cpu` (0), `from` (`dev:sector`, source of
//! an A), `split` (first sector of the second half, of an X) and `error` (0). Lines are in time
//! order. Time 0 is the start of the trace, also when the first event is later.

use crate::event::{Action, DeviceNumber, Event, EventDetail, Flags};
use crate::lifecycle::Lifecycle;
use crate::order::KindNumber;
use crate::store::Store;

/// The number of the fixture's device `dev`: `8,dev`.
pub fn number(dev: u32) -> DeviceNumber {
    DeviceNumber(8 << 20 | dev)
}

/// The store of the drawn trace.
pub fn store(text: &str) -> Store {
    let mut store = Store {
        complete: true,
        ..Store::default()
    };
    let mut lifecycle = Lifecycle::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let event = parse(line);
        lifecycle.event(&mut store, event.time, &event, KindNumber::NONE);
    }
    lifecycle.finish(&mut store, &[]);
    store
}

fn parse(line: &str) -> Event {
    let mut words = line.split_whitespace();
    let time = words.next().unwrap().parse().unwrap();
    let letters = words.next().unwrap();
    let action = Action::ALL
        .into_iter()
        .find(|a| a.letters() == letters)
        .unwrap();
    let (sector, sectors) = match words.next().unwrap() {
        "-" => (u64::MAX, 0u32),
        place => {
            let (sector, n) = place.split_once('+').unwrap();
            (sector.parse().unwrap(), n.parse().unwrap())
        }
    };
    let mut event = Event {
        time,
        sector,
        bytes: sectors * 512,
        action,
        flags: Flags::WRITE,
        pid: 1,
        device: number(0),
        cpu: 0,
        sequence: 0,
        error: 0,
        detail: EventDetail::None,
    };
    for word in words {
        match word.split_once('=') {
            None => event.flags = flags(word),
            Some(("dev", v)) => event.device = number(v.parse().unwrap()),
            Some(("pid", v)) => event.pid = v.parse().unwrap(),
            Some(("cpu", v)) => event.cpu = v.parse().unwrap(),
            Some(("error", v)) => event.error = v.parse().unwrap(),
            Some(("from", v)) => {
                let (dev, sector) = v.split_once(':').unwrap();
                event.detail = EventDetail::Remap {
                    from: number(dev.parse().unwrap()),
                    to: event.device,
                    sector: sector.parse().unwrap(),
                };
            }
            Some(("split", v)) => event.detail = EventDetail::Split(v.parse().unwrap()),
            Some(_) => panic!("{line}"),
        }
    }
    event
}

/// Flags from blkparse's letters; `P` adds passthrough and `Q` a request of a file system.
fn flags(rwbs: &str) -> Flags {
    let mut flags = Flags::default();
    for (i, letter) in rwbs.chars().enumerate() {
        flags |= match letter {
            'F' if i == 0 => Flags::FLUSH,
            'F' => Flags::FUA,
            'W' => Flags::WRITE,
            'D' => Flags::WRITE | Flags::DISCARD,
            'R' => Flags::READ,
            'S' => Flags::SYNC,
            'A' => Flags::AHEAD,
            'M' => Flags::META,
            'P' => Flags::PC,
            'Q' => Flags::FS,
            'N' => Flags::default(),
            _ => panic!("{rwbs}"),
        };
    }
    flags
}
