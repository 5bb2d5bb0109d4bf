//! `TraceBuilder`: from the bytes of a trace's files to its store. The caller feeds bytes; the
//! builder has each file decode them into its pipeline, and ends the trace step by step.

mod assembly;
mod blocks;
mod cpus;
mod describe;
mod files;
mod lanes;
mod live;
mod notes;
mod nothing;
mod notices;
mod part;
mod pipeline;
mod problems;
mod room;
mod section;
mod sink;

pub use files::TraceFile;
use files::{FilePiece, OpenFile, OpenFiles};
pub use live::LiveStatus;
use notes::TraceNotes;
use notices::Notices;
use pipeline::Pipeline;
pub use section::SectionBegin;
use seekscope_error::Error;
use seekscope_formats::LostSpan;
use seekscope_formats::blktrace::MIN_RECORD_BYTES;
use seekscope_trace::order::{ClockSteps, PATIENCE, SequenceGap};
use seekscope_trace::store::{ClockDoubt, Store};
use sink::TraceFileSink;

/// Bytes to feed at a time: at most as many as fit into the cache of a core, at least what is worth
/// a call.
const PIECE: std::ops::RangeInclusive<usize> = 4 << 10..=1 << 20;

/// Takes the files of one trace, in pieces of any size and any order, and builds its store.
#[derive(Clone, Debug)]
pub struct TraceBuilder {
    files: OpenFiles,
    notices: Notices,
    notes: TraceNotes,
    pipeline: Pipeline,
}

impl TraceBuilder {
    pub fn new(name: &str, label: &str, parts: Vec<TraceFile>) -> TraceBuilder {
        let store = Store {
            name: name.to_owned(),
            label: label.to_owned(),
            ..Store::default()
        };
        TraceBuilder {
            pipeline: Pipeline::new(parts.len(), store),
            files: OpenFiles::new(parts),
            notices: Notices::default(),
            notes: TraceNotes::default(),
        }
    }

    fn store(&self) -> &Store {
        &self.pipeline.assembly.store
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
            self.pipeline.order.hungry()
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
            self.pipeline.order.close(file);
            self.release();
        }
    }

    fn take(&mut self, file: usize, piece: FilePiece<'_>) {
        let Some(OpenFile {
            decoder, devices, ..
        }) = self.files.get_mut(file)
        else {
            return;
        };
        let mut sink = TraceFileSink {
            file,
            devices,
            notices: &mut self.notices,
            pipeline: &mut self.pipeline,
        };
        match piece {
            FilePiece::Bytes(bytes) => decoder.feed(bytes, &mut sink),
            FilePiece::Pause(following) => decoder.settle(following, &mut sink),
            FilePiece::End => decoder.finish(&mut sink),
        }
        self.release();
    }

    fn release(&mut self) {
        self.pipeline.release(self.notes.have_zones());
    }

    /// Everything read so far, for provisional charts.
    pub fn partial(&mut self) -> &Store {
        let assembly = &mut self.pipeline.assembly;
        assembly.lifecycle.describe(&mut assembly.store);
        self.describe();
        self.store()
    }

    /// Closes all files and returns the complete trace.
    ///
    /// # Errors
    /// If no file has an event: empty files, other content, an unsupported version, notify records
    /// only.
    pub fn finish(mut self) -> Result<Store, Error> {
        self.close_all();
        self.settle_live();
        self.pipeline.sort_stash();
        self.size_commands();
        self.pair_appends();
        self.end_lifecycle();
        self.describe();
        self.describe_disks();
        self.assess();
        self.shift_origin();
        self.into_store()
    }

    fn close_all(&mut self) {
        for file in 0..self.files.len() {
            self.close(file);
        }
    }

    /// Ends what is in flight, where no gap is to blame, and adds the devices without events.
    fn end_lifecycle(&mut self) {
        // The gaps are those of the window that was asked for.
        let gaps = self.all_gaps();
        self.pipeline.end_part();
        let assembly = &mut self.pipeline.assembly;
        assembly.lifecycle.finish(&mut assembly.store, &gaps);
        assembly
            .lifecycle
            .idle(&mut assembly.store, self.notices.recorded());
    }

    /// The gaps in the sequence numbers, and those that files report, within the window.
    fn all_gaps(&self) -> Vec<SequenceGap> {
        let devices = &self.store().devices;
        let on_each_device = |&LostSpan {
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
        let reported = self
            .files
            .reports()
            .flat_map(|report| &report.lost_spans)
            .flat_map(on_each_device)
            .filter(|gap| self.pipeline.is_in_window(gap));
        self.pipeline.gaps().copied().chain(reported).collect()
    }

    /// Adds what is known of each disk by the names that the devices have now.
    fn describe_disks(&mut self) {
        let (blocks, lanes) = (self.find_blocks(), self.lanes());
        let store = &mut self.pipeline.assembly.store;
        store.quality.logical_blocks = blocks;
        store.lanes = lanes;
        self.notes.place_zones(&mut store.devices);
    }

    /// Steps of the clocks of all files.
    fn clock_steps(&self) -> impl Iterator<Item = &ClockSteps> {
        (0..self.files.len()).flat_map(|file| self.pipeline.order.steps(file))
    }

    /// Says how far the trace can be trusted.
    fn assess(&mut self) {
        let steps = self.clock_steps().map(|s| (s.cpu, s.count, s.largest));
        let clock = ClockDoubt::from_steps(steps);
        let mut warnings = self.warnings();
        let store = &mut self.pipeline.assembly.store;
        store.quality.clock = clock;
        store.quality.warnings.append(&mut warnings);
        store.complete = true;
    }

    /// Moves the begin of the trace back by what decoders have moved their times on.
    fn shift_origin(&mut self) {
        let shift = self.files.reports().map(|report| report.time_shift).max();
        let origin = &mut self.pipeline.assembly.store.origin;
        *origin = origin.saturating_sub(shift.unwrap_or(0));
    }

    fn into_store(self) -> Result<Store, Error> {
        if self.store().events.is_empty() {
            Err(self.nothing().into())
        } else {
            Ok(self.pipeline.assembly.store)
        }
    }
}
