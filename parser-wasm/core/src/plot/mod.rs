//! Queries about a [`Store`], sized in pixels, and their answers. `web/engine/protocol.ts`
//! describes parameters and answers.
//!
//! A range selects the requests that *start* in it (D of a request, Q of a bio), so that the counts
//! of adjacent ranges add up. The seek map also draws requests that are in flight in it; throughput
//! and sizes use the events themselves, see `moments`.
//!
//! Each query is a pure function in a file of its name. Figures that a summary also has come from
//! [`crate::measure`]. Invalid parameters give an error or an empty answer, never a panic, a hang
//! or a huge allocation.

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
mod failures;
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
pub use failures::words_of;
pub use info::InfoCounter;
pub use lanes::{lane_list, lane_values};
pub use latency::latency_edges;
pub use query::MAX_POINTS;
pub use view::{Index, View};
pub use zones::KINDS as ZONE_KINDS;

/// Answers a query by its name and the JSON of its parameters. [`InfoCounter`] answers `info`. What
/// examines many rows is kept.
pub fn answer(view: View, kind: &str, parameters: &str) -> Result<Answer, BadQuery> {
    match kind {
        "facets" => kept::answer(view, kind, parameters, facets::facets),
        "bands" => kept::answer(view, kind, parameters, bands::bands),
        "seekMap" => kept::answer(view, kind, parameters, seekmap::seek_map),
        "depth" => kept::answer(view, kind, parameters, depth::depth),
        "starved" => kept::answer(view, kind, parameters, depth::starved),
        "failures" => kept::answer(view, kind, parameters, failures::failures),
        "zones" => zones::zones(view, &query::parse(parameters)?),
        "rate" => kept::answer(view, kind, parameters, rate::rate),
        "latencyGrid" => kept::answer(view, kind, parameters, latency::latency_grid),
        "distribution" => kept::answer(view, kind, parameters, latency::distribution),
        "stages" => kept::answer(view, kind, parameters, latency::stages),
        "sizes" => kept::answer(view, kind, parameters, sizes::sizes),
        "stripeTime" => kept::answer(view, kind, parameters, stripe_time::stripe_time),
        "alignment" => kept::answer(view, kind, parameters, stripes::alignment),
        "hit" => hit::hit(view, &query::parse(parameters)?),
        "life" => life::life(view, &query::parse(parameters)?),
        "requests" => table::requests(view, &query::parse(parameters)?),
        "playback" => playback::playback(view, &query::parse(parameters)?),
        "nextStep" => playback::next_step(view, &query::parse(parameters)?),
        "columns" => columns::columns(view, &query::parse(parameters)?),
        "events" => events::events(view, &query::parse(parameters)?),
        "eventText" => events::event_text(view, &query::parse(parameters)?),
        "findEvent" => events::find_event(view, &query::parse(parameters)?),
        "eventRequest" => events::event_request(view, &query::parse(parameters)?),
        "nativeText" => native::native_text(view, &query::parse(parameters)?),
        "lanes" => Ok(lanes::lanes(view, &query::parse(parameters)?)),
        "laneSeries" => lanes::lane_series(view, &query::parse(parameters)?),
        "summary" => kept::answer(view, kind, parameters, summary::summary),
        "tail" => kept::answer(view, kind, parameters, tail::tail),
        "slowest" => kept::answer(view, kind, parameters, tail::slowest),
        "digest" => kept::answer(view, kind, parameters, summary::digest),
        _ => Err(BadQuery(format!("unknown query `{kind}`"))),
    }
}
