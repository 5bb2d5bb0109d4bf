use super::*;
use std::fs;

pub fn text(name: &str) -> Vec<u8> {
    fs::read(format!("{}/../../tests/{name}", env!("CARGO_MANIFEST_DIR")))
        .expect("a file of the tests")
}

fn set(names: &[&str]) -> ResultSet {
    let bytes: Vec<Vec<u8>> = names.iter().map(|name| text(name)).collect();
    let texts: Vec<ResultText> = names
        .iter()
        .zip(&bytes)
        .map(|(file, bytes)| ResultText { file, bytes })
        .collect();
    read(&texts)
}

pub fn of(text: &str) -> ResultSet {
    read(&[ResultText {
        file: "mail.txt",
        bytes: text.as_bytes(),
    }])
}

/// `2.6.18-186 2 | rate 8000000 bytes/s`.
pub fn runs(table: &ResultTable) -> Vec<String> {
    let figures = |run: &ResultRun| {
        let written = run.figures.iter().map(|f| {
            format!("{} {} {}", f.label, (f.value * 1e6).round() / 1e6, f.unit)
                .trim()
                .to_owned()
        });
        written.collect::<Vec<_>>().join(", ")
    };
    table
        .runs
        .iter()
        .map(|run| format!("{} | {}", run.values.join(" "), figures(run)))
        .collect()
}

fn common(table: &ResultTable) -> Vec<String> {
    table
        .common
        .iter()
        .map(|named| format!("{}={}", named.name, named.value))
        .collect()
}

#[test]
fn frames_with_a_heading_over_columns_are_kernels_by_writers() {
    let set = set(&["tables/dds.txt"]);
    let [speed, rate, average] = set.tables.as_slice() else {
        panic!("{:?}", set.tables.len())
    };
    assert_eq!(
        runs(speed),
        [
            "RHEL5.5 beta 2 | write speed 2880000 bytes/s",
            "RHEL5.5 beta 4 | write speed 2730000 bytes/s",
            "RHEL5.4 2 | write speed 3540000 bytes/s",
            "RHEL5.4 4 | write speed 3640000 bytes/s",
        ]
    );
    // Nine cells, although the mail quotes the table again.
    assert_eq!(
        (rate.rows.as_slice(), rate.columns.as_slice()),
        (
            &["kernel".to_owned()][..],
            &["number-of-dds".to_owned()][..]
        )
    );
    assert_eq!(runs(rate).len(), 9);
    assert_eq!(
        runs(rate)[4],
        "2.6.18-186 (w/o cfq patch) 2 | rate 9900000 bytes/s"
    );
    assert_eq!(
        rate.base,
        Some(ResultBase {
            axis: ResultAxis::Row,
            key: "2.6.18-186".to_owned()
        })
    );
    // Two tables with the same headings are no repeats, and no unit is invented.
    assert_eq!(
        runs(average)[1],
        "line 30 2 | avg 12.138, std 0.9351, var 0.87442"
    );
    assert_eq!(
        runs(average)[3],
        "line 37 2 | avg 9.864, std 0.29846, var 0.08908"
    );
    assert!(
        average
            .runs
            .iter()
            .flat_map(|run| &run.figures)
            .all(|f| f.good.is_none() && f.unit.is_empty())
    );
}

#[test]
fn wrapped_columns_take_their_setting_from_the_lines_above() {
    let set = set(&["tables/iostest.txt"]);
    let [jobs, tiotest] = set.tables.as_slice() else {
        panic!("{:?}", set.tables.len())
    };
    assert_eq!(runs(jobs).len(), 10);
    assert_eq!(
        runs(jobs)[0],
        "cfq 1 | ReadBW 135366000 bytes/s, ReadBW MaxClat 59024000 ns"
    );
    assert_eq!(
        runs(jobs)[9],
        "noop 16 | ReadBW 348564000 bytes/s, ReadBW MaxClat 156846000 ns"
    );
    assert_eq!(jobs.zero, ["WriteBW", "WriteBW MaxClat"]);
    assert!(
        common(jobs).contains(&"kernel=2.6.34-rc5".to_owned())
            && common(jobs).contains(&"bs=4K".to_owned())
    );
    assert_eq!(runs(tiotest).len(), 8);
    // MB of tiotest are 2^20 bytes.
    assert_eq!(
        runs(tiotest)[3],
        "NOOP random read | rate 7841251.328 bytes/s, mean latency 4088000 ns, max latency \
            295605000 ns"
    );
    assert_eq!(
        runs(tiotest)[5],
        "CFQ random write | rate 59924021.248 bytes/s, mean latency 17000 ns, max latency 12031000 ns"
    );
    assert_eq!(common(tiotest), ["threads=8"]);
}

#[test]
fn rows_of_a_reading_test_are_named_by_kernel_and_array() {
    let set = set(&["tables/readahead.txt"]);
    let [table] = set.tables.as_slice() else {
        panic!("{:?}", set.tables.len())
    };
    assert_eq!(
        table
            .dimensions
            .iter()
            .map(|d| d.name.as_str())
            .collect::<Vec<_>>(),
        ["kernel", "setup", "threads", "Read KBytes", "RASize"]
    );
    assert_eq!(table.columns, ["kernel"]);
    assert_eq!(
        runs(table)[0],
        "2.6.6 4-controller, 28 drives, raid0 2 11 448 | rate 552617000 bytes/s"
    );
    assert_eq!(
        runs(table)[6],
        "2.6.8-rc3 2-controller, 14 drives, raid0 2 11 448 | rate 81543000 bytes/s"
    );
    assert_eq!(table.runs.len(), 31);
}

#[test]
fn headings_above_headings_are_assigned_with_and_without_their_spaces() {
    for name in ["tables/sync-writes.txt", "tables/sync-writes-spaced.txt"] {
        let set = set(&[name]);
        let [table] = set.tables.as_slice() else {
            panic!("{name}: {:?}", set.tables)
        };
        assert_eq!(runs(table).len(), 9, "{name}");
        assert_eq!(
            runs(table)[4],
            "2.6.32 xfs sync write | Mb/sec 0.52",
            "{name}"
        );
        assert_eq!(
            runs(table)[8],
            "2.6.32 ext3 direct write | Mb/sec 5.02",
            "{name}"
        );
    }
}

#[test]
fn reports_of_fio_are_runs_with_the_figures_of_all_three_forms() {
    let set = set(&["tables/fio.txt", "tables/fio.json", "tables/fio-plus.json"]);
    let [table] = set.tables.as_slice() else {
        panic!("{:?}", set.tables.len())
    };
    let keys = |at: usize| {
        table.runs[at]
            .figures
            .iter()
            .map(|f| f.key.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(0), keys(1));
    assert_eq!(keys(0), keys(2));
    let value = |at: usize, key: &str| {
        table.runs[at]
            .figures
            .iter()
            .find(|f| f.key == key)
            .map(|f| f.value)
    };
    assert_eq!(value(0, "bench.fio.read.clat_p99"), Some(12_780_000.0));
    assert_eq!(value(0, "bench.fio.write.iops"), Some(192.0));
    assert_eq!(value(2, "bench.fio.read.clat_max"), Some(7_891_804.0));
    let n = |at: usize| {
        table.runs[at]
            .distributions
            .iter()
            .map(|d| (d.operation.clone(), d.bins.iter().map(|b| b.1).sum::<u64>()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (n(0), n(2)),
        (
            vec![],
            vec![("read".to_owned(), 153), ("write".to_owned(), 147)]
        )
    );
}

/// Of fio 3.33 with `--minimal`, a run of its own; versions 4 and 5 are made from its fields as fio
/// documents them.
#[test]
fn terse_lines_have_the_figures_of_reports() {
    let line = String::from_utf8(text("tables/fio.terse")).expect("a text");
    let set = of(&format!("> {line}"));
    let expected = [
        "read rate 4676608 bytes/s, read IOPS 570 1/s, read clat mean 3175461.719 ns, read clat \
            p50 3129000 ns, read clat p90 5013000 ns, read clat p95 5865000 ns",
        "read clat p99 6979000 ns, read clat p99.9 7176000 ns, read clat max 6660000 ns, write \
            rate 4493312 bytes/s, write IOPS 548 1/s",
        "write clat mean 3217128.231 ns, write clat p50 3194000 ns, write clat p90 4882000 ns, \
            write clat p95 5537000 ns, write clat p99 7110000 ns",
        "write clat p99.9 7503000 ns, write clat max 6929000 ns",
    ];
    assert_eq!(
        runs(&set.tables[0]),
        [format!(" | {}", expected.join(", "))]
    );
    let fields: Vec<&str> = line.trim().split(';').collect();
    let (trims, more): (&[&str], &[&str]) = (&["0"; 41], &["9"; 6]);
    let four = [&["4"], &fields[1..87], trims, &fields[87..]]
        .concat()
        .join(";");
    let five = [
        &["5"],
        &fields[1..46],
        more,
        &fields[46..87],
        more,
        trims,
        more,
        &fields[87..],
    ]
    .concat()
    .join(";");
    for other in [four, five] {
        assert_eq!(of(&other).tables[0].runs, set.tables[0].runs);
    }
    for no_report in [
        "3;fio-3.33;ph2;0;0;1;2;3",
        "2;ph2;0;0;1224;4567;570;268",
        "3;other;a;0;0",
    ] {
        assert_eq!(of(no_report).tables, [], "{no_report}");
    }
}

#[test]
fn jobs_that_ran_together_are_one_run_and_others_one_each() {
    let job = |name: &str, group: u32, bins: &str| {
        format!(
            r#"{{"jobname":"{name}","groupid":{group},"read":{{"iops":10,"bw_bytes":40960,"total_ios":10,"clat_ns":{{"mean":100.0,"max":300,"bins":{bins}}}}}}}"#
        )
    };
    let report = |jobs: &[String]| {
        format!(
            r#"{{"fio version":"fio-3.33","jobs":[{}]}}"#,
            jobs.join(",")
        )
    };
    let together = of(&report(&[
        job("a", 0, r#"{"100":9,"300":1}"#),
        job("b", 0, r#"{"200":10}"#),
    ]));
    assert_eq!(
        runs(&together.tables[0]),
        [" | read rate 81920 bytes/s, read IOPS 20 1/s, read clat mean 100 ns, read clat p50 200 \
            ns, read clat p90 200 ns, read clat p95 200 ns, \
          read clat p99 300 ns, read clat p99.9 300 ns, read clat max 300 ns"
            .replace("  ", " ")]
    );
    let apart = of(&report(&[job("a", 0, "{}"), job("b", 1, "{}")]));
    assert_eq!(
        apart.tables[0]
            .runs
            .iter()
            .map(|run| run.label.as_str())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
}

#[test]
fn repeats_share_a_place() {
    let one = text("tables/fio.json");
    let names = ["6.1-r1.json", "6.1-r2.json", "6.12-r1.json", "6.12-r2.json"];
    let set = read(&names.map(|file| ResultText { file, bytes: &one }));
    assert_eq!(
        set.tables[0]
            .runs
            .iter()
            .map(|run| run.values.join(" "))
            .collect::<Vec<_>>(),
        ["6.1", "6.1", "6.12", "6.12"]
    );
    assert_eq!(
        set.tables[0].base.as_ref().map(|base| base.key.as_str()),
        Some("6.1")
    );
}

#[test]
fn prose_notes_and_counters_have_no_tables() {
    let prose = "Reads dropped from 429MB/Sec to 81MB/Sec, 541MB/Sec off 14 drives.\nThe rate is \
        near\n955MB/Sec for 28 drives\nand 60MB/Sec or less.\n";
    let vmstat = "procs -----------memory---------- ---swap-- -----io---- -system-- \
        ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id \
        wa st\n 1  0      0 100000   2000  30000    0    0     5     6   70   80  1  2 97  0  0\n \
        1  0      0 100000   2000  30000    0    0     5     6   70   80  1  2 97  0  0\n";
    for text in [
        prose,
        vmstat,
        "",
        "\n\n",
        "a,b\n1,2\n",
        "kernel: 6.1\nsize: 5 MB\n",
        "| a | b |\n|---|---|\n| x | y |\n",
    ] {
        assert_eq!(of(text).tables, [], "{text:?}");
    }
    let notes =
        fs::read_dir(format!("{}/../../tests/notes", env!("CARGO_MANIFEST_DIR"))).expect("notes");
    for note in notes.flatten().filter(|note| note.path().is_file()) {
        let name = note.file_name().to_string_lossy().into_owned();
        let found = set(&[&format!("notes/{name}")])
            .tables
            .into_iter()
            .map(|table| table.tool)
            .collect::<Vec<_>>();
        let expected: &[&str] = match name.as_str() {
            "dd.txt" => &["dd"],
            "fio-rw.json" => &["fio"],
            "tiobench.txt" => &["tiobench"],
            "tiotest.txt" => &["tiotest"],
            _ => &[],
        };
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_long_text_is_read_up_to_its_bounds() {
    let row = "2, 11, 448, 552.617\n";
    let long = format!("<threads, KB, RASize, MB/s>\n{}", row.repeat(20_000));
    let kept: usize = of(&long).tables.iter().map(|table| table.runs.len()).sum();
    assert!((1..=MOST_ROWS).contains(&kept), "{kept}");
    let wide = format!("{}\n{}", "a ".repeat(20_000), "1 ".repeat(20_000));
    assert_eq!(of(&wide).tables, []);
}

#[test]
fn tables_below_counters_and_histograms() {
    let counters =
        "Device            r/s     rkB/s  %util\nvda              1.00      4.00  50.00\n\n";
    let table = String::from_utf8(text("tables/dds.txt")).expect("text");
    let (alone, below) = (of(&table), of(&format!("{counters}{table}")));
    assert!(!alone.tables.is_empty());
    // Lines, which are a dimension of one of them, are those of the text.
    let figures = |set: &ResultSet| -> Vec<_> {
        set.tables
            .iter()
            .flat_map(|t| &t.runs)
            .map(|run| run.figures.clone())
            .collect()
    };
    assert_eq!(figures(&below), figures(&alone));
    assert_eq!(
        below.tables[0].runs[0].line,
        alone.tables[0].runs[0].line.map(|line| line + 3)
    );
    assert!(
        of(counters).tables.is_empty(),
        "rows of counters are no results"
    );
    let histogram = "     usecs               : count     distribution\n        64 -> 127        : \
        10       |****|\n       128 -> 255        : 90       |****|\n";
    // As JSON: the same run, and one of a map without a unit.
    let json = "{'ts': '2023-02-06 14:02:39', 'val_type': 'usecs', 'data': [{'interval-start': 64, \
        'interval-end': 127, 'count': 10}, {'interval-start': 128, 'interval-end': 255, 'count': \
        90}]}";
    let (text, json) = (of(histogram), of(json));
    assert_eq!(
        json.tables[0].runs[0].figures,
        text.tables[0].runs[0].figures
    );
    assert_eq!(
        json.tables[0].runs[0].distributions,
        text.tables[0].runs[0].distributions
    );
    let map =
        of("{\"type\": \"hist\", \"data\": {\"@lat\": [{\"min\": 4, \"max\": 7, \"count\": 3}]}}");
    assert!(
        map.tables[0]
            .common
            .contains(&NamedValue::new("map", "@lat (unit not in the recording)")),
        "{:?}",
        map.tables[0].common
    );
    assert!(map.tables[0].runs[0].distributions.is_empty());
    let set = of(&format!(
        "disk = 'vda'\n{histogram}\ndisk = 'vdb'\n{histogram}"
    ));
    let [found] = set.tables.as_slice() else {
        panic!("{:?}", set.tables)
    };
    assert_eq!(
        (found.tool.as_str(), found.title.as_str(), found.runs.len()),
        ("biolatency", "biolatency", 2)
    );
    assert_eq!(
        found
            .runs
            .iter()
            .map(|run| run.label.as_str())
            .collect::<Vec<_>>(),
        ["vda", "vdb"]
    );
    assert!(
        runs(found)[1].starts_with("vdb | I/Os 100, latency p50 at most 256000 ns"),
        "{:?}",
        runs(found)
    );
    assert_eq!(
        found.runs[0].distributions[0].bins,
        [(128e3, 10), (256e3, 90)]
    );
}
