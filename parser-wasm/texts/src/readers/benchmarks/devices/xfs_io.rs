//! What `xfs_io` and `qemu-io` say of a transfer:
//!
//! ```text
//! wrote 33554432/33554432 bytes at offset 0
//! 32 MiB, 8192 ops; 0.5388 sec (59.383 MiB/sec and 15202.0131 ops/sec)
//! 32 MiB, 8192 ops; 0:00:00.54 (59.383 MiB/sec and 15202.0131 ops/sec)     before 5.0
//! ```

use crate::readers::benchmarks::collect::{
    Collector, SECOND, binary, clock, leading, per_second, rate, time, with_unit,
};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "xfs_io");
    let operation = operation_of(cursor.text(0));
    let offset = usize::from(operation.is_some());
    let text = cursor.text(offset).trim();
    let (amount, inner) = text.split_once('(')?;
    let (_, shown_time) = amount.split_once(';')?;
    if !amount.contains(" ops;") {
        return None;
    }
    let (shown_rate, shown_ops) = inner.strip_suffix(')')?.split_once(" and ")?;
    let operation = operation.unwrap_or("transfer");
    if let Some((word, value, unit)) = with_unit(shown_rate) {
        let metric = rate(
            &format!("{operation}.rate"),
            &format!("{operation} throughput"),
        );
        let factor = binary(unit).filter(|_| unit.ends_with("/sec"))?;
        found.add(offset, word, metric, value * factor);
    }
    if let Some((word, value, "ops/sec")) = with_unit(shown_ops) {
        let metric = per_second(&format!("{operation}.iops"), &format!("{operation} IOPS"));
        found.add(offset, word, metric, value);
    }
    let seconds = shown_time.trim().trim_end_matches("sec").trim();
    if let Some(value) = clock(seconds) {
        let metric = time(&format!("{operation}.time"), &format!("{operation} time"));
        let word =
            leading(seconds).map_or(
                seconds,
                |(word, ..)| {
                    if seconds.contains(':') { seconds } else { word }
                },
            );
        found.add(offset, word, metric, value * SECOND);
    }
    found.finish(offset + 1)
}

/// The operation of `wrote 33554432/33554432 bytes at offset 0`.
fn operation_of(text: &str) -> Option<&'static str> {
    let (word, rest) = text.trim().split_once(' ')?;
    let (done, _) = rest.split_once(" bytes at offset ")?;
    let (did, wanted) = done.split_once('/')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(did) || !digits(wanted) {
        return None;
    }
    Some(match word {
        "wrote" => "write",
        "read" => "read",
        "discarded" => "discard",
        "linked" | "reflinked" => "reflink",
        "deduped" => "dedupe",
        "copied" => "copy",
        "sent" => "send",
        "allocated" => "allocate",
        _ => "transfer",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn old_and_new_lines_are_read() {
        let text = "wrote 33554432/33554432 bytes at offset 0\n\
            32 MiB, 8192 ops; 0.5000 sec (64.000 MiB/sec and 16384.0000 ops/sec)\n\
            read 4096/4096 bytes at offset 0\n\
            4 KiB, 1 ops; 0:00:01.50 (2.667 KiB/sec and 0.6667 ops/sec)\n\
            1 GiB, 1 ops; 00.50 sec (2 GiB/sec and 2.0000 ops/sec)\n";
        assert_eq!(
            figures(read, text),
            [
                "write.rate 67108860",
                "write.iops 16384",
                "write.time 500000000",
                "read.rate 2731.008",
                "read.iops 0.6667",
                "read.time 1500000000",
                "transfer.rate 2147484000",
                "transfer.iops 2",
                "transfer.time 500000000",
            ]
        );
        assert_eq!(outputs(read, text).len(), 3);
        assert!(figures(read, "32 MiB, 12 ops; it took 3 s (a lot and more)\n").is_empty());
    }
}
