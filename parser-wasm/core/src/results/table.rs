//! A table as it was found in a text.

use super::units::TableUnit;
use crate::notes::bench::slug;
use crate::notes::fact::cut;
use crate::notes::{BenchFigure, Good};
use serde::{Deserialize, Serialize};

/// A dimension and its value: `kernel`, `2.6.34-rc5`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NamedValue {
    pub name: String,
    pub value: String,
}

impl NamedValue {
    pub fn new(name: &str, value: &str) -> NamedValue {
        NamedValue {
            name: cut(name),
            value: cut(&value.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// Equal for all spellings of a name.
    pub fn key(&self) -> String {
        slug(&self.name)
    }
}

/// What was measured at one place of the dimensions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundRow {
    pub dimensions: Vec<NamedValue>,
    pub figures: Vec<BenchFigure>,
}

/// A table in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTable {
    /// `table`, or the program that printed it.
    pub tool: &'static str,
    /// Its first line, from 1.
    pub line: usize,
    pub rows: Vec<FoundRow>,
}

/// A figure of a table.
pub fn figure(tool: &str, name: &str, unit: Option<TableUnit>, value: f64) -> BenchFigure {
    let scale = unit.map_or(1.0, |u| u.scale);
    BenchFigure {
        key: format!("bench.{tool}.{}", slug(name)),
        label: cut(name),
        unit: unit.map_or("", |u| u.unit).to_owned(),
        good: unit.and_then(|u| u.good),
        value: value * scale,
        place: None,
    }
}

/// A figure in units of the engine.
pub fn plain(
    tool: &str,
    name: &str,
    unit: &'static str,
    good: Option<Good>,
    value: f64,
) -> BenchFigure {
    figure(
        tool,
        name,
        Some(TableUnit {
            unit,
            scale: 1.0,
            good,
        }),
        value,
    )
}
