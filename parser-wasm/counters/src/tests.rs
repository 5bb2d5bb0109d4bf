use super::*;
use seekscope_trace::store::lanes::{Lane, LaneUnit, Lanes};
use time::SECOND;

const IOSTAT: &str = "Linux 6.12.95 ((none)) \t11/22/26 \t_x86_64_\t(2 CPU)

11/22/26 05:09:20
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           5.67    0.00   64.94    0.00    0.00   29.39

Device            r/s     rkB/s  %util r_await
vda              9.00      9.00   9.00    9.00

11/22/26 05:09:20
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           9.24    0.00   23.91    7.00    0.00   66.85

Device            r/s     rkB/s  %util r_await
vda              1.00      4.00  50.00    2.00

11/22/26 05:09:21
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           2.60    0.00   21.88    9.00    0.00   75.52

Device            r/s     rkB/s  %util r_await
vda              3.00     12.00  70.00    0.00
";

/// 2026-11-22 05:09:19 UTC.
const START: i64 = 1_795_324_159 * SECOND;

fn lanes(texts: &[&str], wall: Option<i64>, uptime: Option<i64>, span: i64) -> Lanes {
    let files: Vec<CounterFile> = texts
        .iter()
        .map(|text| read("x", text.as_bytes()).expect("counters"))
        .collect();
    let mut lanes = Lanes::default();
    place(
        &files,
        RunClock {
            wall,
            uptime,
            trace_clock: uptime,
            span,
        },
        &mut lanes,
    );
    lanes
}

fn lane<'a>(lanes: &'a Lanes, subject: &str, name: &str) -> &'a Lane {
    let found = lanes
        .rows
        .iter()
        .find(|lane| lane.name == name && lane.subject.label() == subject);
    found.unwrap_or_else(|| panic!("no {name} of {subject} in {lanes:?}"))
}

fn values(lane: &Lane) -> Vec<(i64, i64, f64)> {
    lane.samples
        .iter()
        .map(|s| (s.from / 1_000_000, s.time / 1_000_000, s.value))
        .collect()
}

#[test]
fn iostat_begins_after_its_report_since_boot_and_has_base_units() {
    let lanes = lanes(&[IOSTAT], Some(START), None, 10 * SECOND);
    assert_eq!(lanes.sources[0].what, "iostat -x: 3 reports of vda");
    assert_eq!(lanes.sources[0].absent, None);
    assert!(lanes.sources[0].clock.as_deref().unwrap().contains("UTC"));
    // Printed in the seconds 20 and 21: between 1.0 and 2.0 s after the start, 1.5 in the middle.
    assert_eq!(
        values(lane(&lanes, "vda", "%util")),
        [(500, 1500, 0.5), (1500, 2500, 0.7)]
    );
    assert_eq!(
        values(lane(&lanes, "vda", "rkB/s")),
        [(500, 1500, 4096.0), (1500, 2500, 12_288.0)]
    );
    // 0 is the wait of no request.
    assert_eq!(values(lane(&lanes, "vda", "r_await")), [(500, 1500, 2e6)]);
    assert_eq!(lane(&lanes, "vda", "r_await").unit, LaneUnit::Ns);
    assert_eq!(
        values(lane(&lanes, "machine", "%iowait")),
        [(500, 1500, 0.07), (1500, 2500, 0.09)]
    );
}

#[test]
fn the_time_zone_is_the_only_one_that_fits() {
    let later = lanes(&[IOSTAT], Some(START - 3600 * SECOND), None, 10 * SECOND);
    assert!(
        later.sources[0]
            .clock
            .as_deref()
            .unwrap()
            .contains("UTC+1,"),
        "{:?}",
        later.sources
    );
    assert_eq!(lane(&later, "vda", "%util").samples[0].from, SECOND / 2);
    let none = lanes(&[IOSTAT], Some(START - 600 * SECOND), None, 10 * SECOND);
    assert!(none.rows.is_empty() && none.sources[0].absent.is_some());
    let several = lanes(&[IOSTAT], Some(START - 3000 * SECOND), None, 7200 * SECOND);
    assert!(
        several.rows.is_empty()
            && several.sources[0]
                .absent
                .as_deref()
                .unwrap()
                .contains("several time zones")
    );
}

#[test]
fn a_zone_that_another_file_names_is_the_machines() {
    let vmstat = "procs\n r  b swpd free buff cache si so bi bo in cs us sy id wa st UTC\n\
        1 0 0 10 0 0 0 0 0 0 1 2 3 4 93 0 0 2026-11-22 05:09:20\n1 2 0 10 0 0 0 0 8 0 1 2 3 4 83 \
        10 0 2026-11-22 05:09:21\n\
        1 3 0 10 0 0 0 0 8 0 1 2 3 4 83 20 0 2026-11-22 05:09:22\n";
    let two = lanes(&[IOSTAT, vmstat], Some(START), None, 7200 * SECOND);
    assert!(
        two.sources.iter().all(|source| source.absent.is_none()),
        "{:?}",
        two.sources
    );
    assert_eq!(
        values(lane(&two, "machine", "wa")),
        [(1500, 2500, 0.1), (2500, 3500, 0.2)]
    );
    assert_eq!(
        values(lane(&two, "machine", "b")),
        [(1500, 1500, 0.0), (2500, 2500, 2.0), (3500, 3500, 3.0)]
    );
    assert_eq!(
        values(lane(&two, "machine", "bi")),
        [(1500, 2500, 8192.0), (2500, 3500, 8192.0)]
    );
}

#[test]
fn sar_and_mpstat_print_where_an_interval_begins() {
    let text = "Linux 6.12.95 ((none)) \t11/22/26 \t_x86_64_\t(2 CPU)\n\n\
        05:09:20     CPU    %usr   %nice    %sys %iowait   %idle\n05:09:21     all    5.82    \
        0.00   17.46    1.00   76.72\n\
        05:09:21       1    7.53    0.00   15.05    2.00   77.42\n\n05:09:20          DEV       \
        tps     %util\n\
        05:09:21          vda    359.00     25.00\n\nAverage:     CPU    %usr\nAverage:     all    \
        9.99\n";
    let found = lanes(&[text], Some(START), None, 10 * SECOND);
    assert_eq!(found.sources[0].what, "sar -d: 1 report of vda, 2 CPUs");
    assert_eq!(
        values(lane(&found, "CPU 1", "%iowait")),
        [(1500, 2500, 0.02)]
    );
    assert_eq!(values(lane(&found, "vda", "%util")), [(1500, 2500, 0.25)]);
    let afternoon = text
        .replace("05:09:20  ", "05:09:20 PM  ")
        .replace("05:09:21  ", "05:09:21 PM  ");
    let found = lanes(
        &[&afternoon],
        Some(START + 12 * 3600 * SECOND),
        None,
        10 * SECOND,
    );
    assert_eq!(found.sources[0].absent, None);
    assert_eq!(
        values(lane(&found, "machine", "%iowait")),
        [(1500, 2500, 0.01)]
    );
}

#[test]
fn without_times_there_are_no_lanes_but_a_reason() {
    let text = IOSTAT
        .replace("11/22/26 05:09:20\n", "")
        .replace("11/22/26 05:09:21\n", "");
    let found = lanes(&[&text], Some(START), None, 10 * SECOND);
    assert!(found.rows.is_empty());
    assert_eq!(found.sources[0].what, "iostat -x: 3 reports of vda");
    assert!(
        found.sources[0]
            .absent
            .as_deref()
            .unwrap()
            .contains("no times")
    );
    let unknown = lanes(&[IOSTAT], None, Some(0), 10 * SECOND);
    assert!(
        unknown.rows.is_empty()
            && unknown.sources[0]
                .absent
                .as_deref()
                .unwrap()
                .contains("wall clock")
    );
}

#[test]
fn other_texts_have_no_counters() {
    for text in [
        "",
        "hello",
        "Device: x y z",
        "Linux 6.1 x",
        "r b",
        "12:00:00 something else",
        "{}",
        "[1]",
        "\u{feff}",
    ] {
        assert!(read("x", text.as_bytes()).is_none(), "{text}");
    }
    assert!(read("x", b"avg-cpu: %user\0").is_none());
}

#[test]
fn samples_of_diskstats_are_the_counters_of_iostat() {
    // 17, 15 and 11 fields, and a line of another boot.
    for (more, fields) in [(" 0 0 0 0 4 8", 17), (" 0 0 0 0", 15), ("", 11)] {
        let line = |r: u64, sectors: u64, ms: u64, busy: u64, weighted: u64| {
            format!(" 254 0 vda {r} 1 {sectors} {ms} 0 0 0 0 3 {busy} {weighted}{more}\n")
        };
        let text = format!(
            "uptime 100.00 5.44\n{}uptime 102.00 7.00\n{}",
            line(10, 80, 7, 12, 10),
            line(30, 240, 47, 1012, 4010)
        );
        let found = lanes(&[&text], None, Some(99 * SECOND), 10 * SECOND);
        assert_eq!(
            found.sources[0].what, "/proc/diskstats: 2 reports of vda",
            "{fields}"
        );
        let value = |name: &str| values(lane(&found, "vda", name))[0];
        assert_eq!(value("r/s"), (1000, 3000, 10.0));
        assert_eq!(value("rkB/s").2, 40_960.0);
        assert_eq!(value("r_await").2, 2e6);
        assert_eq!((value("%util").2, value("aqu-sz").2), (0.5, 2.0));
        assert_eq!(
            values(lane(&found, "vda", "in_flight")),
            [(3000, 3000, 3.0)]
        );
        assert!(
            !found.rows.iter().any(|lane| lane.name == "w_await"),
            "no write"
        );
        assert_eq!(
            found.rows.iter().any(|lane| lane.name == "f/s"),
            fields == 17
        );
    }
    let fell = "uptime 1.0 1.0\n254 0 vda 9 0 9 9 0 0 0 0 0 9 9\nuptime 2.0 1.0\n254 0 vda 1 0 9 9 \
        0 0 0 0 0 9 9\n";
    assert!(lanes(&[fell], None, Some(0), 10 * SECOND).rows.is_empty());
}

#[test]
fn samples_of_stat_give_shares_of_the_ticks() {
    let text = "uptime 11.0 5.4\ncpu  100 0 100 800 0 0 0 0 0 0\ncpu0 100 0 100 800 0 0 0 0 0 \
        0\nctxt 100\nprocs_blocked 1\n\
        uptime 12.0 5.4\ncpu  110 0 120 850 20 0 0 0 0 0\ncpu0 110 0 120 850 20 0 0 0 0 0\nctxt \
        300\nprocs_blocked 2\n";
    let found = lanes(&[text], None, Some(10 * SECOND), 5 * SECOND);
    assert_eq!(
        values(lane(&found, "machine", "%iowait")),
        [(1000, 2000, 0.2)]
    );
    assert_eq!(values(lane(&found, "CPU 0", "%user")), [(1000, 2000, 0.1)]);
    assert_eq!(values(lane(&found, "machine", "cs")), [(1000, 2000, 200.0)]);
    assert_eq!(
        values(lane(&found, "machine", "b")),
        [(1000, 1000, 1.0), (2000, 2000, 2.0)]
    );
}

#[test]
fn pressure_is_the_share_of_stalled_time_of_the_resource_that_is_named() {
    let sample = |time: u64, total: u64| {
        format!(
            "17953241{time}\n/proc/pressure/io:some avg10=0.00 avg60=0.00 avg300=0.00 total={total}\n\
             /proc/pressure/io:full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
        )
    };
    let text = format!(
        "{}{}{}",
        sample(60, 1000),
        sample(61, 251_000),
        sample(62, 251_000)
    );
    let found = lanes(&[&text], Some(START), None, 10 * SECOND);
    assert_eq!(
        values(lane(&found, "machine", "io some")),
        [(1500, 2500, 0.25), (2500, 3500, 0.0)]
    );
    let unnamed = text.replace("/proc/pressure/io:", "");
    let found = lanes(&[&unnamed], Some(START), None, 10 * SECOND);
    assert!(
        lane(&found, "machine", "1st some")
            .meaning
            .contains("does not name")
    );
    let headings = unnamed.replace("some", "==> /proc/pressure/memory <==\nsome");
    assert_eq!(
        lanes(&[&headings], Some(START), None, 10 * SECOND).rows[0].name,
        "memory some"
    );
}

#[test]
fn samples_without_times_have_no_place() {
    let found = lanes(
        &["254 0 vda 3 0 24 10 0 0 0 0 0 12 10\n254 0 vda 9 0 24 10 0 0 0 0 0 12 10\n"],
        Some(START),
        Some(0),
        10 * SECOND,
    );
    assert!(
        found.rows.is_empty()
            && found.sources[0]
                .absent
                .as_deref()
                .unwrap()
                .contains("no times")
    );
    assert!(
        read("x", b"1 2 3 4 5 6 7 8 9 10 11\n").is_none(),
        "a row of numbers"
    );
}

#[test]
fn json_of_sysstat() {
    let host = |statistics: &str| {
        format!(
            r#"{{"sysstat": {{"hosts": [{{"nodename": "h", "date": "11/22/26", "statistics": [{statistics}]}}]}}}}"#
        )
    };
    let mpstat = |time: &str, iowait: f64| {
        format!(
            r#"{{"timestamp": "{time}", "cpu-load": [{{"cpu": "all", "usr": 1.0, "iowait": {iowait}}}, {{"cpu": "1", "iowait": 2.0}}]}}"#
        )
    };
    let text = host(&format!(
        "{},{}",
        mpstat("05:09:21", 50.0),
        mpstat("05:09:22", 25.0)
    ));
    let found = lanes(&[&text], Some(START), None, 10 * SECOND);
    assert_eq!(found.sources[0].what, "mpstat -o JSON: 2 reports of 2 CPUs");
    assert_eq!(
        values(lane(&found, "machine", "%iowait")),
        [(1500, 2500, 0.5), (2500, 3500, 0.25)]
    );
    let disk = r#""disk": [{"disk-device": "vda", "tps": 1.0, "rkB": 4.0, "avgqu-sz": 9.0, "aqu-sz": 2.0, "await": 3.0, "util-percent": 50.0}]"#;
    let psi = r#""psi": {"psi-io": {"some_avg": 25.0, "full_avg": 0.0}}, "io": {"tps": 3.0, "io-reads": {"rtps": 3.0, "bread": 8.0}}"#;
    let time =
        r#""timestamp": {"date": "2026-11-22", "time": "05:09:21", "utc": 1, "interval": 1}"#;
    let found = lanes(
        &[&host(&format!("{{{time}, {disk}, {psi}}}"))],
        Some(START),
        None,
        10 * SECOND,
    );
    assert_eq!(found.sources[0].what, "sadf -j: 1 report of vda");
    assert_eq!(values(lane(&found, "vda", "aqu-sz")), [(1500, 2500, 2.0)]);
    assert_eq!(
        (
            values(lane(&found, "vda", "rkB/s"))[0].2,
            values(lane(&found, "machine", "bread/s"))[0].2
        ),
        (4096.0, 4096.0)
    );
    assert_eq!(
        (
            values(lane(&found, "vda", "%util"))[0].2,
            values(lane(&found, "machine", "io some"))[0].2
        ),
        (0.5, 0.25)
    );
    let iostat = r#"{"avg-cpu": {"user": 1.0, "iowait": 9.0}, "disk": [{"disk_device": "vda", "r/s": 1.0, "util": 3.0}]}"#;
    let untimed = lanes(&[&host(iostat)], Some(START), None, 10 * SECOND);
    assert!(
        untimed.rows.is_empty()
            && untimed.sources[0]
                .absent
                .as_deref()
                .unwrap()
                .contains("no times")
    );
    let timed = |time: &str| iostat.replacen('{', &format!(r#"{{"timestamp": "{time}", "#), 1);
    let three = ["20", "21", "22"]
        .map(|second| timed(&format!("2026-11-22T05:09:{second}+0000")))
        .join(",");
    let found = lanes(&[&host(&three)], Some(START), None, 10 * SECOND);
    assert_eq!(
        values(lane(&found, "machine", "%iowait")),
        [(1500, 2500, 0.09), (2500, 3500, 0.09)]
    );
}

#[test]
fn damaged_json_is_named_with_a_reason() {
    for text in [
        r#"{"sysstat": {"hosts": [{"date": "11/22/26", "statistics": [{"avg-cpu": {"user""#,
        r#"{"sysstat": {"hosts": []}}"#,
    ] {
        let found = lanes(&[text], Some(START), None, 10 * SECOND);
        assert!(
            found.rows.is_empty()
                && found.sources[0]
                    .absent
                    .as_deref()
                    .unwrap()
                    .contains("damaged"),
            "{text}"
        );
    }
}

#[test]
fn rows_of_sadf() {
    let text = "# hostname;interval;timestamp;DEV;tps;rkB/s;%util\nh;1;2026-11-22 05:09:21 \
        UTC;vda;1.0;4.00;50.00\n\
        h;1;2026-11-22 05:09:22 UTC;vda;1.0;8.00;60.00\nh;-1;2026-11-22 05:10:00 \
        UTC;LINUX-RESTART\n\
        # hostname;interval;timestamp;CPU;%user;%iowait\nh;1;2026-11-22 05:09:21 \
        UTC;-1;1.00;30.00\nh;1;1795324162;0;1.00;20.00\n";
    let found = lanes(&[text], Some(START), None, 10 * SECOND);
    assert_eq!(found.sources[0].what, "sadf -d: 2 reports of vda, 1 CPU");
    assert_eq!(
        values(lane(&found, "vda", "rkB/s")),
        [(1500, 2500, 4096.0), (2500, 3500, 8192.0)]
    );
    assert_eq!(
        values(lane(&found, "machine", "%iowait")),
        [(1500, 2500, 0.3)]
    );
    assert_eq!(
        values(lane(&found, "CPU 0", "%iowait")),
        [(2500, 3500, 0.2)]
    );
}

#[test]
fn logs_of_fio_have_no_start() {
    let found = lanes(
        &["503, 5840742, 1, 0, 0\n1000, 6477462, 1, 0, 0\n"],
        Some(START),
        Some(0),
        10 * SECOND,
    );
    assert_eq!(found.sources[0].what, "fio log: 2 reports");
    assert!(
        found.rows.is_empty()
            && found.sources[0]
                .absent
                .as_deref()
                .unwrap()
                .contains("fio's job")
    );
    assert!(read("x", b"1, 2, 7, 4\n").is_none() && read("x", b"1, 2, 1\n").is_none());
}

/// The description names what was left out of a damaged file, and the rest is read.
#[test]
fn damaged_files_give_the_rest_and_the_reason() {
    let absent = |found: &Lanes| found.sources[0].absent.clone().unwrap_or_default();
    // A row of other columns: the device of the report after it has both.
    let odd = IOSTAT.replacen(
        "vda              1.00      4.00  50.00    2.00",
        "vda              1.00      4.00  50.00",
        1,
    );
    let found = lanes(&[&odd], Some(START), None, 10 * SECOND);
    assert_eq!(values(lane(&found, "vda", "%util")), [(1500, 2500, 0.7)]);
    assert!(
        absent(&found).contains("1 row") && absent(&found).contains("line 15"),
        "{}",
        absent(&found)
    );
    // A last line that is cut within a number is no smaller number.
    let cut = &IOSTAT[..IOSTAT.len() - 3];
    let found = lanes(&[cut], Some(START), None, 10 * SECOND);
    assert_eq!(values(lane(&found, "vda", "%util")), [(500, 1500, 0.5)]);
    assert!(absent(&found).contains("may be cut"), "{}", absent(&found));
    // The values are out of range.
    let large = IOSTAT
        .replacen("50.00", "-50.00", 1)
        .replacen("70.00", &"9".repeat(300), 1);
    let found = lanes(&[&large], Some(START), None, 10 * SECOND);
    assert!(
        found
            .rows
            .iter()
            .all(|lane| lane.name != "%util" || lane.samples.is_empty())
    );
    assert!(
        absent(&found).contains("2 values out of range"),
        "{}",
        absent(&found)
    );
}

#[test]
fn reports_whose_time_goes_back_are_left_out() {
    let row = |up: &str, n: u32| {
        format!("uptime {up} 6.02\n 254 0 vda {n} 0 24 12 0 0 0 0 0 12 12 0 0 0 0 0 0\n")
    };
    let text = [
        row("10.00", 0),
        row("11.00", 10),
        row("10.50", 11),
        row("12.00", 30),
        row("13.00", 40),
    ]
    .concat();
    let found = lanes(&[&text], None, Some(10 * SECOND), 10 * SECOND);
    let reads = values(lane(&found, "vda", "r/s"));
    assert_eq!(
        reads,
        [(0, 1000, 10.0), (2000, 3000, 10.0)],
        "the one after it has no known beginning"
    );
    assert!(reads.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    assert!(
        found.sources[0]
            .absent
            .as_deref()
            .is_some_and(|why| why.contains("1 report whose time")),
        "{:?}",
        found.sources
    );
}

#[test]
fn a_huge_number_of_devices_and_columns_is_bounded() {
    let rows: String = (0..20_000)
        .map(|i| format!("sd{i} 1.00 1.00 1.00 1.00\n"))
        .collect();
    let text = format!("11/22/26 05:09:20\nDevice            r/s     rkB/s  %util r_await\n{rows}");
    let file = read("x", text.as_bytes()).expect("counters");
    assert!(
        file.cut && file.series.len() <= MAX_LANES,
        "{}",
        file.series.len()
    );
    let wide = format!(
        "Device r/s {}\nvda {}\n",
        "x/s ".repeat(100_000),
        "1.00 ".repeat(100_001)
    );
    assert_eq!(
        read("x", wide.as_bytes()).map(|file| file.series.len()),
        Some(1)
    );
}

#[test]
fn a_text_without_its_counters() {
    let mail = format!("{IOSTAT}\nwrite speed (MB/s)\n| Kernel | 1 dd |\n");
    let rest = without(&mail);
    assert_eq!(
        rest.lines().count(),
        mail.lines().count(),
        "tables keep their lines"
    );
    assert!(
        rest.contains("| Kernel | 1 dd |") && !rest.contains("vda") && !rest.contains("avg-cpu"),
        "{rest}"
    );
}

/// What seekscope-record writes: its first line places the samples on the clock of the trace, which
/// does not count suspend.
#[test]
fn samples_of_the_recorder_are_on_the_clock_of_the_trace() {
    let group = |ahead: &str| {
        format!(
            "clock uptime {ahead} monotonic 10.004\nuptime {a}.00\n254:0 rbytes=0 wbytes=4096 \
                rios=0 wios=1 dbytes=0 dios=0\n\
             8:16\nuptime {b}.00\n254:0 rbytes=0 wbytes=12288 rios=0 wios=5 dbytes=0 dios=0\n",
            a = &ahead[..ahead.len() - 3],
            b = ahead[..ahead.len() - 3].parse::<u64>().unwrap() + 2
        )
    };
    // Read one after the other: the same. After a suspend of 500 s: 500 s less.
    for ahead in ["10.00", "510.00"] {
        let found = lanes(&[&group(ahead)], None, Some(10 * SECOND), 10 * SECOND);
        assert_eq!(found.sources[0].absent, None);
        let samples = values(lane(&found, "254,0", "cgroup wbytes"));
        let late = if ahead == "10.00" { 0 } else { 4 };
        assert_eq!(samples, [(late, 2000 + late, 4096.0)], "{ahead}");
        assert_eq!(
            values(lane(&found, "254,0", "cgroup wios")),
            [(late, 2000 + late, 2.0)]
        );
    }
    // The clock of a text of tracepoints is not known to count from boot: only that line says so.
    let text = group("10.00");
    let plain = text.split_once('\n').unwrap().1;
    let clock = RunClock {
        wall: None,
        uptime: None,
        trace_clock: Some(10 * SECOND),
        span: 10 * SECOND,
    };
    for (text, has_clock) in [(text.as_str(), true), (plain, false)] {
        let mut found = Lanes::default();
        place(
            &[read("x", text.as_bytes()).expect("counters")],
            clock,
            &mut found,
        );
        assert_eq!(
            (found.rows.is_empty(), found.sources[0].absent.is_none()),
            (!has_clock, has_clock),
            "{text}"
        );
    }
    // The recording is of another boot.
    let other = lanes(&[&group("10.00")], None, Some(5000 * SECOND), 10 * SECOND);
    assert!(other.rows.is_empty() && other.sources[0].absent.is_some());
}

#[test]
fn pages_of_vmstat_are_gauges_and_rates() {
    let text = "uptime 10.00\nnr_free_pages 100\nnr_dirty 7\nnr_written 10\npgpgout \
        100\nworkingset_x 5\n\
        uptime 12.00\nnr_free_pages 90\nnr_dirty 9\nnr_written 30\npgpgout 300\nworkingset_x 9\n";
    let found = lanes(&[text], None, Some(10 * SECOND), 10 * SECOND);
    assert_eq!(found.sources[0].what, "/proc/vmstat: 2 reports");
    assert_eq!(
        values(lane(&found, "machine", "nr_dirty")),
        [(0, 0, 7.0), (2000, 2000, 9.0)]
    );
    assert_eq!(
        values(lane(&found, "machine", "nr_written")),
        [(0, 2000, 10.0)]
    );
    assert_eq!(
        values(lane(&found, "machine", "pgpgout")),
        [(0, 2000, 102_400.0)]
    );
    assert!(found.rows.iter().all(|lane| lane.name != "workingset_x"));
}
