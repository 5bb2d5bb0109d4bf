use super::*;
use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

#[test]
fn printed_results_have_a_run_per_command() {
    let text = "Benchmark 1: cp a b\n  Time (mean ± σ):     172.5 ms ±  33.5 ms    [User: 2.5 ms, \
        System: 53.5 ms]\n  Range (min … max):   140.5 ms …  1.250 s    3 runs\n \n  Warning: Statistical outliers\n\n\
        Benchmark #2: cp c d\n  Time (abs ≡):        187.5 µs               [User: 1.5 ms, System: 0.5 ms]\n \n\
        Summary\n  'cp a b' ran\n    1.09 ± 0.28 times faster than 'cp c d'\n";
    assert_eq!(
        figures(read, text),
        [
            "command=cp a b time.mean 172500000",
            "command=cp a b time.stdev 33500000",
            "command=cp a b time.user 2500000",
            "command=cp a b time.system 53500000",
            "command=cp a b time.min 140500000",
            "command=cp a b time.max 1250000000",
            "command=cp c d time.mean 187500",
            "command=cp c d time.user 1500000",
            "command=cp c d time.system 500000",
        ]
    );
    assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
}

#[test]
fn exports_are_read() {
    let json = "{\n  \"results\": [\n    {\n      \"command\": \"cp \\\"a\\\" b\",\n      \"mean\": 0.1725,\n      \
        \"stddev\": null,\n      \"min\": 0.1405,\n      \"max\": 1.25,\n      \"times\": [\n        0.1725\n      ],\n      \
        \"exit_codes\": [\n        0\n      ],\n      \"parameters\": {\n        \"size\": \"4k\"\n      }\n    }\n  ]\n}\n";
    let expected = [
        "command=cp \"a\" b size=4k time.mean 172500000",
        "command=cp \"a\" b size=4k time.min 140500000",
        "command=cp \"a\" b size=4k time.max 1250000000",
    ];
    assert_eq!(figures(read, json), expected);
    assert_eq!(figures(read, &json.replace('\n', " ")), expected);
    let cut = json.split("\"exit_codes\"").next().unwrap_or("");
    let without_size = expected.map(|line| line.replace(" size=4k", ""));
    assert_eq!(figures(read, cut), without_size);
    let csv = "command,mean,stddev,median,user,system,min,max,parameter_size\n\
        \"cp a,b\",0.1725,0.0335,0.17,0.0025,0.0535,0.1405,1.25,4k\n";
    assert_has(&figures(read, csv), &["command=cp a,b time.mean 172500000"]);
    assert_eq!(figures(read, csv).len(), 7);
    let markdown = "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n\
        | `cp a | tee b` | 172.5 ± 33.5 | 140.5 | 206.5 | 1.00 |\n";
    assert_eq!(
        figures(read, markdown),
        [
            "command=cp a | tee b time.mean 172500000",
            "command=cp a | tee b time.stdev 33500000",
            "command=cp a | tee b time.min 140500000",
            "command=cp a | tee b time.max 206500000",
        ]
    );
    assert!(figures(read, "{ \"results\": [ { \"mean\": 12 } ] }\n").is_empty());
    assert!(figures(read, "Benchmark results: 12 ms\n").is_empty());
}
