//! The columns of btt's tables of devices.

use super::super::words::{SECTOR, decimal};
use crate::observation::{Metric, Unit};

/// A column: what it says, or nothing where it is left out.
pub type Column = Option<(Metric, f64)>;

/// Whether a row behind the bar has names of columns, and no numbers.
pub fn are_names(rest: &str) -> bool {
    rest.split_whitespace()
        .all(|word| decimal(word.trim_end_matches('%')).is_none())
}

/// Whether numbers follow the bar, which may also be that of a shell.
pub fn are_numbers(rest: &str) -> bool {
    let first = split(rest).next();
    first.is_some_and(|word| decimal(word.trim_end_matches('%')).is_some())
}

/// `0(       320) |   0.234353824%`: plugs, those by timer, a share.
fn split(rest: &str) -> impl Iterator<Item = &str> {
    rest.split([' ', '\t', '(', ')', '|'])
        .filter(|word| !word.is_empty())
}

/// The columns of a table, by the title of its section and the row of names.
pub fn parse(title: &str, names: &str) -> Vec<Column> {
    let column = |key: &str, label: &str, unit: Unit, factor: f64| {
        Some((Metric::new(key, label, unit).neutral(), factor))
    };
    // Where the line is cut, its numbers are cut, too.
    let end = match title {
        "Device Overhead" => "D2C",
        "Device Merge Information" => "Total",
        "Plug Information" if names.contains("Plugs") => "Plugged",
        "Plug Information" => "IOs/Unp(to)",
        "Active Requests At Q Information" => "@ Q",
        "I/O Active Period Information" => "% Live",
        _ => "",
    };
    if !names.trim_end().ends_with(end) {
        return Vec::new();
    }
    match title {
        "Device Overhead" => names
            .split_whitespace()
            .map(|stage| {
                let key = format!("overhead.{}", stage.to_ascii_lowercase());
                column(&key, &format!("{stage}, share of Q2C"), Unit::Share, 0.01)
            })
            .collect(),
        "Device Merge Information" => vec![
            column("merges.queued", "#Q", Unit::None, 1.0),
            column("merges.dispatched", "#D", Unit::None, 1.0),
            column("merges.ratio", "ratio of #Q to #D", Unit::None, 1.0),
            column("size.min", "size min", Unit::Bytes, SECTOR),
            column("size.mean", "size mean", Unit::Bytes, SECTOR),
            column("size.max", "size max", Unit::Bytes, SECTOR),
            column("size.total", "size of all", Unit::Bytes, SECTOR),
        ],
        // What btt calls a median is not one, and the mode has a form of its own.
        "Device Q2Q Seek Information" => vec![
            column("q2q_seeks.count", "Q2Q seeks", Unit::None, 1.0),
            column(
                "q2q_seeks.mean",
                "Q2Q seek distance, mean",
                Unit::Bytes,
                SECTOR,
            ),
        ],
        "Device D2D Seek Information" => vec![
            column("d2d_seeks.count", "D2D seeks", Unit::None, 1.0),
            column(
                "d2d_seeks.mean",
                "D2D seek distance, mean",
                Unit::Bytes,
                SECTOR,
            ),
        ],
        "Plug Information" if names.contains("Plugs") => vec![
            column("plugs", "plugs", Unit::None, 1.0),
            column("timer_unplugs", "unplugs by timer", Unit::None, 1.0),
            column("plugged", "time plugged", Unit::Share, 0.01),
        ],
        "Plug Information" => vec![
            column("unplugged", "I/Os per unplug", Unit::None, 1.0),
            column(
                "timer_unplugged",
                "I/Os per unplug by timer",
                Unit::None,
                1.0,
            ),
        ],
        "Active Requests At Q Information" => {
            vec![column(
                "active_at_q",
                "active requests at Q, mean",
                Unit::None,
                1.0,
            )]
        }
        "I/O Active Period Information" => vec![
            column("active.count", "active periods", Unit::None, 1.0),
            column("active.mean", "active period, mean", Unit::Nanoseconds, 1e9),
            column(
                "inactive.mean",
                "inactive period, mean",
                Unit::Nanoseconds,
                1e9,
            ),
            column("active.share", "time active", Unit::Share, 0.01),
        ],
        _ => Vec::new(),
    }
}

/// The figures of a row; none if it has other numbers than columns.
pub fn figures<'a>(columns: &[Column], rest: &'a str) -> Vec<(Metric, f64, &'a str)> {
    let words: Vec<&str> = split(rest).collect();
    let is_share = |column: &Column| matches!(column, Some((m, _)) if m.unit == Unit::Share);
    let mut shown = words.iter().take(columns.len());
    // A number among shares shifts the columns, such as that of a device behind a lost bar.
    let is_shifted = columns.iter().all(is_share) && shown.any(|word| !word.ends_with('%'));
    if words.len() < columns.len() || is_shifted {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (column, word) in columns.iter().zip(&words) {
        let Some(value) = decimal(word.trim_end_matches('%')) else {
            return Vec::new();
        };
        if let Some((metric, factor)) = column {
            found.push((metric.clone(), value * factor, *word));
        }
    }
    found
}
