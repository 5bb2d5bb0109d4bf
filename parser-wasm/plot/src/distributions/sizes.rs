//! Exact request sizes, as queued, issued or completed.

use crate::answer::{BadQuery, answer_object};
use crate::query::{Filter, TimeRange};
use crate::select::Selection;
use crate::series::moments::{each, kinds};
use crate::view::View;
use seekscope_measure::size::{SizeCount, SizeCounter};
use seekscope_trace::event::Action;
use serde::Deserialize;

/// Parameters of `sizes`.
#[derive(Clone, Debug, Deserialize)]
pub struct SizesQuery {
    pub filter: Filter,
    /// Counts what is queued, issued or completed in it.
    pub range: TimeRange,
    pub at: SizeMoment,
}

/// The moment at which sizes are counted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SizeMoment {
    Queued,
    Issued,
    Completed,
}

answer_object! {
    /// Exact sizes, ascending.
    pub struct Sizes {
        sectors: Vec<f64>,
        reads: Vec<f64>,
        writes: Vec<f64>,
        discards: Vec<f64>,
    }
}

/// Answers `sizes`: bios by their Q, requests by their D or C. A device without D has none issued.
pub fn sizes(view: View, query: &SizesQuery) -> Result<Sizes, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let action = match query.at {
        SizeMoment::Queued => Action::Queue,
        SizeMoment::Issued => Action::Issue,
        SizeMoment::Completed => Action::Complete,
    };
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
        |read: fn(&SizeCount) -> u64| counts.iter().map(|c| read(c) as f64).collect::<Vec<f64>>();
    Ok(Sizes {
        sectors: column(|c| c.sectors),
        reads: column(|c| c.reads),
        writes: column(|c| c.writes),
        discards: column(|c| c.discards),
    })
}
