//! A recording of blktrace in sections that are read by several workers at once. Each worker reads
//! a little before its section, to learn what is in flight where the section begins. The worker of
//! the section before ends in some state; if that is the state in which this section began, both
//! are joined, and the result is to the last digit that of one worker. Otherwise, or where anything
//! is unusual, the first worker reads the section itself.
//!
//! Correctness does not depend on how much is read in advance, only on the comparison of the two
//! states (`lifecycle/seam.rs`, `order/seam.rs`): a wrong guess costs time, not truth. So
//! everything that influences what comes after a byte has to be in `SectionFile`, `FileStreams` or
//! `Seam`, and has to be compared in `join_section`. Recordings with more such state (time windows,
//! damage, steps of a clock) are not joined.
//!
//! A section travels between workers as `postcard` bytes of one build; the layout is not kept
//! stable.

use super::TraceBuilder;
use super::assembly::Assembly;
use super::files::{FileDevices, FilePiece, OpenFile, OpenFiles};
use super::notices::Notices;
use super::pipeline::Pipeline;
use seekscope_formats::blktrace::{BlktraceDecoder, Endian, EventTime};
use seekscope_formats::{Decoder, Report};
use seekscope_trace::lifecycle::{Lifecycle, Seam};
use seekscope_trace::order::FileStreams;
use seekscope_trace::store::{Device, Events, Messages, Process, Requests, Store};
use serde::{Deserialize, Serialize};

/// What a section read of one file.
#[derive(Serialize, Deserialize)]
struct SectionFile {
    records: u64,
    /// The format of its records and whether they are big-endian; `None` without records.
    layout: Option<(String, bool)>,
    /// The byte after the last one that was read.
    end: u64,
    /// The time of its last event.
    last: Option<EventTime>,
    truncated: Option<(u64, u64, u64)>,
    devices: FileDevices,
}

/// The state and the latest time before a section.
#[derive(Debug)]
pub struct SectionBegin {
    seam: Seam,
    after: u64,
}

/// A section that was read, on its way to the worker with those before it.
#[derive(Serialize, Deserialize)]
struct ReadSection {
    origin: u64,
    /// Time of its first event or message.
    first: Option<u64>,
    seam: Seam,
    files: Vec<SectionFile>,
    streams: Vec<FileStreams>,
    lifecycle: Lifecycle,
    events: Events,
    requests: Requests,
    messages: Messages,
    commands: Vec<u8>,
    devices: Vec<Device>,
    processes: Vec<Process>,
    notices: Notices,
    seen: [Vec<u32>; 3],
}

impl SectionFile {
    fn new(file: &OpenFile) -> SectionFile {
        let report = file.decoder.report();
        SectionFile {
            records: report.records,
            layout: file.layout(),
            end: file.decoder.taken(),
            last: file.last(),
            truncated: report.truncated,
            devices: file.devices,
        }
    }
}

impl ReadSection {
    fn bytes(&self) -> Vec<u8> {
        let room =
            self.events.memory() + self.requests.memory() + self.messages.text.len() + (1 << 16);
        postcard::to_extend(self, Vec::with_capacity(room)).unwrap_or_default()
    }
}

/// A report of nothing unusual: records, and perhaps one that is cut at the end.
fn is_plain(report: &Report) -> bool {
    let &Report {
        records,
        ref formats,
        truncated,
        ..
    } = report;
    formats.len() <= 1
        && *report
            == Report {
                records,
                formats: formats.clone(),
                truncated,
                ..Report::default()
            }
}

impl OpenFile {
    fn layout(&self) -> Option<(String, bool)> {
        let Decoder::Blktrace(decoder) = &self.decoder else {
            return None;
        };
        Some((
            decoder.report().formats.first().copied()?.to_owned(),
            decoder.endian()? == Endian::Big,
        ))
    }

    fn last(&self) -> Option<EventTime> {
        if let Decoder::Blktrace(decoder) = &self.decoder {
            decoder.last()
        } else {
            None
        }
    }

    /// Whether it is one of blktrace without anything unusual, and was read up to the end of a
    /// record.
    fn is_plain(&self) -> bool {
        match &self.decoder {
            Decoder::Blktrace(decoder) => {
                decoder.is_between_records() && is_plain(decoder.report())
            }
            Decoder::Undecided(_) => self.decoder.taken() == 0,
            _ => false,
        }
    }

    /// Adds what a section read of it.
    fn join(&mut self, next: SectionFile) {
        if let Decoder::Undecided(_) = self.decoder {
            self.decoder = Decoder::Blktrace(BlktraceDecoder::default());
        }
        if let Decoder::Blktrace(decoder) = &mut self.decoder {
            decoder.join(next.end, next.last, next.records, next.truncated);
        }
        self.devices.join(next.devices);
    }
}

impl TraceBuilder {
    /// Takes no more of a file for the time being, at the end of a record; `following` are the next
    /// [`FOLLOWING`](seekscope_formats::blktrace::FOLLOWING) bytes.
    pub fn pause(&mut self, file: usize, following: &[u8]) {
        if file < self.files.len() && !self.stopped() {
            self.take(file, FilePiece::Pause(following));
            self.pipeline.order.pause(file);
        }
    }

    /// Ends the pause of all files.
    pub fn resume(&mut self) {
        self.pipeline.order.resume();
    }

    /// Begins a section, of each file from a byte on: everything before was read and all files were
    /// paused. `None` if what follows could not be joined.
    pub fn begin_section(&mut self, places: &[u64]) -> Option<SectionBegin> {
        if !self.is_steady() || places.len() != self.files.len() {
            return None;
        }
        let pipeline = &mut self.pipeline;
        pipeline.drain();
        let Assembly {
            lifecycle, store, ..
        } = &mut pipeline.assembly;
        let seam = lifecycle.begin(store)?;
        pipeline.order.begin();

        for (file, &place) in self.files.iter_mut().zip(places) {
            file.decoder = Decoder::Blktrace(BlktraceDecoder::starting_at(place, file.last()));
        }
        self.resume();
        Some(SectionBegin {
            seam,
            after: self.pipeline.order.last(),
        })
    }

    /// Reads as if the first item of the recording had been at `origin`, of the trace clock.
    #[must_use]
    pub fn with_origin(mut self, origin: u64) -> TraceBuilder {
        self.pipeline.assembly.begin_at(origin);
        self.pipeline.bounds.begin_at(origin);
        self
    }

    /// The section for [`TraceBuilder::join`] of another worker, after all of its files were paused
    /// or closed; `None` if it cannot be joined. `until` is the time of the next one.
    pub fn into_section(
        mut self,
        SectionBegin { seam, after }: SectionBegin,
        until: Option<u64>,
    ) -> Option<Vec<u8>> {
        if !self.is_steady() || until.is_some_and(|until| self.pipeline.order.last() >= until) {
            return None;
        }
        self.pipeline.drain();
        let TraceBuilder {
            files,
            notices,
            pipeline,
            ..
        } = self;
        let Pipeline {
            bounds,
            order,
            assembly: Assembly {
                lifecycle, store, ..
            },
            ..
        } = pipeline;
        let first = store.first();
        if first.is_some_and(|first| first <= after.saturating_sub(store.origin)) {
            return None;
        }
        let Store {
            origin,
            events,
            requests,
            messages,
            commands,
            devices,
            processes,
            ..
        } = store;
        let section = ReadSection {
            origin,
            first,
            seam,
            files: files.iter().map(SectionFile::new).collect(),
            streams: order.into_streams(),
            lifecycle,
            events,
            requests,
            messages,
            commands,
            devices,
            processes,
            notices,
            seen: bounds.into_seen(),
        };
        Some(section.bytes())
    }

    /// Joins the section that follows, after all files were paused. `false` if it does not begin as
    /// this one ends; then nothing has changed, and the section can be read here after
    /// [`TraceBuilder::resume`].
    pub fn join(&mut self, section: &[u8]) -> bool {
        let Pipeline { room, assembly, .. } = &self.pipeline;
        // It is in memory as it came, as it is read, and among the rows.
        room.has_room_for(2 * section.len(), &assembly.store)
            && postcard::from_bytes(section).is_ok_and(|section| self.join_section(section))
    }

    fn join_section(&mut self, section: ReadSection) -> bool {
        let fits = self.is_steady()
            && self.files.continue_in(&section.files)
            && self.pipeline.can_join(&section);
        if !fits {
            return false;
        }
        let ReadSection {
            origin,
            seam,
            files,
            streams,
            lifecycle,
            events,
            requests,
            messages,
            commands,
            devices,
            processes,
            notices,
            seen,
            ..
        } = section;
        let read = Store {
            events,
            requests,
            messages,
            commands,
            devices,
            processes,
            ..Store::default()
        };
        // Everything that waits is earlier than what comes.
        self.pipeline.drain();
        let assembly = &mut self.pipeline.assembly;
        if !assembly.started || origin != assembly.store.origin {
            return false;
        }
        if !assembly
            .lifecycle
            .join(&mut assembly.store, &seam, lifecycle, read)
        {
            return false;
        }
        self.pipeline.order.join(streams);
        self.pipeline.bounds.join(seen);
        for (file, next) in self.files.iter_mut().zip(files) {
            file.join(next);
        }
        self.notices.join(notices);
        true
    }

    /// Whether everything so far was in order, and of blktrace.
    fn is_steady(&self) -> bool {
        self.pipeline.is_steady() && self.files.iter().all(OpenFile::is_plain)
    }
}

impl Pipeline {
    /// Whether a section begins after what was read, and can be kept.
    fn can_join(&self, section: &ReadSection) -> bool {
        let begin = section
            .first
            .map(|first| section.origin.saturating_add(first));
        self.assembly.store.window.is_none()
            && begin.is_none_or(|begin| self.order.last() < begin)
            && self.order.continues(&section.streams)
            && self.bounds.has_room(&section.seen)
    }
}

impl OpenFiles {
    /// Whether the files of a section continue these.
    fn continue_in(&self, section: &[SectionFile]) -> bool {
        let layouts: Vec<_> = self.iter().map(OpenFile::layout).collect();
        let continues = |(file, next): (&OpenFile, &SectionFile)| {
            let is_same_layout = file
                .layout()
                .is_none_or(|layout| Some(layout) == next.layout)
                && layouts.contains(&next.layout);
            file.decoder.report().truncated.is_none() && (next.layout.is_none() || is_same_layout)
        };
        self.len() == section.len() && self.iter().zip(section).all(continues)
    }
}
