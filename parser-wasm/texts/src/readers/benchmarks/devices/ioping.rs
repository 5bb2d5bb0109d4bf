//! ioping, old and new layouts, also `-R` and `-q`:
//!
//! ```text
//! --- . (ext4 /dev/sdb1 465.8 GiB) ioping statistics ---
//! 7 requests completed in 5.61 ms, 28 KiB read, 1.25 k iops, 4.88 MiB/s
//! min/avg/max/mdev = 129.9 us / 800.9 us / 4.30 ms / 1.43 ms
//! 5 requests completed in 4055.7 ms, 90 iops, 0.4 mb/s            before 0.8
//! min/avg/max/mdev = 8.7/11.1/14.4/2.1 ms
//! ```

use crate::readers::benchmarks::collect::{
    Collector, binary, is_border, leading, nanoseconds, per_second, rate, time,
};
use crate::recognise::{Cursor, Output};

/// Lines between the heading and the last line of the statistics.
const MAX_GAP: usize = 4;

const LATENCIES: [(&str, &str); 4] = [
    ("latency.min", "min latency"),
    ("latency.mean", "mean latency"),
    ("latency.max", "max latency"),
    ("latency.stdev", "latency stdev"),
];

pub fn read(cursor: Cursor) -> Option<Output> {
    // Lines of requests are asked once, not each of them.
    let behind_request = cursor
        .start
        .checked_sub(1)
        .and_then(|previous| cursor.lines.get(previous))
        .is_some_and(|line| is_request(line.text()));
    if is_request(cursor.text(0)) && behind_request {
        return None;
    }
    let mut offset = 0;
    while is_request(cursor.text(offset)) {
        offset += 1;
    }
    if offset > 0 && cursor.text(offset).trim().is_empty() {
        offset += 1;
    }
    let mut found = Collector::new(cursor, "ioping");
    let title = cursor.text(offset).trim();
    if let Some(end) = read_joined(&mut found, offset, title) {
        return found.finish(end);
    }
    if title.starts_with("--- ") && title.ends_with(" ioping statistics ---") {
        let target = title.trim_matches('-').trim();
        found.add_fact(
            "target",
            target.trim_end_matches("ioping statistics").trim(),
        );
        offset += 1;
    } else if !is_completed(title) && !title.starts_with("min/avg/max/mdev") {
        return None;
    }
    let begin = offset;
    let mut end = offset;
    while offset < begin + MAX_GAP {
        let text = cursor.text(offset).trim();
        offset += 1;
        if is_completed(text) && !found.has("iops") {
            read_rates(&mut found, offset - 1, text);
            end = offset;
        } else if text.starts_with("min/avg/max/mdev") && !found.has("latency.mean") {
            read_latencies(&mut found, offset - 1, text);
            end = offset;
            break;
        } else if text.starts_with("generated ") {
            end = offset;
        } else if is_border(text) {
            break;
        }
    }
    found.finish(end)
}

/// Statistics of which a mailer has made one line; the offset behind them.
fn read_joined(found: &mut Collector, offset: usize, text: &str) -> Option<usize> {
    let (title, rest) = text.split_once(" ioping statistics --- ")?;
    let title = title.strip_prefix("--- ")?;
    let latencies = rest.find("min/avg/max/mdev").unwrap_or(rest.len());
    let (rates, latencies) = rest.split_at(latencies);
    let rates = rates.split(" generated ").next().unwrap_or(rates).trim();
    if !is_completed(rates) {
        return None;
    }
    found.add_fact("target", title);
    read_rates(found, offset, rates);
    read_latencies(found, offset, latencies);
    Some(offset + 1)
}

/// `4 KiB <<< . (ext4 /dev/sdb1 465.8 GiB): request=1 time=90.4 us`.
fn is_request(text: &str) -> bool {
    text.contains("request=") && text.contains(" time=")
}

fn is_completed(text: &str) -> bool {
    text.contains(" requests completed in ") && text.starts_with(|c: char| c.is_ascii_digit())
}

/// `1.25 k iops, 4.88 MiB/s` of a line, whatever is before.
fn read_rates(found: &mut Collector, offset: usize, text: &str) {
    for part in text.split(", ").skip(1) {
        let Some((word, value, rest)) = leading(part.trim()) else {
            continue;
        };
        let rest = rest.trim();
        if let Some(factor) = rest
            .strip_suffix("iops")
            .and_then(|letter| thousands(letter.trim()))
        {
            found.add(offset, word, per_second("iops", "IOPS"), value * factor);
        } else if rest.ends_with("/s")
            && let Some(factor) = binary(rest)
        {
            found.add(offset, word, rate("rate", "throughput"), value * factor);
        }
    }
}

fn thousands(letter: &str) -> Option<f64> {
    match letter {
        "" => Some(1.0),
        "k" | "K" => Some(1e3),
        "M" | "m" => Some(1e6),
        "G" => Some(1e9),
        _ => None,
    }
}

/// Each latency has a unit, or the last one has it for all.
fn read_latencies(found: &mut Collector, offset: usize, text: &str) {
    let Some((_, values)) = text.split_once('=') else {
        return;
    };
    let values: Vec<&str> = values.split('/').map(str::trim).collect();
    if values.len() != LATENCIES.len() {
        return;
    }
    let unit_of = |text: &str| {
        leading(text)
            .map(|(_, _, rest)| rest.trim())
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(nanoseconds)
    };
    let common = values.last().and_then(|last| unit_of(last));
    for (value_text, (key, label)) in values.iter().zip(LATENCIES) {
        let Some((word, value, _)) = leading(value_text) else {
            continue;
        };
        if let Some(factor) = unit_of(value_text).or(common) {
            found.add(offset, word, time(key, label), value * factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn both_layouts_are_read() {
        let new = "4 KiB <<< . (ext4 /dev/sdb1 465.8 GiB): request=1 time=90.4 us (warmup)\n\
            4 KiB <<< . (ext4 /dev/sdb1 465.8 GiB): request=2 time=4.30 ms\n\n\
            --- . (ext4 /dev/sdb1 465.8 GiB) ioping statistics ---\n\
            1 requests completed in 4.30 ms, 4 KiB read, 1.25 k iops, 4.88 MiB/s\n\
            generated 2 requests in 700.5 ms, 8 KiB, 11 iops, 45.7 KiB/s\n\
            min/avg/max/mdev = 129.5 us / 800.5 us / 4.30 ms / 1.43 ms\n";
        assert_eq!(
            figures(read, new),
            [
                "iops 1250",
                "rate 5117051",
                "latency.min 129500",
                "latency.mean 800500",
                "latency.max 4300000",
                "latency.stdev 1430000"
            ]
        );
        let old = "5 requests completed in 4055.7 ms, 90 iops, 0.5 mb/s\n\
            min/avg/max/mdev = 8.7/11.1/14.4/2.1 ms\n";
        assert_eq!(
            figures(read, old),
            [
                "iops 90",
                "rate 524288",
                "latency.min 8700000",
                "latency.mean 11100000",
                "latency.max 14400000",
                "latency.stdev 2100000"
            ]
        );
        assert_eq!(
            outputs(read, &format!("{old}{old}\nxfs:\n{old}{new}")).len(),
            4
        );
    }

    #[test]
    fn ping_is_no_ioping() {
        let text = "--- 10.0.0.1 ping statistics ---\n\
            3 packets transmitted, 3 received, 0% packet loss, time 2003ms\n\
            rtt min/avg/max/mdev = 0.040/0.049/0.061/0.008 ms\n";
        assert!(figures(read, text).is_empty());
        assert!(
            figures(
                read,
                "64 bytes from 10.0.0.1: icmp_seq=1 ttl=64 time=0.04 ms\n"
            )
            .is_empty()
        );
    }
}
