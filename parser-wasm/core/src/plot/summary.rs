//! All figures of a trace: the document that the command line prints, and what the trace takes to a comparison.

use super::answer::{Answer, BadQuery};
use super::ask::{GeometryAsk, Span};
use super::reach::View;
use crate::compare;
use crate::measure::Window;
use crate::report::summary::summarise;
use serde::Deserialize;

/// Parameters of `summary` and `digest`.
#[derive(Clone, Debug, Deserialize)]
pub struct SummaryAsk {
    /// For the alignment figures.
    pub geometry: Option<GeometryAsk>,
    /// The whole trace when absent.
    pub range: Option<Span>,
}

/// Answers `summary`.
pub fn summary(view: View, ask: &SummaryAsk) -> Result<Answer, BadQuery> {
    let geometry = ask.geometry.as_ref().map(GeometryAsk::geometry).transpose()?;
    let window = ask.range.map_or(Window::WHOLE, |range| view.window(range));
    Ok(Answer::json(&summarise(view.store, window, geometry)))
}

/// Answers `digest`.
pub fn digest(view: View, ask: &SummaryAsk) -> Result<Answer, BadQuery> {
    let geometry = ask.geometry.as_ref().map(GeometryAsk::geometry).transpose()?;
    let window = ask.range.map_or(Window::WHOLE, |range| view.window(range));
    Ok(Answer::json(&compare::digest(view.store, window, geometry)))
}
