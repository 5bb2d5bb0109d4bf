//! Units as people and programs write them.

use super::counted::{counted_of, counted_unit, counting};
use super::scale::Scale;
use crate::observation::Unit;

const KIB: f64 = 1024.0;

/// The unit that a word names; `None` for other words. `MB` is 10^6 and `MiB` 2^20 bytes; `Mb/s`,
/// which may be bits or bytes, is taken for bytes.
pub fn scale_of(word: &str) -> Option<Scale> {
    let word = word.trim().trim_end_matches(['.', ',']);
    let scale = |unit, factor| Some(Scale::new(unit, factor));
    match word {
        "ns" | "Ns" | "nsec" | "nsecs" | "nanoseconds" => return scale(Unit::Nanoseconds, 1.0),
        "us" | "Us" | "US" | "USEC" | "usec" | "usecs" | "$\\mu$s" | "$\\mu s$" | "\u{b5}s"
        | "\u{3bc}s" | "microseconds" | "\u{b5}sec" => {
            return scale(Unit::Nanoseconds, 1e3);
        }
        "ms" | "MS" | "MSEC" | "msec" | "msecs" | "milliseconds" | "mS" | "Ms" => {
            return scale(Unit::Nanoseconds, 1e6);
        }
        "s" | "sec" | "secs" | "seconds" | "second" | "sec." | "Sec" | "SEC" | "SECS"
        | "SECONDS" => {
            return scale(Unit::Nanoseconds, 1e9);
        }
        "min" | "mins" | "minutes" => return scale(Unit::Nanoseconds, 60e9),
        "h" | "hours" => return scale(Unit::Nanoseconds, 3600e9),
        "%" | "percent" => return scale(Unit::Share, 0.01),
        "IOPS" | "iops" | "IOps" | "IOPs" | "Iops" | "IO/s" | "io/s" | "IOs/s" | "IOs/sec"
        | "ios/s" | "I/Os/s" => {
            return Some(Scale::IOPS);
        }
        "tps" | "TPS" => return Some(counting("tps", 1.0)),
        "rps" | "RPS" => return Some(counting("requests/s", 1.0)),
        "qps" | "QPS" => return Some(counting("queries/s", 1.0)),
        "\u{43c}\u{441}" => return scale(Unit::Nanoseconds, 1e6),
        "\u{43c}\u{43a}\u{441}" => return scale(Unit::Nanoseconds, 1e3),
        "KIOPS" | "kIOPS" | "kiops" | "K IOPS" | "k IOPS" => return scale(Unit::PerSecond, 1e3),
        "MIOPS" => return scale(Unit::PerSecond, 1e6),
        _ => {}
    }
    if let Some(amount) = per_second(word) {
        if let Some(bytes) = bytes_of(amount) {
            return scale(Unit::BytesPerSecond, bytes);
        }
        let (factor, counted) = counted_of(amount);
        if let Some(scale) = counted_unit(counted, factor) {
            return Some(scale);
        }
        return match amount {
            "Mbit" | "Mbits" => scale(Unit::BytesPerSecond, 125e3),
            "Gbit" | "Gbits" => scale(Unit::BytesPerSecond, 125e6),
            "kbit" | "Kbit" => scale(Unit::BytesPerSecond, 125.0),
            _ => None,
        };
    }
    if matches!(
        word,
        "KB" | "kB" | "MB" | "GB" | "KiB" | "MiB" | "GiB" | "TB" | "TiB" | "bytes"
    ) {
        return scale(Unit::Bytes, bytes_of(word)?);
    }
    None
}

/// The unit of a rate: `MB` in `MB/s`, `MB/sec`, `MBps`, `MB per second`.
fn per_second(word: &str) -> Option<&str> {
    [
        "/s",
        "/sec",
        "/second",
        "/S",
        "/Sec",
        "/SEC",
        " per second",
        " per sec",
        "/secs",
        "/\u{441}",
    ]
    .iter()
    .find_map(|end| word.strip_suffix(end))
    .or_else(|| {
        word.strip_suffix("ps")
            .filter(|amount| amount.ends_with('B') || amount.ends_with("ib"))
    })
    .map(str::trim)
}

/// Bytes per unit of an amount.
pub fn bytes_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "B" | "bytes" | "byte" | "Bytes" => 1.0,
        "kB" | "KB" | "Kb" | "kb" | "K" | "k" | "kbytes" | "KBytes" | "kByte" | "KByte"
        | "kbyte" | "kilobytes" => 1e3,
        "MB" | "Mb" | "mb" | "M" | "MBytes" | "Mbytes" | "MByte" | "Mbyte" | "megabytes" => 1e6,
        "GB" | "Gb" | "G" | "gb" | "GBytes" | "Gbytes" | "GByte" | "Gbyte" | "gigabytes" => 1e9,
        "TB" | "T" => 1e12,
        "\u{41a}\u{411}" => 1e3,
        "\u{41c}\u{411}" => 1e6,
        "\u{413}\u{411}" => 1e9,
        "KiB" | "kiB" | "Kib" | "kib" | "KIB" | "kibibytes" => KIB,
        "MiB" | "Mib" | "mib" | "MIB" | "mebibytes" => KIB * KIB,
        "GiB" | "Gib" | "gib" | "GIB" | "gibibytes" => KIB * KIB * KIB,
        "TiB" => KIB * KIB * KIB * KIB,
        _ => return None,
    })
}
