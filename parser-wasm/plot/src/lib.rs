//! Queries about a store, sized in pixels, and their answers. The table at the end has the types of
//! parameters and answers, from which those in TypeScript are made.
//!
//! A range selects the requests that *start* in it (D of a request, Q of a bio), so that the counts
//! of adjacent ranges add up. The seek map also draws requests that are in flight in it; throughput
//! and sizes use the events themselves, see `moments`.
//!
//! Each query is a pure function in a file of its name, in the folder of what it shows. Figures
//! that a summary also has come from [`seekscope_measure`]. Invalid parameters give an error
//! or an empty answer, never a panic, a hang or a huge allocation.
//!
//! # What keeps answers fast
//!
//! Nothing is sampled: every answer equals a scan of all rows, only the way to it is shorter. Who
//! changes one of these must keep that equality; `tests/indexed.rs` and `tests/time.rs` compare
//! the answers with an [`Index`] with those without one.
//!
//! - Rows are in order of their start, so a range of time is a range of rows, found by a binary
//!   search (`View::starting`), and each column of a picture is a piece of it (`View::columns`).
//! - Requests that are in flight in a range may start long before it. `view` keeps the first begin
//!   and the last end of each 4096 rows and skips blocks that cannot touch the range.
//! - Queue depth (`series::depth_blocks`), throughput (`series::rate_blocks`) and the sums of
//!   playback (`series::totals`) are added up beforehand. A block that is completely within a bin
//!   is added as a whole; only blocks at the edges of bins are visited event by event.
//! - Filters are decided once per kind of row and looked up per row (`select`, `list`). Maps and
//!   rates first find the rows of included kinds and read only these (`Selection::chunks`,
//!   `Events::taken`), in loops without a call: a WebAssembly engine keeps no value in its
//!   register across a call, also across one that is never made. `tests/plain.rs` compares them
//!   with loops over all rows.
//! - Complete traces keep the latest answers (`kept`).
#![forbid(unsafe_code)]

mod answer;
mod columns;
mod distributions;
mod facets;
mod info;
mod kept;
mod list;
mod map;
mod native;
mod query;
mod select;
mod series;
mod stalls;
mod summary;
#[cfg(test)]
mod tests;
mod trace_info;
mod view;

pub use answer::{Answer, AnswerValue, BadQuery, IntoAnswer};
pub use distributions::latency::latency_edges;
pub use info::InfoCounter;
pub use map::failures::FailureMarks;
pub use map::failures::words_of;
pub use map::zones::ZoneMarks;
pub use query::MAX_POINTS;
pub use series::lanes::{lane_list, lane_values};
pub use trace_info::TraceInfo;
pub use view::{Index, View};

pub use seekscope_measure::zones::ZoneKind;

use distributions::{latency, sizes, stripes, tail};
use list::{events, layers, life, table};
use map::{bands, failures, hit, seekmap, zones};
use seekscope_compare::Digest;
use seekscope_report::summary::TraceSummary;
use series::{depth, lanes, playback, rate, stripe_time};

/// Dispatches queries by name, and tells the generator of the protocol the types of their
/// parameters and answers. `kept`: the answer is kept for the same query; `new`: it is computed
/// each time, because it is cheap, large or never repeated.
macro_rules! queries {
    ($(
        $(#[$doc:meta])*
        $kind:literal => $how:ident $function:path : $query:ty => $answer:ty
    ),* $(,)?) => {
        /// Answers a query by its name and the JSON of its parameters. [`InfoCounter`] answers
        /// `info`.
        pub fn answer(view: View, kind: &str, parameters: &str) -> Result<Answer, BadQuery> {
            match kind {
                $($kind => {
                    // A function of its own, not a part of `answer`: most queries are not asked
                    // for the first picture, and a part of the engine consists of functions.
                    #[inline(never)]
                    fn answer_one(view: View, parameters: &str) -> Result<Answer, BadQuery> {
                        queries!(@$how $kind, $function, $query, $answer, view, parameters)
                    }
                    answer_one(view, parameters)
                })*
                _ => Err(BadQuery(format!("unknown query `{kind}`"))),
            }
        }
    };
    (
        @kept $kind:literal, $function:path, $query:ty, $answer:ty, $view:ident, $parameters:ident
    ) => {
        kept::answer::<$query, $answer>($view, $kind, $parameters, $function)
    };
    (
        @new $kind:literal, $function:path, $query:ty, $answer:ty, $view:ident, $parameters:ident
    ) => {{
        let parameters = query::parse::<$query>($parameters)?;
        let answer: Result<$answer, BadQuery> = $function($view, &parameters);
        answer.map(IntoAnswer::into_answer)
    }};
}

queries! {
    "facets" => kept facets::facets: facets::FacetsQuery => facets::Facets,
    /// Parts of the LBA axis with requests, ascending; parts closer than `gapShare` of the extent
    /// are merged.
    "bands" => kept bands::bands: bands::BandsQuery => bands::Bands,
    /// Marks when at most `marks` requests are in view, else the grid.
    "seekMap" => kept seekmap::seek_map: seekmap::SeekMapQuery => seekmap::SeekMapAnswer,
    /// Requests in flight and bios that wait, over time.
    "depth" => kept depth::depth: depth::DepthQuery => depth::DepthAnswer,
    /// Starved intervals; only the first ones when there are more than `most`.
    "starved" => kept depth::starved: depth::StarvedQuery => depth::StarvedTimes,
    /// Completions with an error in the range.
    "failures" => kept failures::failures: failures::FailuresQuery => failures::FailureMarks,
    /// Requires a device with `zones`. At most `most` marks (8192 if it is more); appends have
    /// marks only if all have room.
    "zones" => new zones::zones: zones::ZonesQuery => zones::ZoneMarks,
    "rate" => kept rate::rate: rate::RateQuery => rate::RateAnswer,
    /// Column-major like a grid of the seek map; y is log-scaled from `low` (bottom row) to `high`
    /// (top row); values outside are in the edge rows.
    "latencyGrid" => kept latency::latency_grid: latency::LatencyGridQuery => latency::LatencyGrid,
    /// How long requests took in a stage: a histogram, and exact percentiles.
    "distribution" => kept latency::distribution:
        latency::DistributionQuery => latency::Distribution,
    /// Mean of each stage over requests that have it.
    "stages" => kept latency::stages: latency::StagesQuery => latency::StageMeans,
    /// `queued` counts at Q, `issued` at D (none on a stacked device), `completed` at C. With a
    /// filter on process, CPU or latency whole requests are counted instead of events.
    "sizes" => kept sizes::sizes: sizes::SizesQuery => sizes::Sizes,
    /// Places within the stripe over time: column-major like a grid of the seek map, the stripe's
    /// start in the bottom row. `w` columns, `h` rows.
    "stripeTime" => kept stripe_time::stripe_time:
        stripe_time::StripeTimeQuery => stripe_time::StripeTime,
    "alignment" => kept stripes::alignment: stripes::AlignmentQuery => stripes::AlignmentAnswer,
    /// The request nearest to a point, within the tolerances; marks are preferred to waiting lines;
    /// row -1 when there is none.
    "hit" => new hit::hit: hit::HitQuery => hit::RowAnswer,
    "life" => new life::life: life::LifeQuery => life::Life,
    /// The requests above and below one, in stacks of devices; at most 64.
    "requestLayers" => new layers::request_layers:
        layers::RequestLayersQuery => layers::RequestLayers,
    /// Requests without a latency are last in either direction. At most 8192 rows per page.
    "requests" => new table::requests: table::RequestsQuery => table::RequestPage,
    /// The state at moments `step` ns apart, from `at` on; rates are of `window` ns. At most 512
    /// moments and 16384 requests: with more in flight it answers fewer moments, at least one.
    "playback" => new playback::playback: playback::PlaybackQuery => playback::PlaybackMoments,
    /// The nearest time after `t`, or before it with `by` -1, at which something is issued (a bio
    /// of a stacked device: queued) or completed.
    "nextStep" => new playback::next_step: playback::NextStepQuery => playback::NextStep,
    /// For exports only. Without a filter it answers all devices; at most 65536 rows per answer.
    "columns" => new columns::columns: columns::ColumnsQuery => columns::RowColumns,
    /// The names of the objects and writers in `columns`.
    "objectNames" => new columns::object_names:
        columns::ObjectNamesQuery => columns::ObjectNames,
    /// A page of the event list, at most 8192 lines.
    "events" => new events::events: events::EventsQuery => events::ListedEvents,
    /// The lines of `events` as text, each with its line end.
    "eventText" => new events::event_text: events::EventsQuery => events::ListedText,
    /// Line of the first match at or after `time`, `total` when there is none; absent until it is
    /// known. `sector` selects among events at the same time.
    "findEvent" => new events::find_event: events::FindEventQuery => events::FindEventAnswer,
    /// Row of the request to which an event belongs; -1 when there is none.
    "eventRequest" => new events::event_request: events::EventRequestQuery => hit::RowAnswer,
    /// The closing summary of `blkparse -i`, or btt's tables, for the complete trace.
    "nativeText" => new native::native_text: native::NativeTextQuery => native::NativeText,
    /// Counters of other tools, and their figures within the range.
    "lanes" => new lanes::lanes: lanes::LanesQuery => lanes::LaneList,
    /// Mean per bin, lane by lane (`n` values each); NaN where there is none. At most 64 lanes.
    "laneSeries" => new lanes::lane_series: lanes::LaneSeriesQuery => lanes::LaneValues,
    /// Stretches in which a device completes nothing promptly, though requests wait; none while the
    /// trace is being read.
    "moments" => kept stalls::moments: stalls::MomentsQuery => stalls::StallList,
    "summary" => kept summary::summary: summary::SummaryQuery => TraceSummary,
    /// What the slowest requests spent their time on. Without `percentile` all requests are
    /// examined (at most the 200,000 slowest), with `row` only that one, wherever it is. Absent
    /// where none has a latency.
    "tail" => kept tail::tail: tail::TailQuery => tail::TailAnswer,
    /// The request with the longest time in a stage, from `low` and below `high`; row -1 when there
    /// is none.
    "slowest" => kept tail::slowest: tail::SlowestQuery => hit::RowAnswer,
    "digest" => kept summary::digest: summary::SummaryQuery => Digest,
}
