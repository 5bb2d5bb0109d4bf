//! Traces drawn as text, for unit tests.
//!
//! One event a line: `time action sector+sectors [rwbs] [key=value ...]`, `-` for no place. Keys: `dev` (default 0), `pid` (1), `cpu` (0),
//! `from` (`dev:sector`, of an A) and `split` (of an X). Lines are in time order. A D takes the bios that lie inside it, a C ends the
//! request with its first sector; bios of a device without any D become rows of their own.

use crate::event::{Action, Detail, DeviceNumber, Event, Flags};
use crate::store::events::BLOCK;
use crate::store::{Device, Effect, Process, Role, Row, Stage, Store};

/// The number of the fixture's device `dev`: `8,dev`.
pub fn number(dev: u32) -> DeviceNumber {
    DeviceNumber(8 << 20 | dev)
}

struct Bio {
    dev: u32,
    event: Event,
    process: u32,
    allocated: Option<u64>,
    inserted: Option<u64>,
}

struct Open {
    dev: u32,
    row: usize,
    sector: u64,
}

/// Reads the drawing.
pub fn store(text: &str) -> Store {
    let events: Vec<Event> = text.lines().map(str::trim).filter(|l| !l.is_empty()).map(parse).collect();
    let mut store = Store { complete: true, ..Store::default() };
    let (mut bios, mut open): (Vec<Bio>, Vec<Open>) = (Vec::new(), Vec::new());
    let mut states: Vec<(i32, i32)> = Vec::new();
    for event in &events {
        let dev = device(&mut store, event.device);
        let process = process(&mut store, event.pid);
        let has_requests = events.iter().any(|e| e.device == event.device && e.action == Action::Issue);
        let mut effect = Effect::default();
        match event.action {
            Action::Queue if has_requests => {
                effect.waiting = 1;
                bios.push(Bio { dev, event: *event, process, allocated: None, inserted: None });
            }
            Action::Queue => {
                let row = Row { bio: true, bios: 1, queued: Some(event.time), ..row(event, dev, process) };
                open.push(Open { dev, row: store.requests.push(&row), sector: event.sector });
            }
            Action::GetRequest | Action::Insert => {
                for bio in bios.iter_mut().filter(|b| b.dev == dev && b.event.sector == event.sector) {
                    let at = if event.action == Action::Insert { &mut bio.inserted } else { &mut bio.allocated };
                    *at = Some(event.time);
                }
            }
            Action::Issue => {
                let (inside, rest): (Vec<Bio>, Vec<Bio>) = bios
                    .into_iter()
                    .partition(|b| b.dev == dev && b.event.sector >= event.sector && b.event.end() <= event.end());
                bios = rest;
                effect = Effect { depth: 1, waiting: -(inside.len() as i32) };
                let mut row = Row { bios: inside.len() as u32, ..row(event, dev, process) };
                if let Some(first) = inside.first() {
                    row.process = first.process;
                    row.submit_cpu = first.event.cpu;
                    row.queued = inside.iter().map(|b| b.event.time).min();
                    row.allocated = inside.iter().filter_map(|b| b.allocated).min();
                    row.inserted = inside.iter().filter_map(|b| b.inserted).max();
                }
                open.push(Open { dev, row: store.requests.push(&row), sector: event.sector });
            }
            Action::Complete => {
                if let Some(i) = open.iter().position(|o| o.dev == dev && o.sector == event.sector) {
                    let done = open.remove(i);
                    effect.depth = if has_requests { -1 } else { 0 };
                    store.requests.complete(done.row, event.time, event.cpu, event.error);
                    if let Some(queued) = store.requests.queued(done.row) {
                        store.devices[dev as usize].bio_stages.add(Stage::Q2C, queued, event.time);
                    }
                }
            }
            _ => {}
        }
        store.devices[dev as usize].events += 1;
        store.devices[dev as usize].role = if has_requests { Role::Disk } else { Role::Stacked };
        checkpoint(&mut store, &mut states);
        states.resize(store.devices.len(), (0, 0));
        let state = &mut states[dev as usize];
        *state = (state.0 + effect.depth, state.1 + effect.waiting);
        store.events.push(event.time, event, dev, process, effect);
    }
    store
}

/// Notes the depth and waiting of every device at the start of a block of events.
fn checkpoint(store: &mut Store, states: &mut [(i32, i32)]) {
    if store.events.len().is_multiple_of(BLOCK) {
        let block = (store.events.len() / BLOCK) as u32;
        store.devices.iter_mut().zip(states).for_each(|(d, s)| d.checkpoints.push((block, s.0, s.1)));
    }
}

fn row(event: &Event, device: u32, process: u32) -> Row {
    Row {
        start: event.time,
        sector: event.sector,
        bytes: event.bytes,
        flags: event.flags,
        process,
        device,
        submit_cpu: event.cpu,
        ..Row::default()
    }
}

fn device(store: &mut Store, number: DeviceNumber) -> u32 {
    let found = store.devices.iter().position(|d| d.number == number);
    found.unwrap_or_else(|| {
        store.devices.push(Device { number, name: number.to_string(), ..Device::default() });
        store.devices.len() - 1
    }) as u32
}

fn process(store: &mut Store, pid: u32) -> u32 {
    let found = store.processes.iter().position(|p| p.pid == pid);
    found.unwrap_or_else(|| {
        store.processes.push(Process { pid, ..Process::default() });
        store.processes.len() - 1
    }) as u32
}

fn parse(line: &str) -> Event {
    let mut words = line.split_whitespace();
    let time = words.next().unwrap().parse().unwrap();
    let letters = words.next().unwrap();
    let action = Action::ALL.into_iter().find(|a| a.letters() == letters).unwrap();
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
        detail: Detail::None,
    };
    for word in words {
        match word.split_once('=') {
            None => event.flags = flags(word),
            Some(("dev", v)) => event.device = number(v.parse().unwrap()),
            Some(("pid", v)) => event.pid = v.parse().unwrap(),
            Some(("cpu", v)) => event.cpu = v.parse().unwrap(),
            Some(("from", v)) => {
                let (dev, sector) = v.split_once(':').unwrap();
                event.detail =
                    Detail::Remap { from: number(dev.parse().unwrap()), to: event.device, sector: sector.parse().unwrap() };
            }
            Some(("split", v)) => event.detail = Detail::Split(v.parse().unwrap()),
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
