//! The columns of iostat and sar, of all versions, as metrics.

use super::words::{Human, KIB, SECTOR, human};
use crate::observation::{Metric, Unit, slug};

/// Columns of a heading; lines with more are none.
pub const MAX_COLUMNS: usize = 64;

/// The meaning of a column of counters.
#[derive(Clone, Debug)]
pub struct Column {
    pub metric: Metric,
    /// The metric's unit in one printed unit; shares are printed in percent.
    factor: f64,
    /// For a mean per request: the key of the rate without which it does not exist, or an empty key
    /// for all requests.
    pub per: Option<&'static str>,
    pub is_known: bool,
}

impl Column {
    /// The value of a printed word, in the metric's unit.
    pub fn value(&self, word: &str) -> Option<f64> {
        match human(word)? {
            // The division keeps 1.8 % at 0.018.
            Human::InColumnUnit(value) if self.metric.unit == Unit::Share => Some(value / 100.0),
            Human::InColumnUnit(value) => Some(value * self.factor),
            Human::Bytes(bytes) => {
                let sized = matches!(self.metric.unit, Unit::Bytes | Unit::BytesPerSecond);
                sized.then_some(bytes)
            }
        }
    }
}

const MIB: f64 = KIB * KIB;

/// A column by its name. Neither direction of a rate is better: the same work may need fewer or
/// smaller requests, or wait for something else. Amounts since the last report are left out: they
/// are the rates again.
pub fn column(name: &str) -> Option<Column> {
    if matches!(
        name,
        "kB_read"
            | "kB_wrtn"
            | "kB_dscd"
            | "MB_read"
            | "MB_wrtn"
            | "MB_dscd"
            | "Blk_read"
            | "Blk_wrtn"
            | "Blk_dscd"
            | "GB_read"
            | "GB_wrtn"
            | "GB_dscd"
    ) {
        return None;
    }
    let counter = |key: String, label: String, unit: Unit, factor: f64, per| {
        let metric = Metric::new(key, label, unit);
        let metric = if unit == Unit::Nanoseconds {
            metric
        } else {
            metric.neutral()
        };
        Some(Column {
            metric,
            factor,
            per,
            is_known: true,
        })
    };
    let simple = |key: &str, label: &str, unit, factor, per| {
        counter(key.to_owned(), label.to_owned(), unit, factor, per)
    };
    match name {
        "tps" => return simple("iops", "IOPS (tps)", Unit::PerSecond, 1.0, None),
        "rtps" => return simple("read.iops", "read IOPS", Unit::PerSecond, 1.0, None),
        "wtps" => return simple("write.iops", "write IOPS", Unit::PerSecond, 1.0, None),
        "dtps" => return simple("discard.iops", "discard IOPS", Unit::PerSecond, 1.0, None),
        "rqm/s" => return simple("merges", "merges per second", Unit::PerSecond, 1.0, None),
        "await" => return simple("await", "await", Unit::Nanoseconds, 1e6, Some("")),
        "svctm" => {
            return simple(
                "svctm",
                "service time (svctm)",
                Unit::Nanoseconds,
                1e6,
                Some(""),
            );
        }
        "avgrq-sz" => return simple("size", "request size", Unit::Bytes, SECTOR, Some("")),
        "areq-sz" => return simple("size", "request size", Unit::Bytes, KIB, Some("")),
        "avgqu-sz" | "aqu-sz" => return simple("queue", "queue size", Unit::None, 1.0, None),
        "%util" => return simple("util", "utilisation", Unit::Share, 1.0, None),
        "kB/s" => return simple("bw", "throughput", Unit::BytesPerSecond, KIB, None),
        "MB/s" => return simple("bw", "throughput", Unit::BytesPerSecond, MIB, None),
        _ => {}
    }
    if let Some((operation, factor)) = throughput(name) {
        let key = format!("{operation}.bw");
        let label = format!("{operation} throughput");
        return counter(key, label, Unit::BytesPerSecond, factor, None);
    }
    if let Some((operation, rest)) = by_operation(name) {
        let (key, words, unit, factor, per) = match rest {
            "/s" => ("iops", "IOPS", Unit::PerSecond, 1.0, None),
            "rqm/s" => ("merges", "merges per second", Unit::PerSecond, 1.0, None),
            "rqm" => ("merged", "share merged", Unit::Share, 1.0, Some(operation)),
            "_await" => ("await", "await", Unit::Nanoseconds, 1e6, Some(operation)),
            "areq-sz" => ("size", "request size", Unit::Bytes, KIB, Some(operation)),
            _ => return unknown(name),
        };
        let (key, label) = (format!("{operation}.{key}"), format!("{operation} {words}"));
        return counter(key, label, unit, factor, per);
    }
    unknown(name)
}

/// Names of columns that may be last where lines are cut.
const NAMES: [&str; 34] = [
    "tps", "r/s", "w/s", "d/s", "f/s", "rkB/s", "wkB/s", "dkB/s", "rMB/s", "wMB/s", "dMB/s",
    "rsec/s", "wsec/s", "rrqm/s", "wrqm/s", "drqm/s", "%rrqm", "%wrqm", "%drqm", "r_await",
    "w_await", "d_await", "f_await", "await", "rareq-sz", "wareq-sz", "dareq-sz", "areq-sz",
    "avgrq-sz", "avgqu-sz", "aqu-sz", "svctm", "%util", "kB/s",
];

/// Whether a name is the begin of a known one: then the numbers below it are cut, too.
pub fn is_cut(name: &str) -> bool {
    column(name).is_none_or(|column| !column.is_known)
        && NAMES.iter().any(|full| full.starts_with(name))
}

/// A column of a version that is not known: its numbers without a unit.
fn unknown(name: &str) -> Option<Column> {
    let shown = name.chars().any(char::is_alphanumeric);
    shown.then(|| Column {
        metric: Metric::new(slug(name), name, Unit::None),
        factor: 1.0,
        per: None,
        is_known: false,
    })
}

/// `rkB/s`, `wsec/s`, `kB_read/s`, `Blk_wrtn/s`, `rd_sec/s`, `bread/s`: the operation, and bytes of
/// the unit. Blocks are sectors since Linux 2.4, and sizes are powers of 1024.
fn throughput(name: &str) -> Option<(&'static str, f64)> {
    let amount = name.strip_suffix("/s")?;
    let unit = |text: &str| match text {
        "kB" | "k" => Some(KIB),
        "MB" | "M" => Some(MIB),
        "GB" => Some(MIB * KIB),
        "sec" | "Blk" => Some(SECTOR),
        _ => None,
    };
    if let Some((text, operation)) = amount.split_once('_') {
        let word = match operation {
            "read" => Some("read"),
            "wrtn" => Some("write"),
            "dscd" => Some("discard"),
            _ => None,
        };
        if let (Some(word), Some(factor)) = (word, unit(text)) {
            return Some((word, factor));
        }
    }
    match amount {
        "rd_sec" | "bread" => return Some(("read", SECTOR)),
        "wr_sec" | "bwrtn" => return Some(("write", SECTOR)),
        "bdscd" => return Some(("discard", SECTOR)),
        "pgpgin" => return Some(("read", KIB)),
        "pgpgout" => return Some(("write", KIB)),
        // FreeBSD and Solaris have these names.
        "kr" => return Some(("read", KIB)),
        "kw" => return Some(("write", KIB)),
        _ => {}
    }
    let operation = operation(amount.chars().next()?)?;
    Some((operation, unit(&amount[1..])?))
}

/// `r_await`, `wrqm/s`, `%drqm`, `rareq-sz`: the operation, and the rest of the name.
fn by_operation(name: &str) -> Option<(&'static str, &str)> {
    let name = match name.strip_prefix('%') {
        Some(rest) => rest.strip_suffix("rqm").map(|_| rest)?,
        None if name.ends_with("rqm") => return None,
        None => name,
    };
    let operation = operation(name.chars().next()?)?;
    Some((operation, &name[1..]))
}

fn operation(letter: char) -> Option<&'static str> {
    match letter {
        'r' => Some("read"),
        'w' => Some("write"),
        'd' => Some("discard"),
        'f' => Some("flush"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_all_versions_have_units() {
        let cases = [
            ("rkB/s", "8.00", "read.bw", 8192.0),
            ("wMB/s", "2", "write.bw", 2.0 * MIB),
            ("rsec/s", "2", "read.bw", 1024.0),
            ("Blk_wrtn/s", "2", "write.bw", 1024.0),
            ("kB_read/s", "1,5", "read.bw", 1536.0),
            ("kB_read/s", "1.5M", "read.bw", 1.5 * MIB),
            ("kB_dscd/s", "1", "discard.bw", 1024.0),
            ("rd_sec/s", "2", "read.bw", 1024.0),
            ("bwrtn/s", "2", "write.bw", 1024.0),
            ("r/s", "7", "read.iops", 7.0),
            ("f/s", "7", "flush.iops", 7.0),
            ("rrqm/s", "7", "read.merges", 7.0),
            ("%wrqm", "50", "write.merged", 0.5),
            ("d_await", "0.5", "discard.await", 5e5),
            ("f_await", "0.5", "flush.await", 5e5),
            ("await", "0.5", "await", 5e5),
            ("rareq-sz", "8", "read.size", 8192.0),
            ("avgrq-sz", "8", "size", 4096.0),
            ("areq-sz", "8.0k", "size", 8192.0),
            ("%util", "80.4", "util", 0.804),
            ("aqu-sz", "2.5", "queue", 2.5),
            ("tps", "3", "iops", 3.0),
            ("kB/s", "3", "bw", 3072.0),
            ("new-col", "3", "new-col", 3.0),
        ];
        for (name, word, key, expected) in cases {
            let column = column(name).expect(name);
            let value = column.value(word).expect(word);
            assert_eq!(column.metric.key, key, "{name}");
            assert!((value / expected - 1.0).abs() < 1e-9, "{name}: {value}");
            let less = column.metric.good.is_some();
            assert_eq!(less, column.metric.unit == Unit::Nanoseconds, "{name}");
        }
        for name in NAMES {
            assert!(super::column(name).is_some_and(|c| c.is_known), "{name}");
            assert!(!is_cut(name) && is_cut(&name[..1]), "{name}");
        }
        for name in ["kB_read", "Blk_wrtn", "|", "\u{20ac}"] {
            assert!(column(name).is_none(), "{name}");
        }
        assert!(!column("new-col").expect("unknown").is_known);
        assert!(!column("rqm").expect("unknown").is_known);
    }
}
