//! The unit of a figure as it is written.

use crate::observation::Unit;

/// A unit as it is written, as the unit of figures and the factor to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub unit: Unit,
    pub factor: f64,
    /// What is counted per second, with its unit, `files/s`; absent for I/O.
    pub counted: Option<&'static str>,
}

impl Scale {
    pub const IOPS: Scale = Scale::new(Unit::PerSecond, 1.0);

    pub const fn new(unit: Unit, factor: f64) -> Scale {
        Scale {
            unit,
            factor,
            counted: None,
        }
    }
}
