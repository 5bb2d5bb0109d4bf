//! Exact request sizes, as queued, issued or completed.

use super::answer::{Answer, BadQuery};
use super::moments::{each, kinds};
use super::query::{Filter, TimeRange, index_of};
use super::select::Selection;
use super::view::View;
use crate::event::Action;
use crate::measure::size::{SizeCount, SizeCounter};
use serde::Deserialize;

/// Parameters of `sizes`.
#[derive(Clone, Debug, Deserialize)]
pub struct SizesQuery {
    pub filter: Filter,
    /// Time of the Q, D or C.
    pub range: TimeRange,
    /// `queued`, `issued` or `completed`.
    pub at: String,
}

const MOMENTS: [(&str, Action); 3] = [
    ("queued", Action::Queue),
    ("issued", Action::Issue),
    ("completed", Action::Complete),
];

/// Answers `sizes`: bios by their Q, requests by their D or C. A device without D has none issued.
pub fn sizes(view: View, query: &SizesQuery) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let (_, action) = MOMENTS[index_of(&MOMENTS.map(|m| m.0), &query.at)?];
    let mut sizes = SizeCounter::default();
    match kinds(view, &selection, action, query.range) {
        Some(kinds) => kinds.iter().for_each(|(kind, n)| {
            sizes.add(u64::from(kind.bytes >> 9), kind.flags.op(kind.bytes), *n)
        }),
        None => each(view, &selection, action, query.range, |m| {
            sizes.add(m.sectors(), m.op(), 1)
        }),
    }
    let counts = sizes.counts();
    let column =
        |of: fn(&SizeCount) -> u64| counts.iter().map(|c| of(c) as f64).collect::<Vec<f64>>();
    Ok(Answer::Object(vec![
        ("sectors", column(|c| c.sectors).into()),
        ("reads", column(|c| c.reads).into()),
        ("writes", column(|c| c.writes).into()),
        ("discards", column(|c| c.discards).into()),
    ]))
}
