//! The stages of reading and measuring. A stage of reading cannot be timed alone, so reading is
//! repeated, each time one stage further, and the time of a stage is what it adds.

use crate::answers;
use crate::passes::{decode, order, read_only, store};
use crate::recording::Recording;
use seekscope_core::builder::TraceBuilder;
use seekscope_core::compare::digest_of;
use seekscope_core::lifecycle::each_sample;
use seekscope_core::measure::Window;
use seekscope_core::measure::arrays::suggestion;
use seekscope_core::measure::figures::figures;
use seekscope_core::measure::stalls::stalls;
use seekscope_core::measure::tail::tails;
use seekscope_core::plot::{Index, InfoCounter};
use seekscope_core::report::measured::Measured;
use seekscope_core::report::summary::summarise;
use seekscope_core::report::tail;
use seekscope_core::store::Store;
use std::hint::black_box;
use std::time::Instant;

/// What the time of a stage counts for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Reading,
    /// Already counted in a stage of reading.
    OfReading,
    Summary,
    OfSummary,
    /// Done only when it is requested.
    Other,
    /// A query of the page about the complete time.
    Answer,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Reading => "reading",
            Part::OfReading => "of reading",
            Part::Summary => "summary",
            Part::OfSummary => "of summary",
            Part::Other => "other",
            Part::Answer => "answer",
        }
    }
}

/// A stage, and the seconds of its fastest run.
struct Stage {
    part: Part,
    name: &'static str,
    seconds: f64,
}

/// Times of all stages.
pub struct StageTimings {
    events: usize,
    requests: usize,
    memory: usize,
    stages: Vec<Stage>,
}

impl StageTimings {
    /// `{events, requests, memory, stages: [{part, stage, seconds}]}`.
    pub fn json(&self) -> serde_json::Value {
        let row = |s: &Stage| serde_json::json!({ "part": s.part.name(), "stage": s.name, "seconds": s.seconds });
        let stages: Vec<serde_json::Value> = self.stages.iter().map(row).collect();
        serde_json::json!({ "events": self.events, "requests": self.requests, "memory": self.memory, "stages": stages })
    }
}

/// Times the stages; of several runs the fastest counts, which other load disturbs least.
#[expect(
    clippy::too_many_lines,
    reason = "stages that are timed one after another, each on what the one before made"
)]
pub fn time(recording: &Recording, runs: usize) -> Result<StageTimings, String> {
    let fastest = |work: &mut dyn FnMut() -> Result<(), String>| {
        let mut best = f64::INFINITY;
        for _ in 0..runs.max(1) {
            let begin = Instant::now();
            work()?;
            best = best.min(begin.elapsed().as_secs_f64());
        }
        Ok::<f64, String>(best)
    };
    let read = fastest(&mut || read_only(recording))?;
    let decoded = fastest(&mut || decode(recording))?;
    let ordered = fastest(&mut || order(recording))?;
    let mut built = None;
    let mut ended = f64::INFINITY;
    let stored = fastest(&mut || {
        // The previous one is freed first, so that memory is as in a first run.
        built = None;
        built = Some(store(recording)?);
        Ok(())
    })?;
    let mut end = |builder: TraceBuilder| {
        let begin = Instant::now();
        let store = builder.finish().map_err(|error| error.to_string());
        ended = ended.min(begin.elapsed().as_secs_f64());
        store
    };
    for _ in 1..runs {
        end(match built.take() {
            Some(builder) => builder,
            None => store(recording)?,
        })?;
    }
    let store = end(store(recording)?)?;
    let on_store = |work: &dyn Fn(&Store)| {
        fastest(&mut || {
            work(&store);
            Ok(())
        })
    };
    let whole = Window::WHOLE;
    let measured = Measured::new(&store, whole, None);
    let slow: Vec<_> = measured
        .figures
        .iter()
        .enumerate()
        .map(|(i, figures)| tail::threshold(&store, i, figures))
        .collect();
    let mut stages = Vec::new();
    let mut add = |part, name, seconds: f64| {
        stages.push(Stage {
            part,
            name,
            seconds: seconds.max(0.0),
        })
    };
    add(Part::Reading, "read bytes", read);
    add(Part::Reading, "decode", decoded - read);
    add(Part::Reading, "order (merge)", ordered - decoded);
    add(Part::Reading, "lifecycle and store", stored - ordered);
    let samples = on_store(&|store| {
        let mut sum = 0u64;
        each_sample(store, |_, _, _, ns| sum = sum.wrapping_add(ns));
        black_box(sum);
    })?;
    add(Part::OfReading, "lifecycle alone, from the store", samples);
    add(Part::Reading, "end", ended);
    add(
        Part::Summary,
        "summary document",
        on_store(&|store| drop(black_box(summarise(store, whole, None))))?,
    );
    add(
        Part::OfSummary,
        "figures",
        on_store(&|store| drop(black_box(figures(store, whole, None))))?,
    );
    add(
        Part::OfSummary,
        "tail",
        on_store(&|store| drop(black_box(tails(store, whole, &slow, tail::LISTED))))?,
    );
    let geometry = on_store(&|store| {
        drop(black_box((
            suggestion::suggest(store),
            suggestion::mapped(store),
        )))
    })?;
    add(Part::OfSummary, "suggested geometry, partitions", geometry);
    add(
        Part::Other,
        "digest after the summary",
        on_store(&|store| {
            drop(black_box(digest_of(
                store,
                whole,
                None,
                &measured,
                &stalls(store, whole),
            )))
        })?,
    );
    let info = on_store(&|store| {
        let mut counter = InfoCounter::default();
        counter.advance(store);
        drop(black_box(counter.info(store)));
    })?;
    add(Part::Other, "info for the page", info);
    add(
        Part::Other,
        "index for the page",
        on_store(&|store| drop(black_box(Index::new(store))))?,
    );
    for answer in answers::time(&store, runs)? {
        add(Part::Answer, answer.name, answer.again / 1000.0);
    }
    let memory = store.memory();
    Ok(StageTimings {
        events: store.events.len(),
        requests: store.requests.len(),
        memory,
        stages,
    })
}
