use super::super::tests::decoded;
use super::*;

const Q: &str = "  dd-1592    [000] .....   122.135558: block_bio_queue: 254,0 WS 0 + 8 [dd]\n";

#[test]
fn text_of_ftrace() {
    let (records, report) = decoded(&format!(
        "# tracer: nop\n#\n# entries-in-buffer/entries-written: 4/4   #P:2\n#\n\
         #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n{Q}\
         \x20             dd-1592    [000] .....   122.135686: block_plug: [dd]\n\
         \x20             dd-1592    [000] .....   122.135730: block_unplug: [dd] 1\n\
         \x20   kworker/0:1H-56      [000] d.h2.   123.754639: block_rq_complete: 254,0 FF () \
         18446744073709551615 + 0 [0]\n"
    ));
    assert_eq!(
        records,
        [
            "1592 is dd",
            "122135558000 0 1592 254,0 Q WS 0+8",
            "122135686000 0 1592 none P N 0+0",
            "122135730000 0 1592 none U N 0+0 Unplug(1)",
            "56 is kworker/0:1H",
            "123754639000 0 56 254,0 C FN 0+0",
        ]
    );
    assert_eq!(report.formats, ["ftrace-text"]);
    assert_eq!(
        (report.lost.sum(), report.other_events, report.odd_lines),
        (0, 0, None)
    );
}

#[test]
fn text_of_trace_cmd_and_perf() {
    let trace_cmd = "cpus=2\n             fio-326   [001]    23.056903: block_bio_queue:      \
        254,0 R 31616 + 16 [fio]\n";
    let unheaded = "             fio-326   [001] d..1.   23.056903: block_bio_queue:      254,0 R \
        31616 + 16 [fio]\n";
    let perf = "             fio   326 [001]    23.056903:      block:block_bio_queue: 254,0 R \
        31616 + 16 [fio]\n";
    for (text, format) in [
        (trace_cmd, "trace-cmd-text"),
        (unheaded, "trace-cmd-text"),
        (perf, "perf-text"),
    ] {
        let (records, report) = decoded(text);
        assert_eq!(
            records,
            ["326 is fio", "23056903000 1 326 254,0 Q R 31616+16"],
            "{format}"
        );
        assert_eq!(
            (report.formats.as_slice(), report.odd_lines),
            (&[format][..], None)
        );
    }
}

#[test]
fn lost_events_are_counted() {
    for (line, lost) in [
        ("CPU:1 [LOST 17 EVENTS]", 17),
        ("CPU:1 [17 EVENTS DROPPED]", 17),
        ("CPU:1 [LOST EVENTS]", 1),
        ("CPU:1 [EVENTS DROPPED]", 1),
        (
            "# entries-in-buffer/entries-written: 140080/250280   #P:4",
            110_200,
        ),
        (
            "  fio  1733 [000]   133.393779: PERF_RECORD_LOST lost 17",
            17,
        ),
        ("PERF_RECORD_LOST_SAMPLES lost 17", 17),
        ("LOST 17 events!", 17),
    ] {
        let (records, report) = decoded(&format!("{Q}{line}\n{Q}"));
        assert_eq!(
            (records.len(), report.lost.sum(), report.odd_lines),
            (3, lost, None),
            "{line}"
        );
    }
}

#[test]
fn lines_of_other_kinds_are_passed_by() {
    let others = [
        "  dd-1592  [000] .....   122.135559: block_touch_buffer: 254,0 sector=145 size=4096",
        "  dd-1592  [000] .....   122.135559: block_io_done: 254,0 WS 0 () 0 + 0 none,0,0 [dd]",
        "  dd-1592  [000] .....   122.135559: sched_switch: prev_comm=dd prev_pid=1592 ==> \
            next_comm=x next_pid=2",
        "  dd-1592  [000] .....   122.135559: submit_bio_noacct <-submit_bio",
        "  dd-1592  [000] .....   122.135559: <stack trace>",
        "  dd-1592  [000] .....   122.135559: block_getrq: 0,0 N 0 + 0 [dd]",
    ];
    let silent = [
        " => submit_bio_noacct",
        "\tffffffff8154a1b0 submit_bio_noacct+0x1 ([kernel.kallsyms])",
        "            55c3a [unknown] (/usr/bin/fio)",
        "##### CPU 1 buffer started ####",
        "CPU 3 is empty",
        "",
    ];
    let (records, report) = decoded(&format!(
        "{Q}{}\n{}\n{Q}",
        others.join("\n"),
        silent.join("\n")
    ));
    assert_eq!(
        (records.len(), report.other_events, report.odd_lines),
        (3, others.len() as u64, None)
    );
    let (_, report) = decoded(&format!(
        "{Q}Killed\n  dd-1592  [000] ..... 122.135559: block_bio_queue: 254,0 WS 0 +\n{Q}"
    ));
    assert_eq!(
        report.odd_lines.map(|l| (l.count, l.line, l.example)),
        Some((2, 2, "Killed".to_owned()))
    );
}

#[test]
fn actions_that_never_occur_are_not_carried() {
    let mut ftrace = Ftrace::default();
    ftrace.line(Q.trim_end().as_bytes(), &mut |_| {});
    ftrace.line(
        b"  dd-1 [000] ..... 122.2: block_rq_complete: 254,0 WS () 0 + 8 [0]",
        &mut |_| {},
    );
    let capabilities = ftrace.capabilities();
    assert!(capabilities.has(
        Capabilities::QUEUES
            | Capabilities::COMPLETIONS
            | Capabilities::CPUS
            | Capabilities::PROCESSES
    ));
    for missing in [
        Capabilities::MERGES,
        Capabilities::INSERTS,
        Capabilities::PLUGS,
        Capabilities::REMAPS,
        Capabilities::SEQUENCES,
        Capabilities::MESSAGES,
    ] {
        assert!(!capabilities.has(missing), "{missing:?}");
    }
}

#[test]
fn one_kind_of_event_counts_where_both_were_recorded() {
    let blk = "  dd-1592    [000] d..1.   122.135558: 254,0    Q  WS 0 + 8 [dd]\n";
    let (records, report) = decoded(&format!("# tracer: blk\n{blk}{Q}{blk}"));
    assert_eq!(
        (
            records.len(),
            report.other_events,
            report.formats.as_slice()
        ),
        (3, 1, &["blk-tracer-text"][..])
    );
    let (records, report) = decoded(&format!("{Q}{blk}{Q}"));
    assert_eq!(
        (
            records.len(),
            report.other_events,
            report.formats.as_slice()
        ),
        (3, 1, &["ftrace-text"][..])
    );
}

#[test]
fn counting_clocks_are_reported() {
    let (records, report) =
        decoded("  dd-1 [000] ..... 118433: block_bio_queue: 254,0 WS 0 + 8 [dd]\n");
    assert_eq!(records[1], "118433 0 1 254,0 Q WS 0+8");
    assert!(report.counted_time);
    assert!(!decoded(Q).1.counted_time);
}
