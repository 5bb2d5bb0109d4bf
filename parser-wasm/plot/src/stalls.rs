//! The stalls of the devices.

use crate::answer::BadQuery;
use crate::query::TimeRange;
use crate::view::View;
use seekscope_measure::Window;
use seekscope_measure::stalls::Stall;
use serde::{Deserialize, Serialize};

/// Parameters of `moments`.
#[derive(Clone, Debug, Deserialize)]
pub struct MomentsQuery {
    /// Stalls that overlap it; absent: those of the complete trace.
    pub range: Option<TimeRange>,
}

/// The stalls, by their time.
#[derive(Clone, Debug, Serialize)]
pub struct StallList {
    moments: Vec<Stall>,
}

/// Answers `moments`.
pub fn moments(view: View, query: &MomentsQuery) -> Result<StallList, BadQuery> {
    let window = query
        .range
        .map_or(Window::WHOLE, |range| view.window(range));
    Ok(StallList {
        moments: view.stalls(window).into_owned(),
    })
}
