//! Completed bytes and requests per bin of time.

use super::answer::{Answer, BadQuery};
use super::ask::{Filter, Span, cells};
use super::reach::View;
use super::select::Selection;
use serde::Deserialize;

/// Parameters of `rate`.
#[derive(Clone, Debug, Deserialize)]
pub struct RateAsk {
    /// Which requests.
    pub filter: Filter,
    /// From, to.
    pub range: Span,
    /// Bins.
    pub n: f64,
}

/// Answers `rate`: a request counts with all its bytes in the bin of its last C; flushes carry none.
pub fn rate(view: View, ask: &RateAsk) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view.store, &ask.filter)?;
    let (n, range) = (cells(ask.n), ask.range);
    let mut bytes = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
    let mut ios = bytes.clone();
    let per_ns = if range.length() > 0.0 { n as f64 / range.length() } else { 0.0 };
    let requests = &view.store.requests;
    for row in view.alive(range) {
        let Some(done) = requests.completed(row).filter(|&t| view.holds(range, t)) else { continue };
        if !selection.takes(row) {
            continue;
        }
        let bin = (((done as f64 - range.t0) * per_ns) as usize).min(n.saturating_sub(1));
        let op = requests.op(row) as usize;
        if let (Some(bytes), Some(ios)) =
            (bytes.get_mut(op).and_then(|b| b.get_mut(bin)), ios.get_mut(op).and_then(|b| b.get_mut(bin)))
        {
            *bytes += f64::from(requests.bytes(row));
            *ios += 1.0;
        }
    }
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
