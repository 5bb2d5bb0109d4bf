//! Which notes are given to the reader of texts, and what comes back.

use super::*;
use crate::BenchUnit;

fn unread(texts: &[(&str, &str)]) -> Vec<String> {
    let notes: Vec<Note> = texts
        .iter()
        .map(|(file, text)| read(file, text.as_bytes()))
        .collect();
    let unread = unread_notes(&notes);
    unread
        .iter()
        .map(|found| notes[found.index].file.clone())
        .collect()
}

#[test]
fn facts_of_the_machine_need_no_other_reader() {
    let texts = [
        (
            "a/uname.txt",
            "Linux debian 6.1.0-47-amd64 #1 SMP x86_64 GNU/Linux\n",
        ),
        (
            "a/queue.txt",
            "/sys/block/sda/queue/read_ahead_kb:128\n/sys/fs/cgroup/a/io.max:8:0 riops=250\n",
        ),
        ("a/empty.txt", ""),
        ("a/words.txt", "The disks were new.\n"),
        ("a/picture.png", "\u{0}PNG 5 MB/s"),
    ];
    assert_eq!(unread(&texts), [""; 0]);
    for name in [
        "dropped/meta.json",
        "dropped/blktrace.log",
        "mdstat.txt",
        "lsblk-t.txt",
    ] {
        let text = std::fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../tests/notes")
                .join(name),
        );
        assert_eq!(unread(&[(name, &text.unwrap())]), [""; 0], "{name}");
    }
}

#[test]
fn short_notes_are_searched_before_long_ones() {
    let long = "line 1\n".repeat(unread::MAX_SEARCHED_BYTES / 7 / 3);
    let texts = [
        ("a/log-1", long.as_str()),
        ("a/log-2", &long),
        ("a/log-3", &long),
        ("a/fio.txt", "read: IOPS=100, BW=400KiB/s\n"),
    ];
    assert_eq!(unread(&texts), ["a/log-1", "a/log-2", "a/fio.txt"]);
}

#[test]
fn other_texts_and_mails_that_state_rates_may_hold_outputs() {
    let kernel = "Linux debian 6.1.0-47-amd64 #1 SMP x86_64 GNU/Linux\n";
    for text in [
        "real 0m1.200s\n".to_owned(),
        format!("{kernel}\n614400 bytes (614 kB) copied, 0.43 s, 1.4 MB/s\n"),
        format!("{kernel}  read: IOPS=200, BW=1600KiB/s\n"),
        format!("{kernel}random | 800 kB/sec |\n"),
        "{\"hostname\": \"a\", \"read\": {\"iops\": 2.5}}".to_owned(),
    ] {
        assert_eq!(unread(&[("a/x", &text)]), ["a/x"], "{text}");
    }
}

#[test]
fn in_an_archive_of_the_recorder_only_the_command_measures() {
    let manifest = "item\tcommand\texit\tbegin\tend\n\
        before/meminfo.txt\tcat /proc/meminfo\t0\t6\t6\nold-r1/output\tfio job.fio\t0\t6\t9\n";
    let texts = [
        ("x.tar.gz/old/MANIFEST.tsv", manifest),
        ("x.tar.gz/old/before/meminfo.txt", "MemTotal: 2011620 kB\n"),
        ("x.tar.gz/old/old-r1/trace-stats.txt", "entries: 12\n"),
        ("x.tar.gz/old/old-r1/output.txt", "IOPS 3123\n"),
        (
            "x.tar.gz/old/old-r1/output-err.txt",
            "600 bytes copied, 2 s, 300 B/s\n",
        ),
        ("x.tar.gz/other/meminfo.txt", "MemTotal: 2011620 kB\n"),
    ];
    assert_eq!(
        unread(&texts),
        [
            "x.tar.gz/old/old-r1/output.txt",
            "x.tar.gz/old/old-r1/output-err.txt",
            "x.tar.gz/other/meminfo.txt"
        ]
    );
}

#[test]
fn rows_of_counters_are_not_given_to_the_other_reader() {
    let counters = "Device r/s w/s rkB/s wkB/s rrqm/s wrqm/s %rrqm %wrqm r_await w_await aqu-sz \
        rareq-sz wareq-sz svctm %util\nvda 1.0 2.0 3.0 4.0 0 0 0 0 1 1 0 1 1 1 1\n";
    let below = "614400 bytes (614 kB) copied, 0.43 s, 1.4 MB/s\n";
    let alone = read("a/iostat.txt", counters.as_bytes());
    assert_eq!(
        (
            alone.kind.clone(),
            unread_notes(std::slice::from_ref(&alone)).len()
        ),
        (NoteKind::Counters, 0)
    );
    let both = read("a/mail.txt", format!("{counters}\n{below}").as_bytes());
    let notes = [both];
    let [found] = &unread_notes(&notes)[..] else {
        panic!("one note is left");
    };
    assert_eq!(found.text.map(str::trim), Some(below.trim()));
}

fn value(what: &str, unit: BenchUnit, value: f64) -> BenchValue {
    BenchValue {
        tool: "fio".to_owned(),
        output: 0,
        run: None,
        headings: Vec::new(),
        part: None,
        is_sum: false,
        processes: 0,
        what: what.to_owned(),
        words: what.to_owned(),
        unit,
        good: Some(Good::More),
        value,
    }
}

/// The figures of a run whose note has these values.
fn figures(values: Vec<BenchValue>) -> Vec<BenchFigure> {
    let mut note = read("a/out.txt", b"12\n");
    note.add_outputs(NoteOutputs {
        tools: vec!["fio".to_owned()],
        values,
        ..NoteOutputs::default()
    });
    assign(&[files("a", &["a/t.blktrace.0"])], vec![note]).runs[0]
        .bench
        .clone()
}

#[test]
fn what_another_module_hands_over_is_checked() {
    let wrong = [
        value("a", BenchUnit::PerSecond, f64::NAN),
        value("b", BenchUnit::PerSecond, f64::INFINITY),
        value("c", BenchUnit::PerSecond, 1e300),
        value("d", BenchUnit::Bytes, 1.0),
    ];
    assert_eq!(figures(wrong.to_vec()), []);
    let unknown = serde_json::from_str::<BenchUnit>("\"<b>\"");
    assert!(unknown.is_err(), "{unknown:?}");
    let many = (0..2000)
        .map(|i| value(&format!("m{i}"), BenchUnit::Nanoseconds, 1.0))
        .collect();
    assert_eq!(figures(many).len(), 200);
    let long = BenchValue {
        words: "w".repeat(5000),
        ..value(
            &format!("<script>{}", "x".repeat(5000)),
            BenchUnit::Nanoseconds,
            1.0,
        )
    };
    let [figure] = &figures(vec![long])[..] else {
        panic!("one figure");
    };
    assert!(figure.key.len() < 400 && figure.label.len() < 400);
    assert!(
        figure.key.starts_with("bench.fio.-script-x"),
        "{}",
        figure.key
    );

    let mut note = read("a/out.txt", b"12\n");
    let fact = |value| Fact::number("k", "n", value, "kg");
    note.add_outputs(NoteOutputs {
        tools: vec!["t".repeat(5000); 5000],
        facts: vec![
            fact(f64::NAN),
            fact(1.0),
            Fact::text("k", "n", &"x".repeat(5000)),
        ],
        values: Vec::new(),
    });
    assert_eq!(note.facts.len(), 2);
    assert_eq!(note.facts[0].unit, None);
    assert!(note.what.len() < 16 * 320 && note.kind == NoteKind::Mixed);
}

#[test]
fn a_sum_stands_for_its_run_and_two_sums_for_none() {
    let part = |name: &str, value: BenchValue| BenchValue {
        part: Some(name.to_owned()),
        ..value
    };
    let sum = |output, value| BenchValue {
        is_sum: true,
        output,
        ..value
    };
    let iops = |n| value("iops", BenchUnit::PerSecond, n);
    let single = vec![
        part("a", iops(1.0)),
        part("b", iops(2.0)),
        sum(0, iops(3.0)),
    ];
    let keys = |values| -> Vec<String> {
        let found = figures(values).into_iter();
        found.map(|f| format!("{} {}", f.label, f.value)).collect()
    };
    assert_eq!(
        keys(single.clone()),
        ["fio iops, sum 3", "fio a iops 1", "fio b iops 2"]
    );
    let two: Vec<BenchValue> = single
        .into_iter()
        .chain([part("c", iops(3.0)), sum(1, iops(3.0))])
        .collect();
    assert_eq!(keys(two), ["fio a iops 1", "fio b iops 2", "fio c iops 3"]);
}

/// Headings above all figures of a program distinguish none of them.
#[test]
fn headings_name_runs_or_parts() {
    let under = |heading: &str, n| BenchValue {
        headings: vec!["Results".to_owned(), heading.to_owned()],
        ..value("iops", BenchUnit::PerSecond, n)
    };
    let values = vec![under("old", 1.0), under("new", 2.0)];
    let labels: Vec<String> = figures(values.clone())
        .into_iter()
        .map(|f| f.label)
        .collect();
    assert_eq!(labels, ["fio old iops", "fio new iops"]);
    let mut note = read("out.txt", b"12\n");
    note.add_outputs(NoteOutputs {
        values,
        ..NoteOutputs::default()
    });
    let traces = ["old", "new"].map(|name| files(name, &[&format!("{name}/t.blktrace.0")]));
    let assigned = assign(&traces, vec![note]);
    let of_run = |i: usize| {
        assigned.runs[i]
            .bench
            .iter()
            .map(|f| (f.key.as_str(), f.value))
    };
    assert_eq!(of_run(0).collect::<Vec<_>>(), [("bench.fio.iops", 1.0)]);
    assert_eq!(of_run(1).collect::<Vec<_>>(), [("bench.fio.iops", 2.0)]);
}
