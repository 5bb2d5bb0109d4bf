//! The meaning of headings and labels of tables: metrics, units, operations, dimensions, changes.

use crate::observation::{Good, Metric, Unit, slug};
use crate::quantity::{Scale, scale_of};

mod dimensions;
mod identifier;

pub use dimensions::{
    is_dimension, is_limit, is_limit_heading, is_operation, is_plain_operation, is_side,
    is_side_heading, is_test_heading, is_thing, kernel_and_value, name_kernels_and_values,
    name_sides, sets_value,
};

/// What a column or row contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Throughput,
    Iops,
    Latency,
    Time,
    /// CPU and utilisation: a figure without a better direction.
    Share,
    /// `avg`, `median`: of a metric that the table does not name.
    Statistic,
    /// The deviation or error of another column.
    Spread,
    /// A comparison that the text has made itself.
    Change,
}

/// A heading with its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Described<'a> {
    /// The name without the unit.
    pub name: &'a str,
    pub scale: Option<Scale>,
    pub kind: Option<Kind>,
}

impl Described<'_> {
    /// Whether it names a metric, and not only a unit or a side.
    pub fn is_metric(&self) -> bool {
        matches!(
            self.kind,
            Some(
                Kind::Throughput
                    | Kind::Iops
                    | Kind::Latency
                    | Kind::Time
                    | Kind::Share
                    | Kind::Statistic
            )
        )
    }

    /// The unit that its kind alone implies.
    pub fn implied(&self) -> Option<Scale> {
        self.scale.or(match self.kind {
            Some(Kind::Iops) => Some(Scale::IOPS),
            _ => None,
        })
    }
}

/// `6.0 Gb/s` is the speed of a link, and no result.
pub fn is_link_speed(text: &str) -> bool {
    text.ends_with("Gb/s") || text.ends_with("Gbps")
}

/// Takes a unit off a text: `ReadBW(KB/s)`, `BW MiB/s`, `latency, us`, `Rate [MB/s]`, `MB/s`.
pub fn describe(text: &str) -> Described<'_> {
    let text = without_direction(text.trim().trim_end_matches([':', '*']).trim());
    let text = without_spread(text);
    // `wbt_lat_usec=0` is no latency.
    if sets_value(text) {
        return Described {
            name: text,
            ..Described::default()
        };
    }
    let (name, scale) = match unit_of(text) {
        (name, Some(scale)) if scale.unit == Unit::Nanoseconds && is_span(name) => (text, None),
        described => described,
    };
    // `**wakeup p99** (us)`: the marks of Markdown are left before the unit.
    let name = name.trim_matches(['*', '`']).trim();
    Described {
        name,
        scale,
        kind: kind_of(name, scale),
    }
}

/// A heading without the remark that says which direction is better: `IOPS (higher is better)`.
fn without_direction(text: &str) -> &str {
    if !text.ends_with([')', ']']) && !text.ends_with("better") {
        return text;
    }
    let cut = text.rfind(['(', '[', ',', '\u{2013}', '-']).unwrap_or(0);
    let (front, remark) = text.split_at(cut);
    // `(MB/s, higher is better)` has a unit, too.
    let alone = remark.starts_with(['(', '[']) || !front.contains(['(', '[']);
    if better_of(remark).is_some() && alone {
        front.trim_end()
    } else {
        text
    }
}

/// A heading without the remark that names the spread behind each figure: `read MB/s (stdev)`.
fn without_spread(text: &str) -> &str {
    let Some((front, remark)) = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("))
    else {
        return text;
    };
    match kind_of(
        remark.trim_start_matches(['\u{b1}', '+', '-', '/']).trim(),
        None,
    ) {
        Some(Kind::Spread) => front.trim_end(),
        _ => text,
    }
}

/// Whether a text is a time or several, and no name with the unit of other figures: `0-1 ms`,
/// `> 10 ms`, `100 us`. Releases of kernels are names.
fn is_span(name: &str) -> bool {
    let bounds = name.trim_start_matches(['<', '>', '=', '\u{2264}', '\u{2265}', ' ']);
    let mut numbers = bounds
        .split(['-', '\u{2013}', '.'])
        .map(str::trim)
        .filter(|number| !number.is_empty())
        .peekable();
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let is_bound = bounds.len() < name.len();
    numbers.peek().is_some() && numbers.all(is_number) && (is_bound || !bounds.contains('.'))
}

fn unit_of(text: &str) -> (&str, Option<Scale>) {
    if let Some(unit) = unit_of_operation(text) {
        return (text, Some(unit));
    }
    // Columns of iostat, which has no units.
    if ["await", "r_await", "w_await", "svctm"].contains(&text) {
        return (text, scale_of("ms"));
    }
    if text
        .strip_prefix('%')
        .is_some_and(|name| name.starts_with(char::is_alphabetic))
    {
        return (text, scale_of("%"));
    }
    // The least of several values, and no minutes.
    if text.eq_ignore_ascii_case("min") {
        return (text, None);
    }
    // `avg IOPS` and `max MB/s` name no side in front of the unit.
    if let Some((statistic, last)) = text.split_once(' ')
        && let Some(scale) =
            scale_of(last.trim_matches(['(', ')', '[', ']'])).filter(|scale| scale.unit.is_rate())
        && is_statistic(statistic)
    {
        let name = if scale.unit == Unit::PerSecond {
            text
        } else {
            statistic
        };
        return (name, Some(scale));
    }
    if let Some(scale) = scale_of(text) {
        // `TPS` and `files/s` say what is counted.
        let counts = scale.unit == Unit::PerSecond && !text.to_ascii_lowercase().contains("io");
        return (if counts { text } else { "" }, Some(scale));
    }
    if let Some(open) = text.rfind(['(', '[']) {
        let inside = text[open + 1..].trim_end_matches([')', ']', ':']).trim();
        // A caption may have it in brackets: `(MB/s, higher is better)`, `(latency, us)`.
        let part = inside.split([',', ';']).find_map(scale_of);
        if let Some(scale) = part.or_else(|| scale_of(inside)) {
            let name = text[..open].trim();
            let behind = text[open..].split([')', ']']).nth(1).unwrap_or("").trim();
            return (if name.is_empty() { behind } else { name }, Some(scale));
        }
        // `IOPS (k) and queue depth`: words behind the brackets may be a name.
        let (inside, behind) = text[open + 1..]
            .split_once([')', ']'])
            .unwrap_or((inside, ""));
        if let Some(factor) = multiple_of(inside)
            && let (name, Some(scale)) = unit_of(text[..open].trim())
            && scale.unit == Unit::PerSecond
        {
            let factor = scale.factor * factor;
            let name = if name.is_empty() { behind.trim() } else { name };
            return (name, Some(Scale { factor, ..scale }));
        }
    }
    if let Some((name, scale)) = identifier::rate_of(text) {
        let counts = scale.unit == Unit::PerSecond;
        return (if counts { text } else { name }, Some(scale));
    }
    // `seq read MB per second` is no time.
    if let Some((front, _)) = text.rsplit_once(" per ")
        && let (name, amount) = front.rsplit_once(' ').unwrap_or(("", front))
        && let Some(scale) = scale_of(&text[front.len() - amount.len()..])
        && scale.unit.is_rate()
    {
        return (name.trim_end_matches([',', ' ']), Some(scale));
    }
    for separator in [", ", " in ", " ", "_", "/", "-"] {
        if let Some((name, last)) = text.rsplit_once(separator) {
            // `lat_us`, `MB/s` and `time s` are units; `a_s` is none.
            let long = last.len() > 1
                || last == "%"
                || (separator == " " || separator == "_")
                    && matches!(kind_of(name, None), Some(Kind::Time | Kind::Latency));
            if let Some(scale) =
                scale_of(last).filter(|_| long || separator == ", " || separator == " in ")
            {
                // `power_on_hours` counts hours, `lat_us` and `fsync_ms` are times.
                let counts = separator == "_"
                    && scale.unit == Unit::Nanoseconds
                    && kind_of(name, None).is_none()
                    && !(is_operation(name) && last.ends_with(['s', 'c']));
                let rates = scale.unit.is_rate();
                if separator != "/"
                    && (separator != "-" || rates)
                    && scale.unit != Unit::Bytes
                    && !counts
                {
                    return (name.trim_end_matches([',', ' ']), Some(scale));
                }
            }
        }
    }
    // The unit may be first: `KB/s old`.
    if let Some((first, rest)) = text.split_once(' ')
        && let Some(scale) = scale_of(first).filter(|scale| scale.unit.is_rate())
    {
        // `IOPS (6.1)`: the brackets are no part of the side.
        let inner = rest
            .trim()
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        return (inner.unwrap_or(rest).trim(), Some(scale));
    }
    (text, None)
}

/// The unit of a rate that begins with the letter of its operation: `rbps`, `wMB/s`, `r/s`. Those
/// of iostat are powers of 1024.
fn unit_of_operation(text: &str) -> Option<Scale> {
    let rest = text.strip_prefix(['r', 'w'])?;
    match rest {
        "bps" => scale_of("B/s"),
        "/s" | "/sec" | "iops" | "IOPS" => scale_of("IOPS"),
        "kB/s" | "KB/s" => scale_of("KiB/s"),
        "MB/s" => scale_of("MiB/s"),
        _ => scale_of(rest).filter(|scale| scale.unit == Unit::BytesPerSecond),
    }
}

/// What a remark behind a unit multiplies it with: `IOPS (k)`, `IOPS (in thousands)`.
fn multiple_of(remark: &str) -> Option<f64> {
    match remark.trim_start_matches("in ") {
        "k" | "K" | "x1000" | "thousand" | "thousands" => Some(1e3),
        "M" | "million" | "millions" => Some(1e6),
        _ => None,
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "a table: the words of each kind of number"
)]
fn kind_of(name: &str, scale: Option<Scale>) -> Option<Kind> {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '%' && c != '\u{3c3}' && c != '\u{b1}')
        .filter(|word| !word.is_empty())
        .collect();
    let any = |candidates: &[&str]| words.iter().any(|word| candidates.contains(word));
    if any(&[
        "change",
        "diff",
        "delta",
        "difference",
        "gain",
        "improvement",
        "speedup",
        "ratio",
        "regression",
        "%change",
        "%diff",
        "impr",
        "loss",
        "rel",
        "relative",
        "vs",
        "faster",
        "slower",
    ]) || words.ends_with(&["speed", "up"])
        || lower == "%"
        || lower == "+/-"
    {
        return Some(Kind::Change);
    }
    if any(&[
        "stddev",
        "stdev",
        "std",
        "stderr",
        "deviation",
        "error",
        "err",
        "cv",
        "variance",
        "var",
        "\u{3c3}",
        "\u{b1}",
        "%stddev",
        "rsd",
        "jitter",
        "ci",
        "ci95",
        "conf",
        "pvalue",
    ]) || words.last() == Some(&"sd")
        || words.ends_with(&["p", "value"])
        || words.ends_with(&["t", "test"])
        || is_plus_minus(&lower)
    {
        return Some(Kind::Spread);
    }
    if any(&["iops", "iop", "iopses", "tps", "kiops", "qps"]) || lower.contains("iops") {
        return Some(Kind::Iops);
    }
    if any(&[
        "lat",
        "latency",
        "latencies",
        "clat",
        "slat",
        "await",
        "svctm",
        "response",
        "delay",
        "maxclat",
        "avgclat",
    ]) || words.iter().any(|word| {
        is_percentile(word)
            || word.ends_with("clat")
            || word.ends_with("latency")
            || word.ends_with("lat") && word.len() > 3 && *word != "flat"
    }) {
        return Some(Kind::Latency);
    }
    let of_operation = scale.filter(|_| unit_of_operation(name).is_some());
    if let Some(scale) = of_operation {
        return match scale.unit {
            Unit::PerSecond => Some(Kind::Iops),
            _ => Some(Kind::Throughput),
        };
    }
    if any(&[
        "bw",
        "bandwidth",
        "throughput",
        "thruput",
        "thrput",
        "tput",
        "speed",
        "rate",
        "readbw",
        "writebw",
    ]) || lower.ends_with("bw") && lower != "tbw"
    {
        return Some(Kind::Throughput);
    }
    if any(&[
        "cpu",
        "usr",
        "sys",
        "util",
        "utilization",
        "utilisation",
        "iowait",
        "cpu%",
        "%cpu",
        "%util",
        "%usr",
        "%sys",
        "%user",
        "%system",
        "usr%",
        "sys%",
        "user%",
        "system%",
        "util%",
        "load",
    ]) {
        return Some(Kind::Share);
    }
    if any(&[
        "time", "runtime", "elapsed", "duration", "real", "wall", "seconds", "secs",
    ]) {
        return Some(Kind::Time);
    }
    match (lower.as_str(), scale.map(|scale| scale.unit)) {
        ("", Some(Unit::BytesPerSecond)) => Some(Kind::Throughput),
        ("", Some(Unit::PerSecond)) => Some(Kind::Iops),
        (_, Some(Unit::PerSecond)) if scale_of(name).is_some() => Some(Kind::Iops),
        ("", Some(Unit::Nanoseconds)) => Some(Kind::Time),
        (statistic, Some(unit)) if is_statistic(statistic) => match unit {
            Unit::Nanoseconds => Some(Kind::Time),
            Unit::BytesPerSecond => Some(Kind::Throughput),
            Unit::PerSecond => Some(Kind::Iops),
            _ => None,
        },
        ("", Some(Unit::Share)) => Some(Kind::Change),
        _ => None,
    }
}

/// `+-%`, `\u{b1}%`: the signs of a deviation alone.
fn is_plus_minus(heading: &str) -> bool {
    heading.contains(['%', '\u{b1}'])
        && heading.contains(['+', '\u{b1}'])
        && heading.chars().all(|c| "+-/% ()\u{b1}".contains(c))
}

/// `avg`, `max`: a statistic of what a unit or another word names.
pub fn is_statistic(word: &str) -> bool {
    const STATISTICS: [&str; 9] = [
        "avg", "average", "mean", "median", "min", "max", "peak", "minimum", "maximum",
    ];
    let word = word.trim_end_matches('.');
    STATISTICS
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name))
}

/// Whether a word is a percentile: `p99`, `p99.9`, `99th`, `99.9%`.
pub fn is_percentile(word: &str) -> bool {
    let digits = |text: &str| {
        !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    };
    word.strip_prefix('p')
        .is_some_and(|rest| digits(rest) && rest.len() >= 2)
        || word.strip_suffix("th").is_some_and(digits)
        || word == "percentile"
}

/// Whether a word is part of the name of a metric: `avg`, `lat`, `read`, `p99`.
pub fn is_metric_word(word: &str) -> bool {
    const STATISTICS: [&str; 9] = [
        "avg", "average", "mean", "median", "max", "min", "total", "peak", "random",
    ];
    let word = word.trim_matches(['(', ')', '[', ']', ',', ':']);
    let kind = kind_of(word, scale_of(word));
    let units = [Unit::Nanoseconds, Unit::BytesPerSecond, Unit::PerSecond];
    let is_unit = |scale: Scale| units.contains(&scale.unit) && word.len() > 1;
    scale_of(word).is_some_and(is_unit)
        || STATISTICS.contains(&word.to_ascii_lowercase().as_str())
        || kind.is_some_and(|kind| !matches!(kind, Kind::Change | Kind::Spread))
        || is_operation(word)
}

/// The metric of a column or row, in the unit of its figures. `name` is what its heading says
/// besides the unit.
pub fn metric(name: &str, kind: Option<Kind>, scale: Scale, better: Option<Good>) -> Metric {
    let unit = scale.unit;
    let default = match (kind, unit) {
        (_, Unit::BytesPerSecond) => "throughput",
        (_, Unit::PerSecond) => scale.counted.unwrap_or("IOPS"),
        (Some(Kind::Latency), Unit::Nanoseconds) => "latency",
        (_, Unit::Nanoseconds) => "time",
        (_, Unit::Share) => "share",
        (_, Unit::Bytes) => "amount",
        (_, Unit::None) => "value",
    };
    // `Avg MB/s` is the mean of the throughput.
    let is_rate = unit.is_rate();
    let label = match name {
        "" => default.to_owned(),
        statistic if is_rate && is_statistic(statistic) => {
            format!("{statistic} {default}")
        }
        name => name.to_owned(),
    };
    let metric = Metric::new(slug(&label), label, unit);
    let implied = match kind {
        Some(Kind::Throughput | Kind::Iops) => Some(Good::More),
        Some(Kind::Latency | Kind::Time) => Some(Good::Less),
        _ => metric.good,
    };
    Metric {
        good: better.or(implied),
        ..metric
    }
}

/// The direction that a caption calls better.
pub fn better_of(text: &str) -> Option<Good> {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("better") {
        return None;
    }
    let says = |words: &[&str]| {
        words.iter().any(|word| {
            lower.contains(&format!("{word} is better"))
                || lower.contains(&format!("{word} = better"))
                || lower.contains(&format!("{word} better"))
        })
    };
    if says(&["higher", "more", "larger", "bigger"]) {
        Some(Good::More)
    } else if says(&["lower", "less", "smaller"]) {
        Some(Good::Less)
    } else {
        None
    }
}
