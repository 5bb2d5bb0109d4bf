//! One trace: first a builder that takes bytes, then a store. It answers queries in both states.

use seekscope_core::beside::FilesBeside;
use seekscope_core::builder::{LiveStatus, SectionBegin, TraceBuilder, TraceFile};
use seekscope_core::error::Problem;
use seekscope_core::format::blktrace::FOLLOWING;
use seekscope_core::json;
use seekscope_core::notes::{BlockNote, TracerDrops, ZoneNote};
use seekscope_core::plot::{
    self, Answer, BadQuery, Index, InfoCounter, IntoAnswer, TraceInfo, View,
};
use seekscope_core::protocol::Ns;
use seekscope_core::report::{blkparse_summary, blkparse_text, btt_each, btt_text};
use seekscope_core::snapshot;
use seekscope_core::store::{Store, TimeWindow};
use seekscope_javascript::value;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A file of a trace.
#[derive(Deserialize)]
pub struct TraceFileParams {
    name: String,
    #[serde(default)]
    size: u64,
    /// Format of `blkparse -f` in which it may be printed.
    pattern: Option<String>,
}

/// What is known of a trace before it is read.
#[derive(Deserialize)]
pub struct OpenTraceParams {
    name: String,
    label: String,
    parts: Vec<TraceFileParams>,
    /// Events that the tracer's log counts as dropped.
    #[serde(default)]
    dropped: Option<TracerDrops>,
    /// Release of the kernel, from the notes.
    kernel: Option<String>,
    #[serde(default)]
    zones: Vec<ZoneNote>,
    #[serde(default)]
    blocks: Vec<BlockNote>,
    /// The part to read; absent: all.
    window: Option<TimeWindow>,
    /// Maximum memory, bytes; absent: what a WebAssembly memory holds.
    capacity: Option<usize>,
    /// Time 0 of a section, which does not contain the begin of the recording.
    origin: Option<DecimalTime>,
    live: Option<LiveParams>,
}

/// Parameters of a recording that is still being written.
#[derive(Deserialize)]
pub struct LiveParams {
    /// Items are stored when they are so much older than the latest one, ns.
    lag_ns: u64,
}

/// ns of the trace clock in decimal digits: they may be more than a number of JavaScript holds.
#[derive(Deserialize)]
pub struct DecimalTime(String);

/// How far the engine is with a stream; times since its first event.
#[derive(Serialize)]
struct EngineLiveStatus {
    /// Time 0 on the trace clock, in decimal digits.
    origin: String,
    /// Time of the latest event that is shown.
    shown_ns: Ns,
    /// Time of the latest event that has arrived.
    latest_ns: Ns,
    /// Events are shown when they are so much older than the latest one: buffers of CPUs arrive one
    /// after another.
    lag_ns: Ns,
    /// Events that have arrived and are not shown yet.
    waiting: usize,
    /// Events that arrived later than the lag and are left out until the stream ends.
    late: u64,
    lateness_ns: Ns,
    /// Lost events, by gaps in the sequence numbers.
    lost: u64,
    /// Backward steps of clocks.
    steps: u64,
    largest_step_ns: Ns,
    skipped_bytes: u64,
    events: usize,
    messages: usize,
    full: bool,
}

/// Memory of the tables of a trace.
#[derive(Serialize)]
struct TraceMemory {
    events: TableMemory,
    /// The table of requests, with the index of the trace.
    requests: TableMemory,
}

#[derive(Serialize)]
struct TableMemory {
    rows: usize,
    bytes: usize,
}

enum TraceState {
    Reading(Box<TraceBuilder>),
    Complete(Box<Store>),
}

/// A trace that is being read, or is complete.
#[wasm_bindgen]
pub struct Trace {
    state: TraceState,
    info: InfoCounter,
    index: Index,
    beside: FilesBeside,
    section: Option<SectionBegin>,
}

#[wasm_bindgen]
impl Trace {
    /// `opening` is JSON: `{name, label, parts: [{name, size, pattern?}], dropped?: {events, file},
    /// kernel?, zones?, blocks?, window?: {from_ns?, to_ns?}, capacity?, origin?, live?:
    /// {lag_ns}}`, `dropped` by the tracer's log, `kernel` by any note, `capacity` in bytes,
    /// `origin`, of a section, the time of the recording's first item in decimal digits.
    #[wasm_bindgen(constructor)]
    pub fn new(opening: &str) -> Result<Trace, JsValue> {
        let OpenTraceParams {
            name,
            label,
            parts,
            dropped,
            kernel,
            zones,
            blocks,
            window,
            capacity,
            origin,
            live,
        } = value::read(opening)?;
        let parts = parts
            .into_iter()
            .map(|p| TraceFile {
                name: p.name,
                size: p.size,
                pattern: p.pattern,
            })
            .collect();
        let mut builder = TraceBuilder::new(&name, &label, parts)
            .with_dropped(dropped)
            .with_kernel(kernel)
            .with_zones(zones)
            .with_blocks(blocks)
            .with_window(window)
            .with_capacity(capacity);
        if let Some(DecimalTime(origin)) = origin {
            builder = builder.with_origin(
                origin
                    .parse()
                    .map_err(|e| value::bad_query(BadQuery::new(e)))?,
            );
        }
        if let Some(LiveParams { lag_ns }) = live {
            builder = builder.following(lag_ns);
        }
        let state = TraceState::Reading(Box::new(builder));
        let (info, index, beside) = Default::default();
        Ok(Trace {
            state,
            info,
            index,
            beside,
            section: None,
        })
    }

    /// The file whose next bytes are needed; `undefined` when all are closed.
    pub fn hungry(&self) -> Option<usize> {
        match &self.state {
            TraceState::Reading(builder) => builder.hungry(),
            TraceState::Complete(_) => None,
        }
    }

    /// Number of bytes to feed at once.
    #[wasm_bindgen(js_name = pieceBytes)]
    pub fn piece_bytes(&self) -> usize {
        match &self.state {
            TraceState::Reading(builder) => builder.piece(),
            TraceState::Complete(_) => 0,
        }
    }

    /// Number of bytes after the place where a file is paused that `pause` must get.
    #[wasm_bindgen(js_name = followingBytes)]
    pub fn following_bytes(&self) -> usize {
        FOLLOWING
    }

    /// Takes the next bytes of a file.
    pub fn feed(&mut self, part: usize, bytes: &[u8]) {
        if let TraceState::Reading(builder) = &mut self.state {
            builder.feed(part, bytes);
        }
    }

    /// Ends a file.
    pub fn close(&mut self, part: usize) {
        if let TraceState::Reading(builder) = &mut self.state {
            builder.close(part);
        }
    }

    /// Takes no more of a file for the time being, at the end of a record; `following` are the next
    /// `followingBytes()`.
    pub fn pause(&mut self, part: usize, following: &[u8]) {
        if let TraceState::Reading(builder) = &mut self.state {
            builder.pause(part, following);
        }
    }

    /// Takes more of all files, after all of them were paused.
    pub fn resume(&mut self) {
        if let TraceState::Reading(builder) = &mut self.state {
            builder.resume();
        }
    }

    /// After what is before a section was read and all files were paused: what follows is the
    /// section, from these bytes of the files on. `false` if it could not be joined.
    #[wasm_bindgen(js_name = beginSection)]
    pub fn begin_section(&mut self, places: &[f64]) -> bool {
        if let TraceState::Reading(builder) = &mut self.state {
            self.section =
                builder.begin_section(&places.iter().map(|&byte| byte as u64).collect::<Vec<_>>());
        }
        self.section.is_some()
    }

    /// The section that was read, for [`Trace::join`] of another engine; the trace is empty then.
    /// `undefined` if it cannot be joined. `until` is the time of the next section, if there is
    /// one.
    #[wasm_bindgen(js_name = takeSection)]
    pub fn take_section(&mut self, until: Option<String>) -> Option<Vec<u8>> {
        let begin = self.section.take()?;
        let until = until.map(|digits| digits.parse().unwrap_or(0));
        match std::mem::replace(&mut self.state, TraceState::Complete(Box::default())) {
            TraceState::Reading(builder) => builder.into_section(begin, until),
            TraceState::Complete(_) => None,
        }
    }

    /// After all files were paused: takes over the section that follows. `false` if it has to be
    /// read here, after [`Trace::resume`].
    pub fn join(&mut self, section: &[u8]) -> bool {
        match &mut self.state {
            TraceState::Reading(builder) => builder.join(section),
            TraceState::Complete(_) => false,
        }
    }

    /// Begins a file next to the trace: its path and first bytes, up to 16 MiB. `true` if the rest
    /// must follow in `feedBeside`, and `closeBeside` after it.
    #[wasm_bindgen(js_name = addBeside)]
    pub fn add_beside(&mut self, file: &str, bytes: &[u8]) -> bool {
        self.beside.add(file, bytes)
    }

    /// Begins a file of the trace itself, which may have events of file systems, too. As
    /// `addBeside` otherwise.
    #[wasm_bindgen(js_name = addTraceText)]
    pub fn add_trace_text(&mut self, file: &str, bytes: &[u8]) -> bool {
        self.beside.add_trace(file, bytes)
    }

    /// Takes the next bytes of the file that `addBeside` began.
    #[wasm_bindgen(js_name = feedBeside)]
    pub fn feed_beside(&mut self, bytes: &[u8]) {
        self.beside.feed(bytes);
    }

    /// Ends the file that `addBeside` began.
    #[wasm_bindgen(js_name = closeBeside)]
    pub fn close_beside(&mut self) {
        self.beside.close();
    }

    /// Forgets the files next to the trace, before they are added again with those that arrived
    /// later.
    #[wasm_bindgen(js_name = restartBeside)]
    pub fn restart_beside(&mut self) {
        self.beside.restart();
    }

    /// Adds what files next to a complete trace say, after all of them were added again.
    #[wasm_bindgen(js_name = placeBeside)]
    pub fn place_beside(&mut self) {
        if let TraceState::Complete(store) = &mut self.state {
            self.beside.place(store);
            self.index = Index::new(store);
        }
    }

    /// Adds a file that has appeared to a recording that is followed. Returns its number.
    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(&mut self, name: &str) -> usize {
        match &mut self.state {
            TraceState::Reading(builder) => builder.add_file(name),
            TraceState::Complete(_) => 0,
        }
    }

    /// Stores all that has arrived of a recording that is followed. To be called when nothing has
    /// arrived for a while: an older event that arrives after this is late, and left out until the
    /// stream ends.
    pub fn settle(&mut self) {
        if let TraceState::Reading(builder) = &mut self.state {
            builder.settle_live();
        }
    }

    /// How far a recording that is followed is.
    #[wasm_bindgen(
        js_name = liveStatus,
        unchecked_return_type = "EngineLiveStatus | undefined"
    )]
    pub fn live_status(&self) -> Result<JsValue, JsValue> {
        let TraceState::Reading(builder) = &self.state else {
            return Ok(JsValue::UNDEFINED);
        };
        let Some(LiveStatus {
            order,
            origin,
            waiting,
            lost,
            steps,
            largest_step,
            skipped,
            full,
        }) = builder.live_status()
        else {
            return Ok(JsValue::UNDEFINED);
        };
        let since = |time: u64| time.saturating_sub(origin);
        let (events, messages) = builder.stored();
        Ok(value::document(&EngineLiveStatus {
            origin: origin.to_string(),
            shown_ns: since(order.emitted),
            latest_ns: since(order.latest),
            lag_ns: order.lag,
            waiting,
            late: order.late,
            lateness_ns: order.lateness,
            lost,
            steps,
            largest_step_ns: largest_step,
            skipped_bytes: skipped,
            events,
            messages,
            full,
        }))
    }

    /// Ends all files. Throws if they contain no event.
    pub fn finish(&mut self) -> Result<(), JsValue> {
        let empty = TraceState::Complete(Box::default());
        match std::mem::replace(&mut self.state, empty) {
            TraceState::Reading(builder) => {
                let mut store = builder.finish().map_err(|e| value::error(&e))?;
                self.beside.finish(&mut store);
                self.index = Index::new(&store);
                self.state = TraceState::Complete(Box::new(store));
            }
            complete => self.state = complete,
        }
        Ok(())
    }

    /// Answers a query of the protocol; while reading, about what has been read. Throws.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn query(&mut self, kind: &str, query: &str) -> Result<JsValue, JsValue> {
        let Trace {
            state,
            info: counter,
            index,
            ..
        } = self;
        let store = match state {
            TraceState::Reading(builder) => builder.partial(),
            TraceState::Complete(store) => store,
        };
        let answer = match kind {
            "info" => Ok(info(counter, store).into_answer()),
            "snapshot" => snapshot(counter, View { store, index }, query),
            _ => plot::answer(View { store, index }, kind, query),
        };
        answer.map(value::answer).map_err(value::bad_query)
    }

    /// The lines that `blkparse -i` prints for `count` events from event `from` on, and for
    /// messages between them: all, or without those that blkparse 1.2.0 drops. `undefined` after
    /// the last event; while reading, of what has been read.
    #[wasm_bindgen(js_name = blkparseText)]
    pub fn blkparse_text(
        &mut self,
        from: usize,
        count: usize,
        all_messages: bool,
    ) -> Option<String> {
        let which = if all_messages {
            blkparse_text::MessageLines::All
        } else {
            blkparse_text::MessageLines::Plain
        };
        let store = match &mut self.state {
            TraceState::Reading(builder) => builder.partial(),
            TraceState::Complete(store) => store,
        };
        blkparse_text::text(store, from, count, which)
    }

    /// btt's main tables, with `all` those of `btt -A`; while reading, of what has been read.
    pub fn btt(&mut self, all: bool) -> String {
        let text = if all { btt_each::all } else { btt_text::text };
        match &mut self.state {
            TraceState::Reading(builder) => text(builder.partial()),
            TraceState::Complete(store) => text(store),
        }
    }

    /// The summary at the end of `blkparse -i`; while reading, of what has been read.
    #[wasm_bindgen(js_name = blkparseSummary)]
    pub fn blkparse_summary(&mut self) -> String {
        match &mut self.state {
            TraceState::Reading(builder) => blkparse_summary::summary(builder.partial()),
            TraceState::Complete(store) => blkparse_summary::summary(store),
        }
    }

    /// `{events, requests}`, each `{rows, bytes}`: bytes of the columns; for requests including the
    /// index of the trace.
    #[wasm_bindgen(unchecked_return_type = "TraceMemory")]
    pub fn memory(&mut self) -> Result<JsValue, JsValue> {
        match &self.state {
            TraceState::Complete(store) => Ok(value::document(&TraceMemory {
                events: TableMemory {
                    rows: store.events.len(),
                    bytes: store.events.memory(),
                },
                requests: TableMemory {
                    rows: store.requests.len(),
                    bytes: store.requests.memory() + self.index.memory(),
                },
            })),
            TraceState::Reading(_) => {
                let what = "memory is counted when the trace is complete".to_owned();
                Err(value::error(&Problem::BadQuery { what }.into()))
            }
        }
    }
}

fn snapshot(counter: &mut InfoCounter, view: View, query: &str) -> Result<Answer, BadQuery> {
    let params = json::read(query).map_err(BadQuery::new)?;
    let info = json::untyped(&info(counter, view.store));
    snapshot::take(view, &info, &params).map(|taken| Answer::json(&taken))
}

fn info(counter: &mut InfoCounter, store: &Store) -> TraceInfo {
    counter.advance(store);
    counter.info(store)
}
