//! What rates count, where it is no I/O: `files/s`, `kreq/s`.

use super::scale::Scale;
use crate::observation::Unit;

/// What is counted per second; a plural stands for its singular, too.
const COUNTED: [&str; 38] = [
    "bogo ops/s",
    "bogo-ops/s",
    "ops/s",
    "req/s",
    "requests/s",
    "files/s",
    "tx/s",
    "trans/s",
    "transactions/s",
    "reads/s",
    "writes/s",
    "events/s",
    "i/o/s",
    "ios/s",
    "msgs/s",
    "creates/s",
    "deletes/s",
    "unlink/s",
    "stats/s",
    "lookups/s",
    "seeks/s",
    "fsyncs/s",
    "calls/s",
    "docs/s",
    "documents/s",
    "rows/s",
    "records/s",
    "objects/s",
    "items/s",
    "keys/s",
    "inserts/s",
    "updates/s",
    "queries/s",
    "commits/s",
    "messages/s",
    "pages/s",
    "blocks/s",
    "packets/s",
];

/// A number of these per second.
pub fn counting(counted: &'static str, factor: f64) -> Scale {
    Scale {
        counted: Some(counted),
        ..Scale::new(Unit::PerSecond, factor)
    }
}

/// The unit of what is counted, with its plural where there is one: `files/s` of `file`.
pub fn counted_unit(amount: &str, factor: f64) -> Option<Scale> {
    let lower = amount.to_ascii_lowercase();
    let find = |name: &str| {
        let mut units = COUNTED.iter().copied();
        units.find(|unit| unit.strip_suffix("/s") == Some(name))
    };
    let unit = find(&format!("{lower}s")).or_else(|| find(&lower))?;
    Some(match unit {
        "i/o/s" | "ios/s" => Scale::new(Unit::PerSecond, factor),
        unit => counting(unit, factor),
    })
}

/// A prefix of what is counted, as a factor, and the rest: `kop`, `Mreq`.
pub fn counted_of(amount: &str) -> (f64, &str) {
    let prefixes = [("k", 1e3), ("K", 1e3), ("M", 1e6)];
    let split = prefixes.iter().find_map(|&(prefix, factor)| {
        let rest = amount.strip_prefix(prefix)?;
        PREFIXED.contains(&rest).then_some((factor, rest))
    });
    split.unwrap_or((1.0, amount))
}

/// Those of [`COUNTED`] that a prefix may precede.
const PREFIXED: [&str; 7] = ["op", "ops", "req", "requests", "ios", "tx", "rows"];
