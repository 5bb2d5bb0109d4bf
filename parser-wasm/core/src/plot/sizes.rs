//! Exact request sizes, as queued, issued or completed.

use super::answer::{Answer, BadQuery};
use super::ask::{Filter, Span, index_of};
use super::reach::View;
use super::select::Selection;
use crate::event::Action;
use crate::measure::size::{SizeCount, Sizes};
use serde::Deserialize;

/// Parameters of `sizes`.
#[derive(Clone, Debug, Deserialize)]
pub struct SizesAsk {
    /// Which requests.
    pub filter: Filter,
    /// When they were queued, issued or completed.
    pub range: Span,
    /// `queued`, `issued` or `completed`.
    pub at: String,
}

const MOMENTS: [&str; 3] = ["queued", "issued", "completed"];

/// Answers `sizes`: bios by their Q, requests by their D or last C. A device without D has none issued.
pub fn sizes(view: View, ask: &SizesAsk) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view.store, &ask.filter)?;
    let (events, r) = (&view.store.events, &view.store.requests);
    let mut sizes = Sizes::default();
    match index_of(&MOMENTS, &ask.at)? {
        0 => view
            .events(ask.range)
            .filter(|&i| events.action(i) == Action::Queue && selection.takes_bio(events, i))
            .for_each(|i| sizes.add(events.sectors(i), events.flags(i).op(events.bytes(i)))),
        1 => view
            .starting(ask.range)
            .filter(|&row| !r.is_bio(row) && selection.takes(row))
            .for_each(|row| sizes.add(r.sectors(row), r.op(row))),
        _ => view
            .alive(ask.range)
            .filter(|&row| r.completed(row).is_some_and(|t| view.holds(ask.range, t)) && selection.takes(row))
            .for_each(|row| sizes.add(r.sectors(row), r.op(row))),
    }
    let counts = sizes.counts();
    let column = |of: fn(&SizeCount) -> u64| counts.iter().map(|c| of(c) as f64).collect::<Vec<f64>>();
    Ok(Answer::Object(vec![
        ("sectors", column(|c| c.sectors).into()),
        ("reads", column(|c| c.reads).into()),
        ("writes", column(|c| c.writes).into()),
        ("discards", column(|c| c.discards).into()),
    ]))
}
