//! Completed bytes and requests per bin of time.

use super::answer::{Answer, BadQuery};
use super::moments::each;
use super::query::{Filter, TimeRange, cells};
use super::select::Selection;
use super::view::View;
use crate::event::{Action, Flags};
use serde::Deserialize;

/// Parameters of `rate`.
#[derive(Clone, Debug, Deserialize)]
pub struct RateQuery {
    pub filter: Filter,
    pub range: TimeRange,
    /// Number of bins.
    pub n: f64,
}

/// Answers `rate`, by the rules of `measure::throughput`: a request that completes in parts counts once per part; passthrough and
/// requests without data do not count.
pub fn rate(view: View, query: &RateQuery) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view.store, &query.filter)?;
    let (n, range) = (cells(query.n), query.range);
    let mut bytes = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    let mut ios = bytes.clone();
    let per_ns = if range.length() > 0.0 { n as f64 / range.length() } else { 0.0 };
    each(view, &selection, Action::Complete, range, |m| {
        if m.bytes == 0 || m.flags.has(Flags::PC) {
            return;
        }
        let bin = (((m.time as f64 - range.t0) * per_ns) as usize).min(n.saturating_sub(1));
        let op = m.op() as usize;
        if let Some((bytes, ios)) =
            bytes.get_mut(op).and_then(|b| b.get_mut(bin)).zip(ios.get_mut(op).and_then(|b| b.get_mut(bin)))
        {
            *bytes += f64::from(m.bytes);
            *ios += 1.0;
        }
    });
    let ([read_bytes, write_bytes, discard_bytes], [read_ios, write_ios, discard_ios]) = (bytes, ios);
    Ok(Answer::Object(vec![
        ("readBytes", read_bytes.into()),
        ("writeBytes", write_bytes.into()),
        ("discardBytes", discard_bytes.into()),
        ("readIos", read_ios.into()),
        ("writeIos", write_ios.into()),
        ("discardIos", discard_ios.into()),
    ]))
}
