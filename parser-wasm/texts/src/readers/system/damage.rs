//! Tests of all readers with damaged samples: nothing panics, and no figure is made up.

use super::READERS;
use super::samples::read_at;
use crate::recognise::Output;
use std::collections::BTreeSet;

/// A sample of each tool, and whether its figures are numbers of the text.
const SAMPLES: [(&str, bool); 11] = [
    (
        "\
Linux 6.1 (box) \t11/26/26 \t_x86_64_\t(2 CPU)

Device            r/s     rkB/s r_await     w/s     wkB/s w_await  aqu-sz  %util
sda            528.90   7994.46    0.22  474.67  12147.86    0.20    0.22   4.42

Device            r/s     rkB/s r_await     w/s     wkB/s w_await  aqu-sz  %util
sda          12752.00 102156.00    0.10   31.00    248.00    0.45    2.58  82.80
",
        true,
    ),
    (
        "\
05:16:07          tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util DEV
05:16:08     25549.00 102240.00 102160.00      8.00      2.58      0.10     83.60 vda
Average:     25822.67 103733.33 102832.00     11.05      2.63      0.10     80.40 vda
",
        true,
    ),
    (
        "\
10:11:12      UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
10:11:13        0      5511  77160.99      0.00      0.00      14  fio
Average:        0      5511  81222.10      0.00      0.00      14  fio
",
        true,
    ),
    (
        "\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
13  0      0 22851072   5488 1284928    0    0  4031  6125  896 3509 70 14 15  1  0
 3  0      0 22851072   5488 1284928    0    0 102348 101576 13400 25125 43 23 34  0  0
",
        true,
    ),
    (
        "\
Total (sdb):
 Reads Queued:           3,       12KiB\t Writes Queued:      11,033,    49,232KiB
 Read Merges:            0,        0KiB\t Write Merges:           11,       44KiB
 IO unplugs:            34        \t Timer unplugs:           5

Throughput (R/W): 5KiB/s / 21,880KiB/s
Events (sdb): 4,410 entries
",
        true,
    ),
    (
        "\
==================== All Devices ====================

            ALL           MIN           AVG           MAX           N
--------------- ------------- ------------- ------------- -----------
Q2Q               0.000017070   0.003789980   0.035408298        2635

==================== Device Merge Information ====================

       DEV |       #Q       #D   Ratio |   BLKmin   BLKavg   BLKmax    Total
---------- | -------- -------- ------- | -------- -------- -------- --------
 (  8,  0) |     2636     1977     1.3 |        8       10       16    21088
",
        true,
    ),
    (
        "\
time: Mon Mar  4 10:11:12 2024
device: 8,16
d2c read (usec): num 81221, min 41, max 8211, sum 11630847, squ 2831413393, avg 143.2, var 14354.4
d2c histogram (usec):
            0:     0            8:     0           16:     0           32:  1624
",
        true,
    ),
    (
        "\
   8  16 sdb 1000 21 1600 40 50 212 801 20 3 121 60
   8  16 sdb 1100 21 3200 240 50 212 801 20 0 121 60
",
        false,
    ),
    (
        "\
Tracing block device I/O... Hit Ctrl-C to end.
disk = 'sda'
     usecs               : count     distribution
       128 -> 255        : 89       |****************************************|
       256 -> 511        : 10       |*************************************   |
",
        false,
    ),
    (
        "\
@usecs[259, 0]: 
[64, 128)             10 |@@@@@@@@@@          |
[1K, 2K)               8 |@@@@@@@@            |
",
        false,
    ),
    (
        "\
commit: 
  4eb559dd15 (\"Merge tag block-6.1\")
  ada76f94c5 (\"block: split bios earlier\")

4eb559dd15671cca ada76f94c5b32c1828955d70f69
---------------- ---------------------------
         %stddev     %change         %stddev
             \\          |                \\
    812.40 \u{b1}  1%      -19.4%     655.20 \u{b1}  2%  fsmark.files_per_sec
      0.52 \u{b1}  3%        +1.2       1.71        perf-profile.calltrace.cycles-pp.bio
",
        true,
    ),
];

fn read_all(text: &str) -> Vec<Output> {
    let lines = text.lines().count();
    let mut found = Vec::new();
    let mut start = 0;
    while start < lines {
        let output = READERS
            .iter()
            .find_map(|read| read_at(*read, text, start, None));
        start = match output {
            Some(output) => {
                assert!(output.end > start && output.end <= lines, "{text}");
                let end = output.end;
                found.push(output);
                end
            }
            None => start + 1,
        };
    }
    found
}

/// Keys and values, without what distinguishes them.
fn figures(outputs: &[Output]) -> BTreeSet<(String, String)> {
    outputs
        .iter()
        .flat_map(|output| &output.observations)
        .map(|o| (o.metric.key.clone(), o.value.to_string()))
        .collect()
}

#[test]
fn samples_are_read() {
    for (text, _) in SAMPLES {
        let found = read_all(text);
        assert_eq!(found.len(), 1, "{text}");
        assert!(!found[0].observations.is_empty(), "{text}");
        assert_eq!(found[0].end, text.lines().count(), "{text}");
    }
}

#[test]
fn lines_that_are_missing_make_up_no_figure() {
    for (text, literal) in SAMPLES {
        let whole = figures(&read_all(text));
        let lines: Vec<&str> = text.lines().collect();
        for missing in 0..lines.len() {
            let mut rest = lines.clone();
            rest.remove(missing);
            let found = figures(&read_all(&rest.join("\n")));
            // Without its banner, the report since boot looks like one of an interval.
            if literal
                && !(text.starts_with("Linux")
                    || text.starts_with("procs")
                    || text.contains("Average"))
            {
                assert!(found.is_subset(&whole), "line {missing} of {text}");
            }
        }
    }
}

#[test]
fn lines_that_are_cut_make_up_no_figure() {
    for (text, literal) in SAMPLES {
        let whole = figures(&read_all(text));
        let width = text.lines().map(str::len).max().unwrap_or(0);
        for cut in 0..width {
            let lines: Vec<&str> = text
                .lines()
                .map(|line| {
                    let end = (0..=cut.min(line.len()))
                        .rev()
                        .find(|i| line.is_char_boundary(*i));
                    &line[..end.unwrap_or(0)]
                })
                .collect();
            let found = figures(&read_all(&lines.join("\n")));
            // The robot's rows may have their names cut, and not their numbers.
            let is_in_whole = |figure: &(String, String)| {
                let named = text.contains("%stddev");
                whole
                    .iter()
                    .any(|other| other.1 == figure.1 && (named || other.0 == figure.0))
            };
            let made_up: Vec<_> = found.iter().filter(|figure| !is_in_whole(figure)).collect();
            assert!(
                !literal || made_up.is_empty(),
                "{cut}: {made_up:?} in {text}"
            );
        }
    }
}

#[test]
fn nothing_panics() {
    let mut state = 7u64;
    let mut next = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let strange = [
        '\u{20ac}',
        '\u{1f600}',
        '-',
        ':',
        '|',
        '(',
        ')',
        '9',
        ' ',
        '%',
        '\t',
        ',',
        '\u{b1}',
        '\n',
    ];
    for (text, _) in SAMPLES {
        for _ in 0..400 {
            let mut letters: Vec<char> = text.chars().collect();
            for _ in 0..1 + next(6) {
                let place = next(letters.len());
                let letter = strange[next(strange.len())];
                match next(4) {
                    0 => letters.insert(place, letter),
                    1 => letters[place] = letter,
                    2 => letters.truncate(place.max(1)),
                    _ => {
                        letters.remove(place);
                    }
                }
                if letters.is_empty() {
                    letters.push(letter);
                }
            }
            let found = read_all(&letters.into_iter().collect::<String>());
            let all = found.iter().flat_map(|output| &output.observations);
            assert!(all.into_iter().all(|o| o.value.is_finite()), "{text}");
        }
    }
}
