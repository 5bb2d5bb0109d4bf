//! `pveperf` of Proxmox:
//!
//! ```text
//! CPU BOGOMIPS:      57596.16
//! REGEX/SECOND:      3123451
//! HD SIZE:           93.93 GB (/dev/mapper/pve-root)
//! BUFFERED READS:    512.21 MB/sec
//! AVERAGE SEEK TIME: 0.11 ms
//! FSYNCS/SECOND:     1822.33
//! DNS EXT:           31.22 ms
//! ```
//!
//! The rate of reads is that of hdparm, whose megabytes are 2^20 bytes.

use crate::readers::benchmarks::collect::{Collector, MIB, MS, leading, per_second, rate, time};
use crate::recognise::{Cursor, Output};

const NAMES: [&str; 8] = [
    "CPU BOGOMIPS",
    "REGEX/SECOND",
    "HD SIZE",
    "BUFFERED READS",
    "AVERAGE SEEK TIME",
    "FSYNCS/SECOND",
    "DNS EXT",
    "DNS INT",
];

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "pveperf");
    let mut seen: Vec<&str> = Vec::new();
    let mut offset = 0;
    while let Some((name, value)) = line(cursor.text(offset)) {
        // A name that comes again begins another output.
        if seen.contains(&name) {
            break;
        }
        seen.push(name);
        if let Some((word, value, _)) = leading(value) {
            let (metric, factor) = match name {
                "REGEX/SECOND" => (per_second("regex", "regexes/s"), 1.0),
                "BUFFERED READS" => (rate("read.rate", "buffered reads"), MIB),
                "AVERAGE SEEK TIME" => (time("seek.mean", "mean seek time"), MS),
                "FSYNCS/SECOND" => (per_second("fsyncs", "fsyncs/s"), 1.0),
                _ => {
                    offset += 1;
                    continue;
                }
            };
            found.add(offset, word, metric, value * factor);
        }
        offset += 1;
    }
    found.finish(offset)
}

fn line(text: &str) -> Option<(&'static str, &str)> {
    let (name, value) = text.split_once(':')?;
    let name = NAMES
        .into_iter()
        .find(|candidate| *candidate == name.trim())?;
    Some((name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn what_depends_on_the_disk_is_read() {
        let text = "CPU BOGOMIPS:      57596.16\nREGEX/SECOND:      3123451\n\
            HD SIZE:           93.93 GB (/dev/mapper/pve-root)\n\
            BUFFERED READS:    512.5 MB/sec\nAVERAGE SEEK TIME: 0.125 ms\n\
            FSYNCS/SECOND:     1822.5\nDNS EXT:           31.22 ms\n";
        assert_eq!(
            figures(read, text),
            [
                "regex 3123451",
                "read.rate 537395200",
                "seek.mean 125000",
                "fsyncs 1822.5"
            ]
        );
        assert_eq!(outputs(read, &format!("{text}{text}")).len(), 2);
    }
}
