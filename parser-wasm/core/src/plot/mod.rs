//! Pictures: questions the size of pixels about a [`Store`], and their answers. Parameters and answers are those of
//! `web/engine/protocol.ts`, which says what each means.
//!
//! Which requests a range takes in: those that *start* in it (D of a request, Q of a bio), so that counts of neighbouring ranges
//! add up. The seek map also draws what is alive in it; throughput and sizes go by the events themselves, see `moments`.

mod answer;
mod ask;
mod bands;
mod class;
mod columns;
mod depth;
mod entries;
mod events;
mod facets;
mod hit;
mod info;
mod latency;
mod life;
mod matches;
mod moments;
mod native;
mod pyramid;
mod rate;
mod reach;
mod seekmap;
mod select;
mod sizes;
mod stripe_time;
mod stripes;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod wanted;

pub use answer::{Answer, BadQuery, Value};
pub use info::Tally;
pub use latency::latency_edges;
pub use reach::{Index, View};

/// Answers every question but `info`, which [`Tally`] answers, by its name and the JSON of its parameters.
pub fn answer(view: View, kind: &str, ask: &str) -> Result<Answer, BadQuery> {
    match kind {
        "facets" => facets::facets(view, &ask::parse(ask)?),
        "bands" => bands::bands(view, &ask::parse(ask)?),
        "seekMap" => seekmap::seek_map(view, &ask::parse(ask)?),
        "depth" => depth::depth(view, &ask::parse(ask)?),
        "starved" => depth::starved(view, &ask::parse(ask)?),
        "rate" => rate::rate(view, &ask::parse(ask)?),
        "latencyGrid" => latency::latency_grid(view, &ask::parse(ask)?),
        "distribution" => latency::distribution(view, &ask::parse(ask)?),
        "stages" => latency::stages(view, &ask::parse(ask)?),
        "sizes" => sizes::sizes(view, &ask::parse(ask)?),
        "stripeTime" => stripe_time::stripe_time(view, &ask::parse(ask)?),
        "alignment" => stripes::alignment(view, &ask::parse(ask)?),
        "hit" => hit::hit(view, &ask::parse(ask)?),
        "life" => life::life(view, &ask::parse(ask)?),
        "requests" => table::requests(view, &ask::parse(ask)?),
        "columns" => columns::columns(view, &ask::parse(ask)?),
        "events" => events::events(view, &ask::parse(ask)?),
        "eventText" => events::event_text(view, &ask::parse(ask)?),
        "findEvent" => events::find_event(view, &ask::parse(ask)?),
        "eventRequest" => events::event_request(view, &ask::parse(ask)?),
        "nativeText" => native::native_text(view, &ask::parse(ask)?),
        "summary" => summary::summary(view, &ask::parse(ask)?),
        "digest" => summary::digest(view, &ask::parse(ask)?),
        _ => Err(BadQuery(format!("`{kind}` is no question"))),
    }
}
