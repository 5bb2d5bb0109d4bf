//! btt's main tables as text, in btt's layout.

use super::btt::{self, BttDevice, BttFigures, BttSeeks};
use super::btt_layout::{SECOND, TableLines, label, overall, section, stage_row, table};
use seekscope_trace::store::{Stage, StageTally, Store};
use std::collections::BTreeMap;

/// The tables of a trace, from "All Devices" to the active periods.
pub fn text(store: &Store) -> String {
    let figures = btt::figures(store);
    let named: Vec<(String, &BttDevice)> = store
        .devices
        .iter()
        .map(|d| label(d.number))
        .zip(&figures.devices)
        .collect();
    let issuing: Vec<usize> = (0..named.len())
        .filter(|&i| !btt::is_upper(store, i))
        .collect();
    let sections = [
        ("All Devices", all_devices(store, &figures)),
        ("Device Overhead", overhead(store, &named, &issuing)),
        ("Device Merge Information", merges(&named)),
        (
            "Device Q2Q Seek Information",
            seeks(&named, |d| &d.queue_seeks),
        ),
        (
            "Device D2D Seek Information",
            seeks(&named, |d| &d.issue_seeks),
        ),
        ("Plug Information", plugs(&named)),
        ("Active Requests At Q Information", active(&named, &issuing)),
        ("I/O Active Period Information", periods(&named, &figures)),
    ];
    sections
        .iter()
        .map(|(title, lines)| section(title, lines))
        .collect()
}

fn all_devices(store: &Store, figures: &BttFigures) -> TableLines {
    let between = &figures.between;
    let row = |(name, tally): (&str, StageTally)| stage_row(name, &tally);
    let upper = [
        ("Q2Qdm", between.q2q[1]),
        ("Q2Adm", between.q2a[1]),
        ("Q2Cdm", btt::stage(store, Stage::Q2C, true)),
    ];
    let tally = |stage| btt::stage(store, stage, false);
    let disks = [
        ("Q2Q", between.q2q[0]),
        ("Q2A", between.q2a[0]),
        ("Q2G", tally(Stage::Q2G)),
        ("S2G", between.s2g),
        ("G2I", tally(Stage::G2I)),
        ("Q2M", tally(Stage::Q2M)),
        ("I2D", tally(Stage::I2D)),
        ("M2D", tally(Stage::M2D)),
        ("D2C", tally(Stage::D2C)),
        ("Q2C", tally(Stage::Q2C)),
    ];
    let head = [
        "            ALL           MIN           AVG           MAX           N",
        "--------------- ------------- ------------- ------------- -----------",
    ];
    let mut rows: TableLines = upper.into_iter().filter_map(row).collect();
    rows.push(String::new());
    rows.extend(disks.into_iter().filter_map(row));
    table(head, rows, TableLines::new())
}

fn overhead(store: &Store, named: &[(String, &BttDevice)], issuing: &[usize]) -> TableLines {
    const STAGES: [Stage; 5] = [Stage::Q2G, Stage::G2I, Stage::Q2M, Stage::I2D, Stage::D2C];
    let row = |name: &str, sums: &dyn Fn(Stage) -> u128| {
        let whole = sums(Stage::Q2C);
        let shares = STAGES.map(|s| format!(" {:8.4}%", 100.0 * sums(s) as f64 / whole as f64));
        (whole > 0).then(|| format!("{name:>10} |{}", shares.concat()))
    };
    let sum = |i: usize, stage: Stage| store.devices[i].bio_stages.get(stage).sum;
    let rows: TableLines = issuing
        .iter()
        .filter_map(|&i| row(&named[i].0, &|s| sum(i, s)))
        .collect();
    let listed: Vec<usize> = issuing
        .iter()
        .copied()
        .filter(|&i| sum(i, Stage::Q2C) > 0)
        .collect();
    let closing: TableLines = row("Overall", &|s| listed.iter().map(|&i| sum(i, s)).sum())
        .into_iter()
        .collect();
    let head = [
        "       DEV |       Q2G       G2I       Q2M       I2D       D2C",
        "---------- | --------- --------- --------- --------- ---------",
    ];
    table(head, rows, closing)
}

fn merges(named: &[(String, &BttDevice)]) -> TableLines {
    let row = |name: &str, q: u64, d: u64, (min, max, sum): (u64, u64, u64)| {
        let q = q.max(d);
        let ratio = q as f64 / d as f64;
        format!(
            "{name:>10} | {q:8} {d:8} {ratio:7.1} | {min:8} {:8} {max:8} {sum:8}",
            sum / d.max(1)
        )
    };
    let listed: Vec<_> = named
        .iter()
        .filter(|(_, d)| d.queued > 0 && d.issued > 0)
        .collect();
    let q = BttDevice::at_least_issued;
    let rows = listed
        .iter()
        .map(|(name, d)| row(name, q(d), d.issued, d.completed))
        .collect();
    let head = [
        "       DEV |       #Q       #D   Ratio |   BLKmin   BLKavg   BLKmax    Total",
        "---------- | -------- -------- ------- | -------- -------- -------- --------",
    ];
    let mut closing = Vec::new();
    if listed.len() > 1 {
        let min = listed.iter().map(|(_, d)| d.completed.0).min().unwrap_or(0);
        let max = listed.iter().map(|(_, d)| d.completed.1).max().unwrap_or(0);
        let sum =
            |count: &dyn Fn(&BttDevice) -> u64| listed.iter().map(|(_, d)| count(d)).sum::<u64>();
        closing.push(head[0].to_owned());
        closing.push(row(
            "TOTAL",
            sum(&q),
            sum(&|d| d.issued),
            (min, max, sum(&|d| d.completed.2)),
        ));
    }
    table(head, rows, closing)
}

fn seeks<'a>(
    named: &[(String, &'a BttDevice)],
    seeks_of: impl Fn(&'a BttDevice) -> &'a BttSeeks,
) -> TableLines {
    let mut every: BTreeMap<u64, u64> = BTreeMap::new();
    let mut rows = Vec::new();
    for (name, device) in named {
        let distances = &seeks_of(device).distances;
        if !distances.is_empty() {
            rows.extend(seek_row(name, distances, 2));
            distances
                .iter()
                .for_each(|(&d, &n)| *every.entry(d).or_default() += n);
        }
    }
    let head = [
        "       DEV |          NSEEKS            MEAN          MEDIAN | MODE           ",
        "---------- | --------------- --------------- --------------- | ---------------",
    ];
    let mut closing = TableLines::new();
    if !every.is_empty() {
        closing.push(overall(head));
        closing.extend(seek_row("Average", &every, 1));
        if closing.len() > 2 {
            closing.push(String::new());
        }
    }
    table(head, rows, closing)
}

/// Count, mean, median and most frequent distances: up to `listed`, or the smallest and the number
/// of others.
fn seek_row(name: &str, distances: &BTreeMap<u64, u64>, listed: usize) -> TableLines {
    let n: u64 = distances.values().sum();
    let sum: f64 = distances.iter().map(|(&d, &n)| d as f64 * n as f64).sum();
    let mut seen = 0;
    let median = distances.iter().find(|(_, count)| {
        seen += **count;
        seen * 2 >= n
    });
    let count = distances.values().copied().max().unwrap_or(0);
    let mut modes = distances
        .iter()
        .filter(|(_, n)| **n == count)
        .map(|(&d, _)| d)
        .collect::<Vec<u64>>()
        .into_iter();
    let mode = modes.next().unwrap_or(0);
    let mean = if n == 0 { 0.0 } else { sum / n as f64 };
    let mut lines = vec![format!(
        "{name:>10} | {n:15} {mean:15.1} {:15} | {mode}({count})",
        median.map_or(0, |m| *m.0)
    )];
    let more = modes.len();
    if more < listed {
        modes.for_each(|m| lines[0] += &format!(" {m}"));
    } else {
        lines.push(format!("{:63}...({more} more)", ""));
    }
    lines
}

fn plugs(named: &[(String, &BttDevice)]) -> TableLines {
    let listed: Vec<_> = named.iter().filter(|(_, d)| d.plugs.n != [0, 0]).collect();
    let share = |d: &BttDevice| {
        let (first, last) = d.span.unwrap_or_default();
        if last > first {
            100.0 * d.plugs.plugged as f64 / (last - first) as f64
        } else {
            0.0
        }
    };
    let row = |name: &str, n: [u64; 2], share: f64| {
        format!("{name:>10} | {:10}({:10}) | {share:13.9}%", n[0], n[1])
    };
    let rows = listed
        .iter()
        .map(|(name, d)| row(name, d.plugs.n, share(d)))
        .collect();
    let total = |count: &dyn Fn(&BttDevice, usize) -> u64| {
        [0, 1].map(|k| listed.iter().map(|(_, d)| count(d, k)).sum::<u64>())
    };
    let n = total(&|d, k| d.plugs.n[k]);
    let devices = listed.len().max(1) as u64;
    let head = [
        "       DEV |    # Plugs # Timer Us  | % Time Q Plugged",
        "---------- | ---------- ----------  | ----------------",
    ];
    let mut closing = TableLines::new();
    if listed.len() > 1 {
        let mean = listed.iter().map(|(_, d)| share(d)).sum::<f64>() / devices as f64;
        closing.extend([overall(head), row("Average", n.map(|n| n / devices), mean)]);
    }
    let mut lines = table(head, rows, closing);
    let each = |name: &str, n: [u64; 2], released: [u64; 2]| {
        let per = |k: usize| {
            if n[k] == 0 {
                0.0
            } else {
                released[k] as f64 / n[k] as f64
            }
        };
        format!("{name:>10} | {:10.1}   {:10.1}", per(0), per(1))
    };
    let head = [
        "       DEV |    IOs/Unp   IOs/Unp(to)",
        "---------- | ----------   ----------",
    ];
    let rows = named
        .iter()
        .map(|(name, d)| each(name, d.plugs.n, d.plugs.released))
        .collect();
    let mut closing = TableLines::new();
    let released = total(&|d, k| d.plugs.released[k]);
    if released != [0, 0] {
        closing.extend([overall(head), each("Average", n, released)]);
    }
    lines.push(String::new());
    lines.extend(table(head, rows, closing));
    lines
}

fn active(named: &[(String, &BttDevice)], issuing: &[usize]) -> TableLines {
    let listed: Vec<_> = issuing
        .iter()
        .map(|&i| &named[i])
        .filter(|(_, d)| d.queued > 0)
        .collect();
    let row = |name: &str, sum: u64, n: u64| format!("{name:>10} | {:13.1}", sum as f64 / n as f64);
    let rows = listed
        .iter()
        .map(|(name, d)| row(name, d.active_sum, d.at_least_issued()))
        .collect();
    let mut closing = Vec::new();
    if listed.len() > 1 {
        let (sum, n) = listed.iter().fold((0, 0), |(s, n), (_, d)| {
            (s + d.active_sum, n + d.at_least_issued())
        });
        closing.push("   Overall | Avgs Reqs @ Q".to_owned());
        closing.push(row("Average", sum, n));
    }
    table(
        ["       DEV |  Avg Reqs @ Q", "---------- | -------------"],
        rows,
        closing,
    )
}

fn periods(named: &[(String, &BttDevice)], figures: &BttFigures) -> TableLines {
    let row = |name: &str, periods: &[(u64, u64)]| {
        let last = periods
            .last()
            .map_or(0, |p| p.1.saturating_sub(figures.zero));
        let live: u64 = periods.iter().map(|p| p.1 - p.0).sum();
        let n = periods.len();
        let [mut on, mut off, mut share] = [0.0, 0.0, if n == 1 { 100.0 } else { 0.0 }];
        if n > 1 {
            on = live as f64 / SECOND / n as f64;
            off = (last as f64 / SECOND - live as f64 / SECOND).max(0.0) / (n - 1) as f64;
            share = 100.0 * live as f64 / last as f64;
        }
        format!("{name:>10} | {n:10} {on:13.9} {off:13.9} {share:6.2}")
    };
    let head = [
        "       DEV |     # Live      Avg. Act     Avg. !Act % Live",
        "---------- | ---------- ------------- ------------- ------",
    ];
    let rows = named
        .iter()
        .map(|(name, d)| row(name, &d.periods))
        .collect();
    table(
        head,
        rows,
        vec![row("Total Sys", &btt::united(&figures.devices))],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture;

    #[test]
    fn a_device_is_an_upper_one_by_its_events_and_the_median_is_one() {
        let text = text(&fixture::store(
            "0 Q 1000+8 W dev=1
             5 A 0+8 W from=1:1000
             10 Q 0+8 W
             20 D 0+8 W
             30 C 0+8 W
             31 C 1000+8 W dev=1
             40 Q 108+8 W
             50 Q 516+8 W
             60 P - N
             70 U - N",
        ));
        let row = |start: &str| {
            text.lines()
                .find(|l| l.starts_with(start))
                .unwrap_or("")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(row("Q2Adm"), "Q2Adm 0.000000005 0.000000005 0.000000005 1");
        assert_eq!(row("Q2Cdm"), "Q2Cdm 0.000000031 0.000000031 0.000000031 1");
        assert_eq!(row("Q2Q "), "Q2Q 0.000000010 0.000000017 0.000000030 3");
        assert_eq!(row("Q2C "), "Q2C 0.000000020 0.000000020 0.000000020 1");
        // The distances are 0, 100 and 400.
        assert_eq!(
            row(" (  8,  0) |               3"),
            "( 8, 0) | 3 166.7 100 | 0(1)"
        );
        assert_eq!(
            row(" (  8,  0) |          1(         0)"),
            "( 8, 0) | 1( 0) | 15.384615385%"
        );
    }

    #[test]
    fn nothing_gives_heads_only() {
        assert!(text(&Store::default()).lines().all(|l| !l.contains("(  ")));
    }
}
