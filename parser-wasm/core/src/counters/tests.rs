use super::*;
use crate::store::lanes::{Lane, LaneUnit, Lanes};
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
    let files: Vec<CounterFile> = texts.iter().map(|text| read("x", text.as_bytes()).expect("counters")).collect();
    let mut lanes = Lanes::default();
    place(&files, RunClock { wall, uptime, span }, &mut lanes);
    lanes
}

fn lane<'a>(lanes: &'a Lanes, subject: &str, name: &str) -> &'a Lane {
    let found = lanes.rows.iter().find(|lane| lane.name == name && lane.subject.label() == subject);
    found.unwrap_or_else(|| panic!("no {name} of {subject} in {lanes:?}"))
}

fn values(lane: &Lane) -> Vec<(i64, i64, f64)> {
    lane.samples.iter().map(|s| (s.from / 1_000_000, s.at / 1_000_000, s.value)).collect()
}

#[test]
fn iostat_begins_after_its_report_since_boot_and_has_base_units() {
    let lanes = lanes(&[IOSTAT], Some(START), None, 10 * SECOND);
    assert_eq!(lanes.sources[0].what, "iostat -x: 3 reports of vda");
    assert_eq!(lanes.sources[0].absent, None);
    assert!(lanes.sources[0].clock.as_deref().unwrap().contains("UTC"));
    // Printed in the seconds 20 and 21: between 1.0 and 2.0 s after the start, 1.5 in the middle.
    assert_eq!(values(lane(&lanes, "vda", "%util")), [(500, 1500, 0.5), (1500, 2500, 0.7)]);
    assert_eq!(values(lane(&lanes, "vda", "rkB/s")), [(500, 1500, 4096.0), (1500, 2500, 12_288.0)]);
    // 0 is the wait of no request.
    assert_eq!(values(lane(&lanes, "vda", "r_await")), [(500, 1500, 2e6)]);
    assert_eq!(lane(&lanes, "vda", "r_await").unit, LaneUnit::Ns);
    assert_eq!(values(lane(&lanes, "machine", "%iowait")), [(500, 1500, 0.07), (1500, 2500, 0.09)]);
}

#[test]
fn the_time_zone_is_the_only_one_that_fits() {
    let later = lanes(&[IOSTAT], Some(START - 3600 * SECOND), None, 10 * SECOND);
    assert!(later.sources[0].clock.as_deref().unwrap().contains("UTC+1,"), "{:?}", later.sources);
    assert_eq!(lane(&later, "vda", "%util").samples[0].from, SECOND / 2);
    let none = lanes(&[IOSTAT], Some(START - 600 * SECOND), None, 10 * SECOND);
    assert!(none.rows.is_empty() && none.sources[0].absent.is_some());
    let several = lanes(&[IOSTAT], Some(START - 3000 * SECOND), None, 7200 * SECOND);
    assert!(several.rows.is_empty() && several.sources[0].absent.as_deref().unwrap().contains("several time zones"));
}

#[test]
fn a_zone_that_another_file_names_is_the_machines() {
    let vmstat = "procs\n r  b swpd free buff cache si so bi bo in cs us sy id wa st UTC\n\
        1 0 0 10 0 0 0 0 0 0 1 2 3 4 93 0 0 2026-11-22 05:09:20\n1 2 0 10 0 0 0 0 8 0 1 2 3 4 83 10 0 2026-11-22 05:09:21\n\
        1 3 0 10 0 0 0 0 8 0 1 2 3 4 83 20 0 2026-11-22 05:09:22\n";
    let two = lanes(&[IOSTAT, vmstat], Some(START), None, 7200 * SECOND);
    assert!(two.sources.iter().all(|source| source.absent.is_none()), "{:?}", two.sources);
    assert_eq!(values(lane(&two, "machine", "wa")), [(1500, 2500, 0.1), (2500, 3500, 0.2)]);
    assert_eq!(values(lane(&two, "machine", "b")), [(1500, 1500, 0.0), (2500, 2500, 2.0), (3500, 3500, 3.0)]);
    assert_eq!(values(lane(&two, "machine", "bi")), [(1500, 2500, 8192.0), (2500, 3500, 8192.0)]);
}

#[test]
fn sar_and_mpstat_print_where_an_interval_begins() {
    let text = "Linux 6.12.95 ((none)) \t11/22/26 \t_x86_64_\t(2 CPU)\n\n\
        05:09:20     CPU    %usr   %nice    %sys %iowait   %idle\n05:09:21     all    5.82    0.00   17.46    1.00   76.72\n\
        05:09:21       1    7.53    0.00   15.05    2.00   77.42\n\n05:09:20          DEV       tps     %util\n\
        05:09:21          vda    359.00     25.00\n\nAverage:     CPU    %usr\nAverage:     all    9.99\n";
    let found = lanes(&[text], Some(START), None, 10 * SECOND);
    assert_eq!(found.sources[0].what, "sar -d: 1 report of vda, 2 CPUs");
    assert_eq!(values(lane(&found, "CPU 1", "%iowait")), [(1500, 2500, 0.02)]);
    assert_eq!(values(lane(&found, "vda", "%util")), [(1500, 2500, 0.25)]);
    let afternoon = text.replace("05:09:20  ", "05:09:20 PM  ").replace("05:09:21  ", "05:09:21 PM  ");
    let found = lanes(&[&afternoon], Some(START + 12 * 3600 * SECOND), None, 10 * SECOND);
    assert_eq!(found.sources[0].absent, None);
    assert_eq!(values(lane(&found, "machine", "%iowait")), [(1500, 2500, 0.01)]);
}

#[test]
fn without_times_there_are_no_lanes_but_a_reason() {
    let text = IOSTAT.replace("11/22/26 05:09:20\n", "").replace("11/22/26 05:09:21\n", "");
    let found = lanes(&[&text], Some(START), None, 10 * SECOND);
    assert!(found.rows.is_empty());
    assert_eq!(found.sources[0].what, "iostat -x: 3 reports of vda");
    assert!(found.sources[0].absent.as_deref().unwrap().contains("no times"));
    let unknown = lanes(&[IOSTAT], None, Some(0), 10 * SECOND);
    assert!(unknown.rows.is_empty() && unknown.sources[0].absent.as_deref().unwrap().contains("wall clock"));
}

#[test]
fn other_texts_have_no_counters() {
    for text in ["", "hello", "Device: x y z", "Linux 6.1 x", "r b", "12:00:00 something else", "{}", "[1]", "\u{feff}"] {
        assert!(read("x", text.as_bytes()).is_none(), "{text}");
    }
    assert!(read("x", b"avg-cpu: %user\0").is_none());
}
