use super::*;
use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

#[test]
fn old_versions_have_one_rate_for_both_directions() {
    let text = "sysbench 0.5:  multi-threaded system evaluation benchmark\n\n\
        Running the test with following options:\nNumber of threads: 8\n\n\
        Block size 16Kb\nDoing random r/w test\nThreads started!\n\n\
        Operations performed:  600 reads, 400 writes, 1280 Other = 2280 Total\n\
        Read 9.375Mb  Written 6.25Mb  Total transferred 15.625Mb  (1.5625Mb/sec)\n  \
        100.00 Requests/sec executed\n\nGeneral statistics:\n    \
        total time:                          10.0001s\n    \
        total number of events:              1000\n    response time:\n         \
        min:                                  0.01ms\n         \
        avg:                                  9.50ms\n         \
        max:                                  88.10ms\n         \
        approx.  99 percentile:               44.20ms\n";
    let found = figures(read, text);
    assert_has(
        &found,
        &[
            "read.count 600",
            "write.count 400",
            "rate 1638400",
            "requests 100",
            "time 10000100000",
            "events.count 1000",
            "latency.mean 9500000",
            "latency.p99 44200000",
        ],
    );
    let facts = &outputs(read, text)[0].facts;
    assert!(facts.iter().any(|f| f.name == "threads" && f.value == "8"));
    assert!(
        facts
            .iter()
            .any(|f| f.name == "test" && f.value == "random r/w")
    );
}

#[test]
fn version_1_1_has_rates_in_one_line() {
    let text = "Throughput:\n         read:  IOPS=4242.40 66.29 MiB/s (69.51 MB/s)\n         \
        write: IOPS=2828.27 44.19 MiB/s (46.34 MB/s)\n         fsync: IOPS=905.40\n\n\
        Latency (ms):\n         min:                                    0.00\n         \
        avg:                                    0.25\n         \
        max:                                    5.50\n         \
        95th percentile:                        1.08\n         \
        sum:                                 9980.12\n";
    let found = figures(read, text);
    assert_has(
        &found,
        &[
            "read.iops 4242.4",
            "write.iops 2828.27",
            "write.rate 46336570",
            "fsync.rate 905.4",
            "latency.p95 1080000",
        ],
    );
    assert_eq!(found.len(), 9);
}

#[test]
fn databases_and_processors_are_read() {
    let text = "SQL statistics:\n    queries performed:\n        read:    140000\n        \
        write:   40000\n        other:   20000\n        total:   200000\n    \
        transactions:                        10000  (999.50 per sec.)\n    \
        queries:                             200000 (19990.00 per sec.)\n    \
        ignored errors:                      0      (0.00 per sec.)\n\n\
        General statistics:\n    total time:                          10.0050s\n\n\
        CPU speed:\n    events per second:  1013.50\n\nGeneral statistics:\n    \
        total time:                          10.0003s\n";
    let found = figures(read, text);
    assert_has(
        &found,
        &["transactions 999.5", "queries 19990", "events 1013.5"],
    );
    assert_eq!(outputs(read, text).len(), 2);
    let memory = "Total operations: 52428800 (5242880.00 per second)\n\n\
        51200.00 MiB transferred (5120.00 MiB/sec)\n";
    assert_eq!(figures(read, memory), ["ops 5242880", "rate 5368709000"]);
}

#[test]
fn a_second_output_without_its_head_is_another_one() {
    let output = "File operations:\n    reads/s:                      10.50\n    \
        writes/s:                     7.00\n    fsyncs/s:                     1.00\n\nLatency (ms):\n         \
        min:                                    0.00\n";
    assert_eq!(
        outputs(read, &format!("{output}\nxfs\n\n{output}")).len(),
        2
    );
    assert!(figures(read, "Throughput:\n  it was better with the patch\n").is_empty());
}
