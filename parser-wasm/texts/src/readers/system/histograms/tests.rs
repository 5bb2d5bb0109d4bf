use super::*;
use crate::readers::system::samples::{read_with, values};

const DISKS: &str = "\
Tracing block device I/O... Hit Ctrl-C to end.
^C
disk = 'sda'
     usecs               : count     distribution
         0 -> 1          : 0        |                                        |
       128 -> 255        : 89       |****************************************|
       256 -> 511        : 10       |*************************************   |
       512 -> 1023       : 1        |                                        |

disk = b'sdb'\tflags = Read
     usecs               : count     distribution
       128 -> 255        : 2        |                                        |
avg = 140 usecs, total: 280 usecs, count: 2
";

#[test]
fn percentiles_are_upper_bounds_of_buckets() {
    let output = read_with(read, &format!("{DISKS}\nHm."), None).expect("biolatency");
    assert_eq!((output.tool, output.end), ("biolatency", 13));
    let values_of = |key| values(&output, key);
    assert_eq!(values_of("count"), [("sda", "", 100.0), ("sdb", "", 2.0)]);
    assert_eq!(
        values_of("latency.p50"),
        [("sda", "", 256e3), ("sdb", "", 256e3)]
    );
    assert_eq!(values_of("latency.p99")[0].2, 512e3);
    let last = output.observations.last().expect("figures");
    assert_eq!(last.dimensions[1], NamedValue::new("flags", "Read"));
    assert_eq!(values_of("latency.p99.9")[0].2, 1024e3);
    assert_eq!(values_of("latency.mean"), [("sdb", "", 140e3)]);
    assert_eq!(output.distributions.len(), 2);
    assert_eq!(
        output.distributions[0].bins,
        [(256e3, 89), (512e3, 10), (1_024e3, 1)]
    );
}

#[test]
fn a_second_histogram_is_an_interval_only_where_the_text_says_so() {
    let single = "\
     msecs               : count     distribution
         0 -> 1          : 7        |****************************************|

";
    let output = read_with(read, &format!("{single}{single}"), None).expect("histograms");
    assert_eq!(output.end, 2);
    let output = read_with(
        read,
        &format!("{single}{single}"),
        Some("biolatency -m 1 5"),
    );
    assert_eq!(output.map(|output| output.end), Some(5));
    let timed = format!("10:11:12\n{single}10:11:13\n{single}");
    let output = read_with(read, &timed, None).expect("biolatency -T");
    assert_eq!(
        values(&output, "latency.p50"),
        [("", "1", 2e6), ("", "2", 2e6)]
    );
    let again = format!("Tracing block device I/O... Hit Ctrl-C to end.\n{single}");
    let output = read_with(read, &format!("{again}{again}"), None).expect("biolatency");
    assert_eq!(output.end, 3);
}

#[test]
fn maps_of_bpftrace() {
    let text = "\
Attaching 3 probes...

@start: 5
@usecs[259, 0]: 
[1]                    2 |@@                  |
[64, 128)             10 |@@@@@@@@@@          |
[1K, 2K)               8 |@@@@@@@@            |

@names: 
[1]                    5 |@|
";
    let output = read_with(read, text, None).expect("bpftrace");
    assert_eq!((output.tool, output.end), ("bpftrace", 10));
    assert_eq!(values(&output, "latency.p50"), [("@usecs", "", 128e3)]);
    assert_eq!(values(&output, "value.p50"), [("@names", "", 2.0)]);
    let text = "@count: 8\n@at[8, 16]: 5\n@us:\n[0, 10) 8 |@|\n";
    let output = read_with(read, text, None).expect("other maps before");
    assert_eq!(values(&output, "latency.p50"), [("", "", 10e3)]);
    assert!(read_with(read, "@count: 8\n", None).is_none());
    let text = "@ms:\n[0, 10) 98 |@|\n[10, ...) 2 |@|\n";
    let output = read_with(read, text, None).expect("a linear histogram");
    assert_eq!(values(&output, "count"), [("", "", 100.0)]);
    assert_eq!(values(&output, "latency.p95"), [("", "", 10e6)]);
    assert_eq!(values(&output, "latency.p99"), [], "nothing is known there");
}

#[test]
fn exclusive_bounds_of_iolatency() {
    let text = "\
Tracing block I/O. Output every 1 seconds. Ctrl-C to end.

  >=(ms) .. <(ms)   : I/O      |Distribution                          |
       0 -> 1       : 4335     |######################################|
       1 -> 2       : 0        |                                      |
       8 -> 16      : 5        |#                                     |
";
    let output = read_with(read, text, None).expect("iolatency");
    assert_eq!(values(&output, "latency.p50"), [("", "", 1e6)]);
    assert_eq!(values(&output, "latency.p99.9"), [("", "", 16e6)]);
}

#[test]
fn damaged_histograms_are_none() {
    for text in [
        "",
        "     frobs : count distribution\n 0 -> 1 : 4 |*|\n",
        "@names of people:\n[64, 128) 3 |@|\n",
        "@@ -1,3 +1,4 @@\n",
        "disk = sda",
        "Tracing block device I/O... Hit Ctrl-C to end.\nnothing",
        "10:11:12\n10:11:13\n",
    ] {
        assert!(read_with(read, text, None).is_none(), "{text}");
    }
    for text in [
        "     usecs : count distribution\n",
        "@usecs:\n[64, 128)\n",
        "@usecs:\n[64, 128) -3 |@|\n",
        "     usecs : count distribution\n 0 -> 99999999999999999999999 : 4 |*|\n",
    ] {
        let output = read_with(read, text, None).expect("a heading");
        assert_eq!(output.observations, [], "{text}");
    }
}
