//! JSON documents of scripts whose figures are read as tables.

mod shown;

use shown::{assert_has, figures};

const ROWS: [&str; 2] = [
    "kernel=5.10 test=randread IOPS 24707",
    "kernel=6.1 test=randwrite IOPS 17640",
];

#[test]
fn records_are_rows() {
    let records = [
        r#"{"kernel": "5.10", "test": "randread", "iops": 24707, "lat_us": 160.1}"#,
        r#"{"kernel": "5.10", "test": "randwrite", "iops": 19802, "lat_us": 201.5}"#,
        r#"{"kernel": "6.1", "test": "randread", "iops": 21001, "lat_us": 188.0}"#,
        r#"{"kernel": "6.1", "test": "randwrite", "iops": 17640, "lat_us": 226.1}"#,
    ];
    let list = format!("[\n  {}\n]\n", records.join(",\n  "));
    assert_has(&list, 8, &ROWS);
    assert_has(&format!("Hi,\n\nour results:\n\n{list}\nBye\n"), 8, &ROWS);
    assert_has(&(records.join("\n") + "\n"), 8, &ROWS);
    let within = format!(r#"{{"system": {{"cpus": 8}}, "results": {list}}}"#);
    assert_has(&within, 8, &ROWS);
}

#[test]
fn what_is_around_records_is_a_label_of_each() {
    let run = |kernel: &str, iops: u32| {
        format!(
            r#"{{"kernel": "{kernel}", "numjobs": 4, "runtime_s": 61.5, "seed": 7,
 "results": [{{"test": "randread", "iops": {iops}}}, {{"test": "randwrite", "iops": {}}}]}}"#,
            iops - 100
        )
    };
    let text = format!("[{},\n{}]\n", run("5.10", 24_707), run("6.1", 17_740));
    assert_has(
        &text,
        4,
        &[
            "kernel=5.10 test=randread IOPS 24707",
            "kernel=6.1 test=randwrite IOPS 17640",
        ],
    );
}

#[test]
fn keys_are_labels() {
    let nested = r#"{
  "5.10": {"randread": {"iops": 24707}, "randwrite": {"iops": 19802}},
  "6.1": {"randread": {"iops": 21001}, "randwrite": {"iops": 17640}}
}
"#;
    assert_has(nested, 4, &ROWS);
    let caption = "IOPS:\n\n{'5.10': {'randread': 24707, 'randwrite': 19802},\n \
        '6.1': {'randread': 21001, 'randwrite': 17640}}\n";
    assert_has(
        caption,
        4,
        &[
            "kernel=5.10 op=randread IOPS 24707",
            "kernel=6.1 op=randwrite IOPS 17640",
        ],
    );
    let operations = "[{\"kernel\": 5.10, \"read\": \"81.2k\", \"write\": \"61.1k\"},\n \
        {\"kernel\": 6.1, \"read\": \"71.2k\", \"write\": \"\"}]\n";
    assert_has(operations, 3, &["kernel=6.1 op=read value 71200"]);
    let long = r#"[{"kernel": "5.10", "metric": "iops", "value": 24707},
        {"kernel": "6.1", "metric": "iops", "value": 21001}]"#;
    assert_has(long, 2, &["kernel=6.1 IOPS 21001"]);
}

#[test]
fn objects_in_a_record_head_its_fields() {
    let text = r#"[
  {"name": "before", "read": {"iops": 101234, "lat_us": 310}, "write": {"iops": 3381, "lat_us": 31}},
  {"name": "after", "read": {"iops": 98211, "lat_us": 320}, "write": {"iops": 31210, "lat_us": 330}}
]"#;
    assert_has(
        text,
        8,
        &[
            "name=before op=read IOPS 101234",
            "name=after op=write lat 330000",
        ],
    );
}

#[test]
fn lists_of_numbers_are_runs() {
    let text = r#"{"iops": {"5.10": [24707, 24810], "6.1": [19802, 19750]}, "unit": "IOPS"}"#;
    assert_has(
        text,
        4,
        &["kernel=5.10 IOPS 24707", "kernel=6.1 IOPS 2 19750"],
    );
}

#[test]
fn other_documents_are_no_results() {
    for text in [
        r#"{"name": "page", "version": "1.2.0", "dependencies": {"react": "19.1.0", "d3": "7.9"}}"#,
        r#"[{"id": 1, "name": "a", "size": 12}, {"id": 2, "name": "b", "size": 13}]"#,
        r#"{"kernel": "5.10", "config": {"timeout": 100, "threads": 4}}"#,
        r#"{"iops": [[1, 2], [3, 4]]}"#,
        r#"{"name": "random", "about": "types for random", "by": [{"id": "a1", "url": "x"}, {"id": "b2", "url": "y"}], "v": "5.2"}"#,
    ] {
        assert!(figures(text).is_empty(), "{text}");
    }
}
