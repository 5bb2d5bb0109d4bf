//! `TraceBuilder`: from the bytes of a trace's files to its store. The caller feeds bytes; the
//! builder moves them through `format`, `order` and `lifecycle`.

mod append;
mod blocks;
mod cpus;
mod describe;
mod lanes;
mod live;
mod part;
mod problems;
mod room;
mod section;
mod sink;
mod zones;

use crate::bounds::Bounds;
use append::append;
pub use live::LiveStatus;
use room::Room;
use rustc_hash::FxHashMap;
pub use section::SectionBegin;
use seekscope_error::{Error, Problem};
use seekscope_formats::blktrace::MIN_RECORD_BYTES;
use seekscope_formats::text::blkparse::pattern::Pattern;
use seekscope_formats::{Decoder, LostSpan, NumberOutliers};
use seekscope_notes::{BlockNote, TracerDrops, ZoneNote};
use seekscope_trace::event::{Action, DeviceNumber};
use seekscope_trace::lifecycle::Lifecycle;
use seekscope_trace::order::{Order, OrderedItem, PATIENCE, SequenceGap, sort};
use seekscope_trace::plugs::Plugs;
use seekscope_trace::replay::stored_items;
use seekscope_trace::store::{ClockDoubt, Store};
use serde::{Deserialize, Serialize};
use sink::TraceFileSink;

/// Bytes to feed at a time: at most as many as fit into the cache of a core, at least what is worth
/// a call.
const PIECE: std::ops::RangeInclusive<usize> = 4 << 10..=1 << 20;

/// Devices without events that are listed, at most.
const MAX_IDLE_DEVICES: usize = 256;

#[derive(Clone, Debug, Default)]
pub struct TraceFile {
    /// Name as given; for messages, and to find the device's name.
    pub name: String,
    /// Size in bytes; 0 if it is not known.
    pub size: u64,
    /// Format string of `blkparse -f`, if the reader gave one.
    pub pattern: Option<String>,
}

/// First and last name of a task, with their times.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct TaskNames {
    first: (u64, Vec<u8>),
    last: (u64, Vec<u8>),
}

#[derive(Clone, Debug)]
struct OpenFile {
    /// The CPU that the name of the file names.
    cpu: Option<u32>,
    part: TraceFile,
    decoder: Decoder,
    /// Device of its events: `None` before the first, `Some(None)` if there are several.
    device: Option<Option<DeviceNumber>>,
    /// Device of its notify records, likewise: for devices without events.
    noted: Option<Option<DeviceNumber>>,
}

/// The next piece of a file.
enum FilePiece<'a> {
    Bytes(&'a [u8]),
    /// Nothing for the time being; the last byte was the end of a record, and these are the next
    /// ones.
    Pause(&'a [u8]),
    End,
}

/// Takes the files of one trace, in pieces of any size and any order, and builds its store.
#[derive(Clone, Debug)]
pub struct TraceBuilder {
    files: Vec<OpenFile>,
    /// Why the format string of `blkparse -f` cannot be used.
    bad_pattern: Option<Problem>,
    bounds: Bounds,
    order: Order,
    lifecycle: Lifecycle,
    plugs: Plugs,
    store: Store,
    started: bool,
    names: FxHashMap<u32, TaskNames>,
    /// Names of devices, if the format has them.
    device_names: FxHashMap<DeviceNumber, String>,
    /// Trace clock and wall clock of the earliest TIMESTAMP.
    anchor: Option<(u64, u64)>,
    /// Devices whose tracer wrote a TIMESTAMP: those that were recorded, even if nothing used them.
    recorded: Vec<DeviceNumber>,
    /// Drops that the tracer's log reports.
    logged: Option<TracerDrops>,
    /// Kernel release that a note names.
    kernel: Option<String>,
    /// Zone sizes that notes name.
    zones: Vec<ZoneNote>,
    /// Sizes of logical blocks, from the notes.
    blocks: Vec<BlockNote>,
    /// Commands that were left out when the sizes of blocks were known.
    scaled_outliers: Option<NumberOutliers>,
    /// The rows that still have room in memory.
    room: Room,
    /// An event after the window was in turn: no file has more of it.
    passed: bool,
}

impl TraceBuilder {
    pub fn new(name: &str, label: &str, parts: Vec<TraceFile>) -> TraceBuilder {
        let order = Order::new(parts.len());
        let mut bad_pattern = None;
        let files = parts
            .into_iter()
            .map(|part| OpenFile {
                cpu: cpus::cpu_of(&part.name),
                decoder: decoder(&part, &mut bad_pattern),
                part,
                device: None,
                noted: None,
            })
            .collect();
        let store = Store {
            name: name.to_owned(),
            label: label.to_owned(),
            ..Store::default()
        };
        TraceBuilder {
            files,
            bad_pattern,
            bounds: Bounds::default(),
            order,
            lifecycle: Lifecycle::default(),
            plugs: Plugs::default(),
            store,
            started: false,
            names: FxHashMap::default(),
            device_names: FxHashMap::default(),
            anchor: None,
            recorded: Vec::new(),
            logged: None,
            kernel: None,
            zones: Vec::new(),
            blocks: Vec::new(),
            scaled_outliers: None,
            room: Room::default(),
            passed: false,
        }
    }

    /// Builds the store of a trace whose files are all in memory.
    ///
    /// # Errors
    /// As [`TraceBuilder::finish`].
    pub fn read(name: &str, files: &[(&str, &[u8])]) -> Result<Store, Error> {
        let parts = files.iter().map(|(name, data)| TraceFile {
            name: (*name).to_owned(),
            size: data.len() as u64,
            ..TraceFile::default()
        });
        let mut builder = TraceBuilder::new(name, name, parts.collect());
        let mut rest: Vec<&[u8]> = files.iter().map(|f| f.1).collect();
        let most = builder.piece();
        while let Some(i) = builder.hungry() {
            let (piece, left) = rest[i].split_at(rest[i].len().min(most));
            builder.feed(i, piece);
            rest[i] = left;
            if left.is_empty() {
                builder.close(i);
            }
        }
        builder.finish()
    }

    /// The file that should be fed next; `None` when all are closed or what is left is not read.
    /// Feeding another file works but buffers more.
    pub fn hungry(&self) -> Option<usize> {
        if self.stopped() {
            None
        } else {
            self.order.hungry()
        }
    }

    /// Bytes that should be fed at a time. Of many files, less of each: the items that wait for
    /// other files are few enough to be merged.
    pub fn piece(&self) -> usize {
        let items = PATIENCE / 2 / self.files.len().max(1);
        (items * MIN_RECORD_BYTES).clamp(*PIECE.start(), *PIECE.end())
    }

    /// Takes the next bytes of file `file`; bytes for a file that does not exist are ignored.
    pub fn feed(&mut self, file: usize, bytes: &[u8]) {
        self.take(file, FilePiece::Bytes(bytes));
        let refuses = |f: &mut OpenFile| f.decoder.refuses(f.part.size);
        if self.files.get_mut(file).is_some_and(refuses) {
            self.close(file);
        }
    }

    /// Ends file `file`.
    pub fn close(&mut self, file: usize) {
        // Where reading stopped early, the last record may be cut through no fault of the file.
        if file < self.files.len() && !self.stopped() {
            self.take(file, FilePiece::End);
            self.order.close(file);
            self.release();
        }
    }

    fn take(&mut self, file: usize, piece: FilePiece<'_>) {
        let Some(f) = self.files.get_mut(file) else {
            return;
        };
        let mut sink = TraceFileSink {
            file,
            bounds: &mut self.bounds,
            order: &mut self.order,
            store: &mut self.store,
            names: &mut self.names,
            anchor: &mut self.anchor,
            device: &mut f.device,
            noted: &mut f.noted,
            device_names: &mut self.device_names,
            recorded: &mut self.recorded,
        };
        match piece {
            FilePiece::Bytes(bytes) => f.decoder.feed(bytes, &mut sink),
            FilePiece::Pause(following) => f.decoder.settle(following, &mut sink),
            FilePiece::End => f.decoder.finish(&mut sink),
        }
        self.release();
    }

    fn release(&mut self) {
        if !self.makes_room() {
            return;
        }
        let (lifecycle, plugs, store, started) = (
            &mut self.lifecycle,
            &mut self.plugs,
            &mut self.store,
            &mut self.started,
        );
        let passed = &mut self.passed;
        self.order
            .release(|item| *passed |= append(lifecycle, plugs, store, started, item));
        self.recant_plugs();
    }

    /// Everything read so far, for provisional charts.
    pub fn partial(&mut self) -> &Store {
        self.lifecycle.describe(&mut self.store);
        self.describe();
        &self.store
    }

    /// Closes all files and returns the complete trace.
    ///
    /// # Errors
    /// If no file has an event: empty files, other content, an unsupported version, notify records
    /// only.
    pub fn finish(mut self) -> Result<Store, Error> {
        for file in 0..self.files.len() {
            self.close(file);
        }
        self.settle_live();
        if let Some(stash) = self.order.take_stash() {
            let mut items = stored_items(&self.store);
            items.extend(stash);
            items.extend(self.plugs.drain().map(OrderedItem::Event));
            sort(&mut items);
            self.move_origin(items.first());
            self.rebuild(&items);
            self.recant_plugs();
        }
        self.size_commands();
        self.pair_appends();
        let lost = self
            .files
            .iter()
            .flat_map(|f| &f.decoder.report().lost_spans);
        let devices = &self.store.devices;
        let of_all = |&LostSpan {
                          cpu,
                          from,
                          to,
                          events,
                      }: &LostSpan| {
            devices.iter().map(move |d| SequenceGap {
                cpu,
                device: d.number,
                from,
                to,
                events,
            })
        };
        let within = |gap: &SequenceGap| {
            self.store
                .window
                .is_none_or(|part| part.meets(gap.from, gap.to, self.store.origin))
        };
        let gaps: Vec<SequenceGap> = self
            .order
            .gaps()
            .copied()
            .chain(lost.flat_map(of_all))
            .filter(within)
            .collect();
        self.end_part();
        self.lifecycle.finish(&mut self.store, &gaps);
        self.lifecycle.idle(&mut self.store, &self.recorded);
        self.describe();
        self.store.quality.logical_blocks = self.find_blocks();
        self.store.lanes = self.lanes();
        self.note_zones();
        let steps = (0..self.files.len()).flat_map(|file| self.order.steps(file));
        self.store.quality.clock =
            ClockDoubt::from_steps(steps.map(|s| (s.cpu, s.count, s.largest)));
        self.store.complete = true;
        let mut warnings = self.warnings();
        self.store.quality.warnings.append(&mut warnings);
        let shift = self.files.iter().map(|f| f.decoder.report().time_shift);
        let origin = self.store.origin;
        self.store.origin = origin.saturating_sub(shift.max().unwrap_or(0));
        if self.store.events.is_empty() {
            Err(self.nothing().into())
        } else {
            Ok(self.store)
        }
    }

    /// Stores all items again, in the order of a sort instead of a merge.
    fn rebuild(&mut self, items: &[OrderedItem]) {
        let lifecycle = Lifecycle::with_zones(&self.store);
        let old = std::mem::take(&mut self.store);
        // The first event of the recording may be outside of the window.
        self.started &= old.window.is_some();
        self.store = Store {
            name: old.name,
            label: old.label,
            window: old.window,
            origin: old.origin,
            ..Store::default()
        };
        self.store.messages.text = old.messages.text;
        self.store.commands = old.commands;
        self.lifecycle = lifecycle;
        for item in items {
            self.passed |= append(
                &mut self.lifecycle,
                &mut self.plugs,
                &mut self.store,
                &mut self.started,
                item.as_ref(),
            );
        }
    }

    /// Removes plugs that were assigned to the only device when a second one appears.
    fn recant_plugs(&mut self) {
        if self.plugs.recant(&self.store.devices) {
            let mut items = stored_items(&self.store);
            items.retain(|item| !matches!(item, OrderedItem::Event(e) if is_plug(e.action)));
            self.rebuild(&items);
        }
    }
}

fn decoder(part: &TraceFile, bad_pattern: &mut Option<Problem>) -> Decoder {
    match part.pattern.as_deref().map(Pattern::new) {
        None => Decoder::new(),
        Some(Ok(pattern)) => Decoder::with_pattern(pattern),
        Some(Err(reason)) => {
            *bad_pattern = Some(Problem::BadPattern {
                file: part.name.clone(),
                reason,
            });
            Decoder::new()
        }
    }
}

impl TaskNames {
    fn note(&mut self, name: (u64, Vec<u8>)) {
        if name.0 < self.first.0 {
            self.first.clone_from(&name);
        }
        if name > self.last {
            self.last = name;
        }
    }
}

/// Adds a device that was recorded, even if nothing used it.
fn note_recorded(recorded: &mut Vec<DeviceNumber>, number: DeviceNumber) {
    if number != DeviceNumber::NONE
        && recorded.len() < MAX_IDLE_DEVICES
        && !recorded.contains(&number)
    {
        recorded.push(number);
    }
}

/// Follows whether a file's events are all of one device.
fn note_device(device: &mut Option<Option<DeviceNumber>>, number: DeviceNumber) {
    match device {
        _ if number == DeviceNumber::NONE => {}
        None => *device = Some(Some(number)),
        Some(Some(first)) if *first != number => *device = Some(None),
        Some(_) => {}
    }
}

fn is_plug(action: Action) -> bool {
    matches!(action, Action::Plug | Action::Unplug | Action::UnplugTimer)
}
