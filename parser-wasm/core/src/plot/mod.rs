//! Queries about a [`Store`], sized in pixels, and their answers. `web/engine/protocol.ts` describes parameters and
//! answers.
//!
//! A range selects the requests that *start* in it (D of a request, Q of a bio), so that the counts of adjacent ranges
//! add up. The seek map also draws requests that are in flight in it; throughput and sizes use the events themselves, see `moments`.
//!
//! Each query is a pure function in a file of its name. Figures that a summary also has come from [`crate::measure`]. Invalid
//! parameters give an error or an empty answer, never a panic, a hang or a huge allocation.

mod answer;
mod band_rows;
mod bands;
mod class;
mod columns;
mod depth;
mod depth_blocks;
mod entries;
mod event_filter;
mod events;
mod facets;
mod hit;
mod info;
mod kept;
mod lanes;
mod latency;
mod life;
mod lists;
mod matches;
mod moments;
mod native;
mod percentile_band;
mod playback;
mod query;
mod rate;
mod rate_blocks;
mod seekmap;
mod select;
mod sizes;
mod stripe_time;
mod stripes;
mod summary;
mod table;
mod tail;
#[cfg(test)]
mod tests;
mod totals;
mod view;
mod zones;

pub use answer::{Answer, AnswerValue, BadQuery};
pub use info::InfoCounter;
pub use lanes::{lane_list, lane_values};
pub use latency::latency_edges;
pub use query::MOST;
pub use view::{Index, View};
pub use zones::KINDS as ZONE_KINDS;

use serde::de::DeserializeOwned;

/// Answers a query by its name and the JSON of its parameters. [`InfoCounter`] answers `info`. What examines many rows is kept.
pub fn answer(view: View, kind: &str, parameters: &str) -> Result<Answer, BadQuery> {
    match kind {
        "facets" => kept::answer(view, kind, parameters, facets::facets),
        "bands" => kept::answer(view, kind, parameters, bands::bands),
        "seekMap" => kept::answer(view, kind, parameters, seekmap::seek_map),
        "depth" => kept::answer(view, kind, parameters, depth::depth),
        "starved" => kept::answer(view, kind, parameters, depth::starved),
        "zones" => asked(view, parameters, zones::zones),
        "rate" => kept::answer(view, kind, parameters, rate::rate),
        "latencyGrid" => kept::answer(view, kind, parameters, latency::latency_grid),
        "distribution" => kept::answer(view, kind, parameters, latency::distribution),
        "stages" => kept::answer(view, kind, parameters, latency::stages),
        "sizes" => kept::answer(view, kind, parameters, sizes::sizes),
        "stripeTime" => kept::answer(view, kind, parameters, stripe_time::stripe_time),
        "alignment" => kept::answer(view, kind, parameters, stripes::alignment),
        "hit" => asked(view, parameters, hit::hit),
        "life" => asked(view, parameters, life::life),
        "requests" => asked(view, parameters, table::requests),
        "playback" => asked(view, parameters, playback::playback),
        "nextStep" => asked(view, parameters, playback::next_step),
        "columns" => asked(view, parameters, columns::columns),
        "events" => asked(view, parameters, events::events),
        "eventText" => asked(view, parameters, events::event_text),
        "findEvent" => asked(view, parameters, events::find_event),
        "eventRequest" => asked(view, parameters, events::event_request),
        "nativeText" => asked(view, parameters, native::native_text),
        "lanes" => asked(view, parameters, |view, query| Ok(lanes::lanes(view, query))),
        "laneSeries" => asked(view, parameters, lanes::lane_series),
        "summary" => kept::answer(view, kind, parameters, summary::summary),
        "tail" => kept::answer(view, kind, parameters, tail::tail),
        "slowest" => kept::answer(view, kind, parameters, tail::slowest),
        "digest" => kept::answer(view, kind, parameters, summary::digest),
        _ => Err(BadQuery(format!("unknown query `{kind}`"))),
    }
}

/// Parses the parameters of one kind of query and asks it. Never inlined, as [`kept::answer`]: an engine compiles a function when it is called first,
/// and one with all answers in it would take longer than most answers.
#[inline(never)]
fn asked<Q: DeserializeOwned>(
    view: View,
    parameters: &str,
    ask: impl FnOnce(View, &Q) -> Result<Answer, BadQuery>,
) -> Result<Answer, BadQuery> {
    ask(view, &query::parse(parameters)?)
}
