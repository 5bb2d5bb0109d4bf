//! Units at the ends of identifiers, where a `/` cannot be: `bw_mbs`, `write_mb_per_s`, `ops_sec`.

use crate::observation::Unit;
use crate::quantity::{Scale, scale_of};

/// What stands for "per second", the longest first.
const PER_SECOND: [&str; 8] = [
    "_per_second",
    "_per_sec",
    "_per_s",
    "_sec",
    "_s",
    "psec",
    "ps",
    "s",
];

/// Ends of names behind which an `s` is no plural.
const RATES: [&str; 7] = [
    "bw",
    "bandwidth",
    "throughput",
    "rate",
    "speed",
    "read",
    "write",
];

/// The name and the unit of an identifier that ends with a rate.
pub fn rate_of(identifier: &str) -> Option<(&str, Scale)> {
    let lower = identifier.to_ascii_lowercase();
    PER_SECOND.iter().find_map(|end| {
        let front = lower.strip_suffix(end)?;
        let (name, amount) = front.rsplit_once('_').unwrap_or(("", front));
        let unit = if amount == "b" { "bytes" } else { amount };
        let scale = scale_of(&format!("{unit}/s"))?;
        let is_rate = match *end {
            // `create_s` are seconds.
            _ if scale.unit == Unit::PerSecond => end.starts_with("_per_") || front == "ops",
            // `mbs` and `size_mbs` are sizes; `read_bytes` are bytes.
            "s" => amount.ends_with('b') && RATES.iter().any(|rate| name.ends_with(rate)),
            _ => end.starts_with('_') || !name.is_empty(),
        };
        is_rate.then_some((&identifier[..name.len()], scale))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_end_with_their_rates() {
        let cases = [
            ("bw_mbs", "bw", "MB/s"),
            ("BW_MBps", "BW", "MB/s"),
            ("write_mb_per_s", "write", "MB/s"),
            ("read_kib_s", "read", "KiB/s"),
            ("throughput_gib_sec", "throughput", "GiB/s"),
            ("bytes_per_sec", "", "B/s"),
            ("files_per_sec", "", "files/s"),
            ("ops_s", "", "ops/s"),
        ];
        for (identifier, name, unit) in cases {
            let expected = scale_of(unit).map(|scale| (name, scale));
            assert_eq!(rate_of(identifier), expected, "{identifier}");
        }
        for identifier in [
            "mb",
            "size_mb",
            "size_mbs",
            "mbs",
            "ops",
            "iops",
            "jobs",
            "steps",
            "run_s",
            "create_s",
            "read_bytes",
            "write_kbytes",
            "s",
            "",
        ] {
            assert_eq!(rate_of(identifier), None, "{identifier}");
        }
    }
}
