use super::*;
use crate::readers::system::samples::{read_at, read_with, values};

const CPUS: &str = "\
CPU0 (trace):
 Reads Queued:           3,       12KiB\t Writes Queued:           9,     8224KiB
 Read Merges:            0,        0KiB\t Write Merges:            4,       16KiB
 Read depth:             1        \t Write depth:            14
 IO unplugs:            11        \t Timer unplugs:           0
CPU1 (trace):
 Reads Queued:           0,        0KiB\t Writes Queued:          24,    41008KiB
 Read Merges:            0,        0KiB\t Write Merges:            7,       28KiB
 Read depth:             1        \t Write depth:            14
 IO unplugs:            23        \t Timer unplugs:           0

";
const TOTAL: &str = "\
Total (trace):
 Reads Queued:           3,       12KiB\t Writes Queued:      11,033,    49,232KiB
 Reads Requeued:         0\t\t Writes Requeued:         2
 Read Merges:            0,        0KiB\t Write Merges:           11,       44KiB
 PC Read Disp.:         20,        4KiB  PC Write Disp.:          0,        0KiB
 PC Reads Compl.:       13               PC Writes Compl.:        0
 IO unplugs:            34        \t Timer unplugs:           5

Throughput (R/W): 5KiB/s / 21,880KiB/s
Events (trace): 4,410 entries
Skips: 0 forward (0 -   0.0%)
";

#[test]
fn the_total_stands_for_its_cpus() {
    let output = read_with(read, &format!("{CPUS}{TOTAL}That is all."), None).expect("totals");
    assert_eq!(output.end, 22);
    let values_of = |key| values(&output, key);
    assert_eq!(values_of("write.queued"), [("", "", 11_033.0)]);
    assert_eq!(values_of("write.queued_size"), [("", "", 49_232.0 * KIB)]);
    assert_eq!(values_of("write.requeued"), [("", "", 2.0)]);
    assert_eq!(values_of("pc.read.dispatched"), [("", "", 20.0)]);
    assert_eq!(values_of("pc.read.completed"), [("", "", 13.0)]);
    assert_eq!(values_of("timer-unplugs"), [("", "", 5.0)]);
    assert_eq!(values_of("write.bw"), [("", "", 21_880.0 * KIB)]);
    assert_eq!(values_of("events"), [("", "", 4410.0)]);
    assert_eq!(output.facts, [NamedValue::new("device", "trace")]);
}

#[test]
fn cpus_without_a_total() {
    let output = read_with(read, CPUS, None).expect("totals");
    assert_eq!(
        values(&output, "write.queued"),
        [("CPU0", "", 9.0), ("CPU1", "", 24.0)]
    );
    let first_cpu = &CPUS[..CPUS.find("CPU1").expect("a second CPU")];
    let output = read_with(read, first_cpu, None).expect("totals");
    assert_eq!(values(&output, "write.queued"), [("", "", 9.0)]);
}

#[test]
fn devices_are_told_apart_and_a_second_total_is_another_output() {
    let other = TOTAL.replace("trace", "sdb");
    let output = read_with(read, &format!("{TOTAL}\n{other}"), None).expect("totals");
    assert_eq!(
        values(&output, "write.merged"),
        [("trace", "", 11.0), ("sdb", "", 11.0)]
    );
    assert_eq!(values(&output, "write.bw").len(), 2);
    let output = read_with(read, &format!("{TOTAL}\n{TOTAL}"), None).expect("totals");
    assert_eq!(output.end, 11);
    let end = TOTAL.find("Throughput").expect("a throughput");
    let output = read_with(read, &TOTAL[end..], None).expect("only the last lines");
    assert_eq!(values(&output, "write.bw"), [("", "", 21_880.0 * KIB)]);
}

#[test]
fn totals_below_their_events_are_no_results() {
    let event = "  8,16   1        7     0.000012345  1476  Q  WS 2048 + 8 [dd]\n";
    let totals = TOTAL.replace("4,410", "3");
    let read_below = |events: usize| {
        let text = format!("{}{totals}", event.repeat(events));
        read_at(read, &text, events, None).expect("totals")
    };
    assert!(read_below(3).observations.is_empty());
    // An excerpt of the events: the totals say more.
    assert_eq!(values(&read_below(2), "events"), [("", "", 3.0)]);
}

#[test]
fn broken_lines_keep_the_rest() {
    let text = "\
CPU0 (3,0):
 Reads Queued:      11,472,   90,788KiB\t Writes Queued:           7,        
9KiB
 Read Merges:       11,225        \t Write Merges:            1
";
    let output = read_with(read, text, None).expect("totals");
    assert_eq!(output.end, 4);
    assert_eq!(
        values(&output, "read.queued_size"),
        [("", "", 90_788.0 * KIB)]
    );
    assert_eq!(values(&output, "write.queued"), [("", "", 7.0)]);
    assert_eq!(values(&output, "write.queued_size"), [("", "", 9.0 * KIB)]);
    assert_eq!(values(&output, "write.merged"), [("", "", 1.0)]);
    for text in [
        "Total (sda):",
        "Total (all): 12",
        "CPU0 (sda):\nhello",
        "Throughput (R/W): fast",
        "Throughput (R/W): iB/s / 3KiB/s",
        "Throughput (R/W): 5\u{20ac}iB/s / 3KiB/s",
        "",
    ] {
        assert!(read_with(read, text, None).is_none(), "{text}");
    }
}
