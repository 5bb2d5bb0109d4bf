//! What benchmarks printed beside traces, as figures of runs.

use seekscope_notes::bench::slug;
use seekscope_notes::{BenchFigure, Fact, FactValue, Good, Note, NoteKind, TracePaths, assign};
use seekscope_texts::notes::read_notes;
use std::path::Path;

fn read(file: &str, bytes: &[u8]) -> Note {
    read_notes(&[(file, bytes)]).remove(0)
}

fn files(label: &str, paths: &[&str]) -> TracePaths {
    TracePaths {
        label: label.to_owned(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
    }
}

fn uname(file: &str, release: &str) -> Note {
    read(file, format!("{release}\n").as_bytes())
}

fn sample(name: &str) -> Note {
    read(name, text_of(name).as_bytes())
}

/// `of key=value unit`, one a fact.
fn values(note: &Note) -> Vec<String> {
    let value = |v: &FactValue| match v {
        FactValue::Number(n) => n.to_string(),
        FactValue::Text(t) => t.clone(),
    };
    let subject = |f: &Fact| {
        f.of.as_ref()
            .map_or(String::new(), |name| format!("{name} "))
    };
    let unit = |f: &Fact| {
        f.unit
            .as_ref()
            .map_or(String::new(), |u| format!(" {}", u.name()))
    };
    note.facts
        .iter()
        .map(|f| format!("{}{}={}{}", subject(f), f.key, value(&f.value), unit(f)))
        .collect()
}

/// `key value unit`, one a figure, of each run.
fn measured(traces: &[TracePaths], notes: Vec<Note>) -> Vec<Vec<String>> {
    let printed = |f: &BenchFigure| format!("{} {} {}", f.key, f.value, f.unit.name());
    assign(traces, notes)
        .runs
        .iter()
        .map(|run| run.bench.iter().map(printed).collect())
        .collect()
}

fn alone(text: &str) -> Vec<String> {
    measured(
        &[files("a", &["a/t.blktrace.0"])],
        vec![read("a/bench.txt", text.as_bytes())],
    )
    .remove(0)
}

fn labels(text: &str) -> Vec<String> {
    let assign = assign(
        &[files("a", &["a/t.blktrace.0"])],
        vec![read("a/bench.txt", text.as_bytes())],
    );
    assign.runs[0]
        .bench
        .iter()
        .map(|f| f.label.clone())
        .collect()
}

fn text_of(name: &str) -> String {
    String::from_utf8(
        std::fs::read(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../tests/notes")
                .join(name),
        )
        .unwrap(),
    )
    .unwrap()
}

const MB: f64 = 1_048_576.0;

#[test]
fn dds_are_read_each() {
    let four = alone(&text_of("dd.txt"));
    let keys: Vec<&str> = four.iter().map(|f| f.split(' ').next().unwrap()).collect();
    assert_eq!(
        keys,
        [
            "bench.dd.to-vda1.rate",
            "bench.dd.to-vda2.rate",
            "bench.dd.to-vda3.rate",
            "bench.dd.to-vda4.rate"
        ]
    );
    let rate = |i: usize| four[i].split(' ').nth(1).unwrap().parse::<f64>().unwrap();
    assert_eq!(rate(0), 1_310_720.0 / 3.066_62);
    assert_eq!(
        labels(&text_of("dd.txt"))[..2],
        ["dd to vda1 rate", "dd to vda2 rate"]
    );
    assert_eq!(
        alone("600 bytes copied, 2 s, 300 B/s\n"),
        ["bench.dd.rate 300 bytes/s"]
    );
    assert_eq!(
        alone("600 bytes copied, 2 s, 300 B/s\n600 bytes copied, 2 s, 300 B/s\n"),
        ["bench.dd.1.rate 300 bytes/s", "bench.dd.2.rate 300 bytes/s"]
    );
}

#[test]
fn dds_are_added_only_where_the_text_says_that_they_ran_together() {
    let copied = "600 bytes copied, 2 s, 300 B/s\n";
    let command = "# dd if=/dev/zero of=/dev/sdb bs=4k";
    let found = alone(&format!("{command}\n{copied}{command}\n{copied}"));
    let each = [
        "bench.dd.1.write.rate 300 bytes/s",
        "bench.dd.2.write.rate 300 bytes/s",
    ];
    assert_eq!(found, each);
    let assigned = assign(
        &[files("a", &["a/t.blktrace.0"])],
        vec![read(
            "a/dd.txt",
            format!("{command} & dd if=/dev/zero of=/dev/sdc bs=4k &\n{copied}{copied}").as_bytes(),
        )],
    );
    let run = &assigned.runs[0];
    assert_eq!(
        (run.bench[0].label.as_str(), run.bench[0].value, run.writers),
        ("dd write rate, sum", 600.0, Some(2))
    );
}

#[test]
fn reports_of_fio() {
    let report = |jobs: &str| format!("{{\"fio version\": \"fio-3.33\", \"jobs\": [{jobs}]}}");
    let job = |name: &str, group: u32, iops: u32| {
        format!(
            "{{\"jobname\": \"{name}\", \"groupid\": {group}, \"write\": {{\"iops\": {iops}, \
                \"bw_bytes\": {}, \"clat_ns\": {{\"mean\": 5, \
             \"percentile\": {{\"99.000000\": 9}}}}}}}}",
            iops * 4096
        )
    };
    assert_eq!(
        alone(&report(&job("a", 0, 10))),
        [
            "bench.fio.write.iops 10 1/s",
            "bench.fio.write.bw 40960 bytes/s",
            "bench.fio.write.clat_mean 5 ns",
            "bench.fio.write.clat_p99 9 ns"
        ]
    );
    // Jobs of one group run together and add up; times never do.
    let two = alone(&report(&[job("a", 0, 10), job("b", 0, 30)].join(",")));
    assert_eq!(
        two[..3],
        [
            "bench.fio.write.iops 40 1/s",
            "bench.fio.a.write.iops 10 1/s",
            "bench.fio.b.write.iops 30 1/s"
        ]
    );
    assert_eq!(
        two[6..8],
        [
            "bench.fio.a.write.clat_mean 5 ns",
            "bench.fio.b.write.clat_mean 5 ns"
        ]
    );
    // Those of other groups wait for each other, and two reports are of two programs.
    let waited = alone(&report(&[job("a", 0, 10), job("b", 1, 30)].join(",")));
    assert_eq!(waited[0], "bench.fio.a.write.iops 10 1/s");
    let twice = alone(&format!(
        "{}\n{}\n",
        report(&job("a", 0, 10)),
        report(&job("a", 0, 30))
    ));
    assert_eq!(
        twice[..2],
        [
            "bench.fio.a-1.write.iops 10 1/s",
            "bench.fio.a-2.write.iops 30 1/s"
        ]
    );
    let real = measured(
        &[files("d", &["dropped/t.blktrace.0"])],
        vec![sample("dropped/bench.txt")],
    )
    .remove(0);
    assert_eq!(real[0], "bench.fio.read.iops 2692.965155 1/s");
}

#[test]
fn tables_of_tiotest() {
    let found = alone(&text_of("tiotest.txt"));
    assert_eq!(found.len(), 10);
    assert_eq!(
        found[0],
        format!("bench.tiotest.write.threads-4.rate {} bytes/s", 4.509 * MB)
    );
    assert_eq!(
        found[1],
        format!(
            "bench.tiotest.random-write.threads-4.rate {} bytes/s",
            0.802 * MB
        )
    );
    assert_eq!(
        found[4..6],
        [
            "bench.tiotest.write.threads-4.latency.mean 2144000 ns",
            "bench.tiotest.write.threads-4.latency.max 3340874000 ns"
        ]
    );
    assert_eq!(
        labels(&text_of("tiotest.txt"))[1],
        "tiotest random write, threads 4: throughput"
    );
    let quoted: String = text_of("tiotest.txt")
        .lines()
        .map(|line| format!("> {line}\n"))
        .collect();
    assert_eq!(alone(&quoted), found, "in a mail");
    assert_eq!(
        read("bench.txt", text_of("tiotest.txt").as_bytes()).kind,
        NoteKind::Program("tiotest".to_owned())
    );
}

#[test]
fn tables_of_tiobench_count_for_the_run_that_they_name() {
    let note = |file: &str| read(file, text_of("tiobench.txt").as_bytes());
    assert_eq!(note("t").kind, NoteKind::Program("tiobench".to_owned()));
    assert_eq!(
        note("t").facts[0].of.as_deref(),
        Some("2.6.6, sequential read, threads 1, file size 1534, block size 4096")
    );
    let traces = [
        files("2.6.6", &["a/t.blktrace.0"]),
        files("2.6.6-hackedup", &["b/t.blktrace.0"]),
    ];
    let [old, new]: [Vec<String>; 2] = measured(&traces, vec![note("tiobench.txt")])
        .try_into()
        .unwrap();
    assert_eq!(
        old[0],
        format!(
            "bench.tiobench.sequential-read.threads-1.file-size-1534.block-size-4096.rate {} bytes/s",
            10.74 * MB
        )
    );
    assert_eq!(
        old[1],
        "bench.tiobench.sequential-read.threads-1.file-size-1534.block-size-4096.latency.mean 298000 ns"
    );
    assert_eq!(
        old[8],
        "bench.tiobench.random-write.threads-4.file-size-1534.block-size-4096.latency.max 18220000 ns"
    );
    assert_eq!(
        new[0],
        format!(
            "bench.tiobench.sequential-read.threads-1.file-size-1534.block-size-4096.rate {} bytes/s",
            46.31 * MB
        )
    );
    assert_eq!((old.len(), new.len()), (9, 9));
    // Next to one run of another name it covers two kernels, and which figures are whose is
    // unknown.
    assert_eq!(alone(&text_of("tiobench.txt")), [""; 0]);
    // By the kernel where the label does not say.
    let unnamed = [
        files("before", &["a/t.blktrace.0"]),
        files("after", &["b/t.blktrace.0"]),
    ];
    let notes = || {
        vec![
            uname("a/uname", "2.6.6"),
            uname("b/uname", "2.6.6-hackedup"),
            note("tiobench.txt"),
        ]
    };
    assert_eq!(measured(&unnamed, notes()), [old, new]);
}

#[test]
fn short_tables_of_tiobench() {
    let table = "Random           Num                  Avg      Maximum  Lat%   Lat%  CPU\n\
                 Reads            Thr Rate  ( CPU%)  Latency    Latency   >2s   >10s  Eff\n\
                 2.4.18-pre9        8   0.52  2.33%   10.402   1785.52  0.000  0.000  67\n";
    assert_eq!(
        alone(table)[0],
        format!(
            "bench.tiobench.random-read.threads-8.rate {} bytes/s",
            0.52 * MB
        )
    );
    let small = "Sequential Writes\n      File Blk Num Avg CPU\nIdentifier Size Size Thr Rate \
        (CPU%) Latency Eff\n---- --- --- --- --- --- ---\next3 1024 4096 4 13.34 14.76% 0.897 90\n";
    assert_eq!(
        alone(small),
        [
            format!("bench.tiobench.sequential-write.threads-4.file-size-1024.block-size-4096.rate {} bytes/s", 13.34 * MB),
            "bench.tiobench.sequential-write.threads-4.file-size-1024.block-size-4096.latency.mean 897000 ns".to_owned()
        ]
    );
}

#[test]
fn rows_under_a_head() {
    let table =
        "threads, KB, RA, MB/s\n1, 4, 128, 53.2\n8, 4, 128, 21.8\n\nwhat follows is prose\n";
    assert_eq!(
        alone(table),
        [
            "bench.table.threads-1.kb-4.ra-128.throughput 53200000 bytes/s",
            "bench.table.threads-8.kb-4.ra-128.throughput 21800000 bytes/s"
        ]
    );
    assert_eq!(
        labels(table),
        [
            "threads 1, KB 4, RA 128: throughput",
            "threads 8, KB 4, RA 128: throughput"
        ]
    );
    assert_eq!(
        read("t", table.as_bytes()).kind,
        NoteKind::Program("table".to_owned())
    );
    let aligned = "kernel        dds   MiB/s\n------------------------\n2.6.18-186      1   \
        50\n2.6.18-186      4   40\n2.6.18-193      1   50.5\n2.6.18-193      4   20\n";
    let traces = [
        files("2.6.18-186", &["a/t.blktrace.0"]),
        files("2.6.18-193", &["b/t.blktrace.0"]),
    ];
    let found = measured(&traces, vec![read("table.txt", aligned.as_bytes())]);
    assert_eq!(
        found[0],
        [
            format!("bench.table.dds-1.throughput {} bytes/s", 50.0 * MB),
            format!("bench.table.dds-4.throughput {} bytes/s", 40.0 * MB)
        ]
    );
    assert_eq!(
        found[1][1],
        format!("bench.table.dds-4.throughput {} bytes/s", 20.0 * MB)
    );
    // iostat measures more than one thing, and no benchmark.
    assert_eq!(
        alone("Device r/s w/s rkB/s wkB/s\nvda 1.0 2.0 3.0 4.0\n"),
        [""; 0]
    );
}

#[test]
fn labels_and_values() {
    let text = "Sequential write: 53.2 MB/s\nrandom   800KiB/s\nIOPS = 3123\navg latency: 5.2 \
        ms\nwaited 5 s\n";
    assert_eq!(
        alone(text),
        [
            "bench.table.sequential-write.throughput 53200000 bytes/s",
            "bench.table.random.throughput 819200 bytes/s",
            "bench.table.iops 3123 1/s",
            "bench.table.avg-latency 5200000 ns"
        ]
    );
    assert_eq!(
        alone("random write: 5 MB/s\n"),
        ["bench.table.random-write.throughput 5000000 bytes/s"],
        "a single line is named, too"
    );
    assert_eq!(
        alone(" Timing buffered disk reads: 310 MB in  3.01 seconds = 103.05 MB/sec\n"),
        ["bench.hdparm.buffered-disk-reads.rate 108055756.8 bytes/s"]
    );
    for other in [
        "Throughput (R/W): 0KiB/s / 800KiB/s\n",
        "614400 bytes (614 kB) copied, x s, 1.4 MB/s\n",
        "read_ahead_kb: 128\n",
        "12:30:01 5 s\n",
        "1 packets transmitted, 1 received, 0% packet loss, time 0ms\n",
    ] {
        assert_eq!(alone(other), [""; 0], "{other}");
    }
}

#[test]
fn what_may_be_of_several_runs_is_of_none() {
    let traces = [
        files("a", &["a/t.blktrace.0"]),
        files("b", &["b/t.blktrace.0"]),
    ];
    let dd = |file: &str| read(file, b"600 bytes copied, 2 s, 300 B/s\n");
    let none: Vec<String> = Vec::new();
    assert_eq!(
        measured(&traces, vec![dd("dd.txt")]),
        [none.clone(), none.clone()]
    );
    assert_eq!(
        measured(&traces, vec![dd("a/dd.txt"), dd("a/copy.txt")]),
        [vec!["bench.dd.rate 300 bytes/s".to_owned()], none]
    );
    let named = read(
        "dd.txt",
        b"== a\n600 bytes copied, 2 s, 300 B/s\n== b\n600 bytes copied, 1 s, 600 B/s\n== c\n600 \
            bytes copied, 3 s, 200 B/s\n",
    );
    assert_eq!(
        measured(&traces, vec![named]),
        [["bench.dd.rate 300 bytes/s"], ["bench.dd.rate 600 bytes/s"]]
    );
}

#[test]
fn figures_have_a_good_side_and_a_plain_form() {
    let assign = assign(
        &[files("a", &["a/t.blktrace.0"])],
        vec![read("a/tiotest.txt", text_of("tiotest.txt").as_bytes())],
    );
    let side = |key: &str| {
        assign.runs[0]
            .bench
            .iter()
            .find(|f| f.key == key)
            .unwrap()
            .good
    };
    assert_eq!(
        (
            side("bench.tiotest.read.threads-4.rate"),
            side("bench.tiotest.write.threads-4.latency.mean")
        ),
        (Some(Good::More), Some(Good::Less))
    );
    let figure = &assign.runs[0].bench[4];
    let json = serde_json::to_string(figure).unwrap();
    assert_eq!(
        json,
        r#"{"key":"bench.tiotest.write.threads-4.latency.mean","label":"tiotest write, threads 4: mean latency","unit":"ns","good":"less","value":2144000.0}"#
    );
    assert_eq!(&serde_json::from_str::<BenchFigure>(&json).unwrap(), figure);
    assert_eq!(slug("dd to /dev/vda1 (raw)"), "dd-to-dev-vda1-raw");
}

#[test]
fn cut_and_broken_tables_are_no_trouble() {
    for name in ["tiotest.txt", "tiobench.txt", "dd.txt"] {
        let whole = text_of(name).into_bytes();
        for end in (0..whole.len()).step_by(7) {
            let mut odd = whole.clone();
            odd[end] ^= 0x15;
            for bytes in [&whole[..end], &odd] {
                let found = assign(&[files("a", &["a/t.blktrace.0"])], vec![read("a/x", bytes)]);
                assert!(found.runs[0].bench.iter().all(|f| f.value.is_finite()));
            }
        }
    }
}

#[test]
fn what_benchmarks_tell_of_a_run_besides_figures() {
    let run_of = |name: &str| {
        assign(
            &[files("a", &["a/t.blktrace.0"])],
            vec![read("a/bench.txt", text_of(name).as_bytes())],
        )
        .runs
        .remove(0)
    };
    assert_eq!(
        (run_of("dd.txt").writers, run_of("dd.txt").workload),
        (Some(4), None)
    );
    assert_eq!(
        (
            run_of("fio-rw.json").workload.as_deref(),
            run_of("fio-rw.json").writers
        ),
        (Some("a"), None)
    );
    let scheduler = read("a/sys", b"/sys/block/sda/queue/scheduler:[bfq] none\n");
    assert_eq!(
        assign(&[files("a", &["a/t.blktrace.0"])], vec![scheduler]).runs[0]
            .scheduler
            .as_deref(),
        Some("bfq")
    );
    let numjobs = read(
        "a/f",
        br#"{"fio version": "fio-3.33", "jobs": [{"jobname": "x", "job options": {"numjobs": "8"}, "read": {"iops": 1, "bw": 4}}]}"#,
    );
    assert_eq!(
        assign(&[files("a", &["a/t.blktrace.0"])], vec![numjobs]).runs[0].jobs,
        Some(8)
    );
}

/// As fio prints it where no format was asked for.
#[test]
fn the_normal_output_of_fio() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tables/fio.txt"),
    )
    .unwrap();
    assert_eq!(
        alone(&text),
        [
            "bench.fio.read.iops 200 1/s",
            "bench.fio.read.bw 1638400 bytes/s",
            "bench.fio.read.clat_mean 2560660 ns",
            "bench.fio.read.clat_p99 12780000 ns",
            "bench.fio.write.iops 192 1/s",
            "bench.fio.write.bw 1573888 bytes/s",
            "bench.fio.write.clat_mean 2361160 ns",
            "bench.fio.write.clat_p99 4424000 ns",
        ]
    );
    let note = read("a/output.txt", text.as_bytes());
    assert_eq!(note.kind, NoteKind::Program("fio".to_owned()));
    let fact = |key: &str| {
        note.facts
            .iter()
            .find(|fact| fact.key == key)
            .map(|fact| (fact.of.as_deref(), fact.value.clone()))
    };
    assert_eq!(
        fact("iodepth"),
        Some((Some("ph2"), FactValue::Text("4".to_owned())))
    );
}

/// An output of fio 2.1 in which two jobs of one group wrote.
const OLD_FIO: &str = "\
a: (g=0): rw=write, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=4
b: (g=0): rw=write, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=4
fio-2.1.11
a: (groupid=0, jobs=1): err= 0: pid=11: Mon Mar  2 10:00:00 2015
  write: io=64000KB, bw=1000KB/s, iops=250, runt= 64000msec
b: (groupid=0, jobs=1): err= 0: pid=12: Mon Mar  2 10:00:00 2015
  write: io=128000KB, bw=2.5MB/s, iops=500, runt= 64000msec

Run status group 0 (all jobs):
  WRITE: io=192000KB, aggrb=3000KB/s, minb=1000KB/s, maxb=2560KB/s
";

#[test]
fn kilobytes_of_an_old_fio_are_1024_bytes() {
    let found = alone(OLD_FIO);
    assert_eq!(
        found,
        [
            "bench.fio.write.iops 750 1/s",
            "bench.fio.a.write.iops 250 1/s",
            "bench.fio.b.write.iops 500 1/s",
            "bench.fio.write.bw 3072000 bytes/s",
            "bench.fio.a.write.bw 1024000 bytes/s",
            "bench.fio.b.write.bw 2621440 bytes/s",
        ]
    );
}

#[test]
fn two_outputs_in_one_text_are_not_added() {
    let other = OLD_FIO.replace("b: (", "c: (").replace("a: (", "d: (");
    let found = alone(&format!("{OLD_FIO}\n{other}"));
    let sums = found.iter().filter(|f| f.contains("fio.write."));
    assert_eq!(sums.count(), 0, "{found:?}");
    assert_eq!(found.len(), 8, "{found:?}");
}

#[test]
fn report_of_fio() {
    let note = sample("fio-rw.json");
    assert_eq!(note.kind, NoteKind::Program("fio".to_owned()));
    let facts = values(&note);
    for expected in [
        "fio_version=3.33",
        "a rw=randrw",
        "a bs=4k",
        "a read_bytes=2031616 bytes",
        "a read_bw=84650666 bytes/s",
    ] {
        assert!(
            facts.iter().any(|f| f == expected),
            "{expected} in {facts:?}"
        );
    }
    assert!(
        facts
            .iter()
            .any(|f| f.starts_with("a read_iops=20666.666667")),
        "{facts:?}"
    );
    assert!(
        facts.iter().any(|f| f.starts_with("a write_clat_p99=")),
        "{facts:?}"
    );
    assert!(
        !facts.iter().any(|f| f.contains("trim")),
        "what was not done is absent"
    );
    let dropped = values(&sample("dropped/bench.txt"));
    for expected in [
        "dr iodepth=64",
        "dr read_iops=2692.965155 1/s",
        "dr read_runtime_ns=1521000000 ns",
        "dr read_clat_mean=42149539.438965 ns",
    ] {
        assert!(
            dropped.iter().any(|f| f == expected),
            "{expected} in {dropped:?}"
        );
    }
}

#[test]
fn old_report_of_fio_behind_a_warning() {
    let text = "fio: this platform does not support process shared mutexes\n{\n \"fio version\": \
        \"fio-2.16\", \"jobs\": [ { \"jobname\": \"x\", \
        \"write\": { \"io_bytes\": 4096, \"bw\": 8, \"iops\": 2.5, \"runtime\": 1500, \"clat\": { \
        \"mean\": 1.5, \"percentile\": { \"99.000000\": 3 } } } } ] }";
    assert_eq!(
        values(&read("f", text.as_bytes())),
        [
            "fio_version=2.16",
            "x write_bytes=4194304 bytes",
            "x write_runtime_ns=1500000000 ns",
            "x write_iops=2.5 1/s",
            "x write_bw=8192 bytes/s",
            "x write_clat_mean=1500 ns",
            "x write_clat_p99=3000 ns"
        ]
    );
}

#[test]
fn a_number_out_of_bounds_is_no_fact() {
    let text = r#"{"fio version": "fio-3.33", "jobs": [{"jobname": "x", "read": {"iops": 1, "bw": 4, "runtime": 1e308}}]}"#;
    assert_eq!(
        values(&read("f", text.as_bytes())),
        [
            "fio_version=3.33",
            "x read_iops=1 1/s",
            "x read_bw=4096 bytes/s"
        ]
    );
}

#[test]
fn several_dds() {
    let note = sample("dd.txt");
    assert_eq!(note.kind, NoteKind::Program("dd".to_owned()));
    let facts = values(&note);
    assert_eq!(facts.len(), 12);
    assert_eq!(
        facts[..2],
        [
            "to vda1 bytes=1310720 bytes",
            "to vda1 time_ns=3066620000 ns"
        ]
    );
    assert!(facts[11].starts_with("to vda4 rate="), "{facts:?}");
    let old = read(
        "dd",
        b"614400 bytes (614 kB) copied, 0,43 s, 1,4 MB/s\n5 bytes copied, 2 seconds, 2.5B/s\n",
    );
    assert_eq!(
        values(&old)[..2],
        ["dd 1 bytes=614400 bytes", "dd 1 time_ns=430000000 ns"]
    );
    assert_eq!(
        values(&old)[3..],
        [
            "dd 2 bytes=5 bytes",
            "dd 2 time_ns=2000000000 ns",
            "dd 2 rate=2.5 bytes/s"
        ]
    );
}
