//! smallfile:
//!
//! ```text
//! total threads = 4
//! total files = 4000
//! 100.00% of requested files processed, warning threshold is  70.00%
//! elapsed time =     1.234
//! files/sec = 3241.5
//! IOPS = 3241.5
//! MiB/sec = 12.6
//! 7195.9 files/sec                  old versions
//! ```

use crate::readers::benchmarks::collect::{
    Collector, MIB, SECOND, decimal, leading, per_second, rate, time, value_of,
};
use crate::recognise::{Cursor, Output};

/// Limit for the lines between two that are recognised.
const MAX_GAP: usize = 4;

pub fn read(cursor: Cursor) -> Option<Output> {
    let threads = value_of(cursor.text(0), "total threads")?;
    let files = (1..=2).any(|i| value_of(cursor.text(i), "total files").is_some());
    if !files {
        return None;
    }
    let mut found = Collector::new(cursor, "smallfile");
    found.add_fact("threads", threads);
    let mut end = 1;
    let mut offset = 1;
    while offset < end + MAX_GAP {
        let text = cursor.text(offset).trim();
        if value_of(text, "total threads").is_some() {
            break;
        }
        if read_line(&mut found, offset, text) {
            end = offset + 1;
        }
        offset += 1;
    }
    found.finish(end)
}

fn read_line(found: &mut Collector, offset: usize, text: &str) -> bool {
    let shown = |name: &str| {
        value_of(text, name).or_else(|| {
            let number = text.strip_suffix(name)?.trim();
            leading(number)
                .filter(|(.., rest)| rest.is_empty())
                .map(|_| number)
        })
    };
    let figures = [
        ("files/sec", per_second("files", "files/s"), 1.0),
        ("IOPS", per_second("iops", "IOPS"), 1.0),
        ("MiB/sec", rate("rate", "throughput"), MIB),
        ("elapsed time", time("time", "time"), SECOND),
        ("sec elapsed time", time("time", "time"), SECOND),
    ];
    for (name, metric, factor) in figures {
        let Some((word, value)) = shown(name).and_then(|word| Some((word, decimal(word)?))) else {
            continue;
        };
        found.add(offset, word, metric, value * factor);
        return true;
    }
    text.contains("% of requested files processed")
        || ["total files", "total IOPS", "total data"]
            .iter()
            .any(|name| value_of(text, name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn both_versions_are_read() {
        let new = "total threads = 4\ntotal files = 4000\ntotal IOPS = 4000\n\
            100.00% of requested files processed, warning threshold is  70.00%\n\
            elapsed time =     1.250\nfiles/sec = 3241.5\nIOPS = 3242.5\nMiB/sec = 12.5\n";
        let expected = [
            "time 1250000000",
            "files 3241.5",
            "iops 3242.5",
            "rate 13107200",
        ];
        assert_eq!(figures(read, new), expected);
        let old = "total threads = 2\ntotal files = 2000\n\
            100.00% of requested files processed, minimum is  70.00\n\
            1.250000 sec elapsed time\n3241.5 files/sec\n3242.5 IOPS\n12.5 MiB/sec\n";
        assert_eq!(figures(read, old), expected);
        assert_eq!(outputs(read, &format!("{new}{old}")).len(), 2);
        assert!(figures(read, "total threads = 4\n").is_empty());
    }
}
