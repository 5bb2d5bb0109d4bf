//! What the summary of a trace and its digest are both made of.

use super::tail::{LISTED, threshold};
use crate::measure::figures::{Figures, figures};
use crate::measure::tail::{Tail, tails};
use crate::measure::{Geometry, Window};
use crate::store::Store;

/// Of all devices of a trace, within a window.
#[derive(Clone, Debug)]
pub struct Measured {
    pub figures: Vec<Figures>,
    /// The slowest requests.
    pub tails: Vec<Option<Tail>>,
}

impl Measured {
    pub fn of(store: &Store, window: Window, geometry: Option<Geometry>) -> Measured {
        let figures = figures(store, window, geometry);
        let thresholds: Vec<_> = figures.iter().enumerate().map(|(device, figures)| threshold(store, device, figures)).collect();
        Measured { tails: tails(store, window, &thresholds, LISTED), figures }
    }
}
