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
mod view;
mod zones;

pub use answer::{Answer, AnswerValue, BadQuery};
pub use info::InfoCounter;
pub use lanes::{lane_list, lane_values};
pub use latency::latency_edges;
pub use query::MOST;
pub use view::{Index, View};
pub use zones::KINDS as ZONE_KINDS;

/// Answers a query by its name and the JSON of its parameters. [`InfoCounter`] answers `info`.
pub fn answer(view: View, kind: &str, parameters: &str) -> Result<Answer, BadQuery> {
    if let Some(known) = view.kept(|kept, lanes| kept.find(kind, parameters, lanes)).flatten() {
        return Ok(known);
    }
    let answer = fresh(view, kind, parameters)?;
    view.kept(|kept, _| kept.keep(kind, parameters, &answer));
    Ok(answer)
}

fn fresh(view: View, kind: &str, parameters: &str) -> Result<Answer, BadQuery> {
    match kind {
        "facets" => facets::facets(view, &query::parse(parameters)?),
        "bands" => bands::bands(view, &query::parse(parameters)?),
        "seekMap" => seekmap::seek_map(view, &query::parse(parameters)?),
        "depth" => depth::depth(view, &query::parse(parameters)?),
        "starved" => depth::starved(view, &query::parse(parameters)?),
        "zones" => zones::zones(view, &query::parse(parameters)?),
        "rate" => rate::rate(view, &query::parse(parameters)?),
        "latencyGrid" => latency::latency_grid(view, &query::parse(parameters)?),
        "distribution" => latency::distribution(view, &query::parse(parameters)?),
        "stages" => latency::stages(view, &query::parse(parameters)?),
        "sizes" => sizes::sizes(view, &query::parse(parameters)?),
        "stripeTime" => stripe_time::stripe_time(view, &query::parse(parameters)?),
        "alignment" => stripes::alignment(view, &query::parse(parameters)?),
        "hit" => hit::hit(view, &query::parse(parameters)?),
        "life" => life::life(view, &query::parse(parameters)?),
        "requests" => table::requests(view, &query::parse(parameters)?),
        "columns" => columns::columns(view, &query::parse(parameters)?),
        "events" => events::events(view, &query::parse(parameters)?),
        "eventText" => events::event_text(view, &query::parse(parameters)?),
        "findEvent" => events::find_event(view, &query::parse(parameters)?),
        "eventRequest" => events::event_request(view, &query::parse(parameters)?),
        "nativeText" => native::native_text(view, &query::parse(parameters)?),
        "lanes" => Ok(lanes::lanes(view, &query::parse(parameters)?)),
        "laneSeries" => lanes::lane_series(view, &query::parse(parameters)?),
        "summary" => summary::summary(view, &query::parse(parameters)?),
        "tail" => tail::tail(view, &query::parse(parameters)?),
        "slowest" => tail::slowest(view, &query::parse(parameters)?),
        "digest" => summary::digest(view, &query::parse(parameters)?),
        _ => Err(BadQuery(format!("unknown query `{kind}`"))),
    }
}
