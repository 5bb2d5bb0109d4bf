//! Tables of one line an I/O: completed I/Os are read back exactly, and nothing else.

use crate::common::{File, fixtures, read, recording};
use seekscope_core::builder::TraceBuilder;
use seekscope_core::capabilities::Capabilities;
use seekscope_core::event::{Action, Op};
use seekscope_core::intake::{Probe, group};
use seekscope_core::measure::Window;
use seekscope_core::measure::figures::{Figures, figures};
use seekscope_core::report::summary::summarise;
use seekscope_core::store::Store;
use std::fmt::Write;

fn text(name: &str, text: &str) -> File {
    (name.to_owned(), text.as_bytes().to_vec())
}

fn disk(store: &Store) -> Figures {
    assert_eq!(store.devices.len(), 1);
    figures(store, Window::WHOLE, None).swap_remove(0)
}

/// Issue, completion, sector, bytes, direction, task, name of all requests with data that were
/// issued and completed, as they completed.
fn done(store: &Store) -> Vec<(u64, u64, u64, u32, bool, u32, String)> {
    let r = &store.requests;
    let mut rows: Vec<_> = (0..r.len())
        .filter_map(|i| {
            let (issued, completed) = (r.row(i).issued()?, r.row(i).completed()?);
            let task = &store.processes[r.row(i).process() as usize];
            let name = task.name.clone().unwrap_or_default();
            (r.row(i).bytes() > 0).then(|| {
                (
                    issued,
                    completed,
                    r.row(i).sector(),
                    r.row(i).bytes(),
                    r.row(i).op() == Op::Read,
                    task.pid,
                    name,
                )
            })
        })
        .collect();
    rows.sort_by_key(|r| r.1);
    rows
}

/// The requests of a recording in the words of these tools.
fn printed(store: &Store, tool: &str) -> String {
    let mut out = match tool {
        "bcc" => "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES  \
            LAT(ms)\n"
            .to_owned(),
        "bcc -Q" => "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   QUE(ms) \
            LAT(ms)\n"
            .to_owned(),
        "bcc 2016" => "TIME(s)        COMM           PID    DISK    T  SECTOR    BYTES   \
            LAT(ms)\n"
            .to_owned(),
        "iosnoop -ts" => "Tracing block I/O. Ctrl-C to end.\nSTARTs          ENDs            \
            COMM         PID    TYPE DEV      BLOCK        BYTES     LATms\n"
            .to_owned(),
        _ => panic!("{tool}"),
    };
    for (issued, completed, sector, bytes, read, pid, name) in done(store) {
        let (t, end, ms) = (
            if read { 'R' } else { 'W' },
            completed as f64 / 1e9,
            (completed - issued) as f64 / 1e6,
        );
        let comm = name.chars().take(14).collect::<String>();
        match tool {
            "bcc" => writeln!(
                out,
                "{end:<11.6} {comm:<14} {pid:<7} {:<9} {t:<1} {sector:<10} \
                {bytes:<7}{ms:>7.3}",
                "vda"
            ),
            "bcc -Q" => {
                writeln!(
                    out,
                    "{end:<11.6} {comm:<14} {pid:<7} {:<9} {t:<1} {sector:<10} \
                    {bytes:<7}   0.25 {ms:>7.3}",
                    "vda"
                )
            }
            "bcc 2016" => writeln!(
                out,
                "{end:<14.9} {comm:<14} {pid:<6} {:<7} {t:<2} {sector:<9} \
                {bytes:<7} {ms:>7.3}",
                "vda"
            ),
            _ => {
                let from = issued as f64 / 1e9;
                writeln!(
                    out,
                    "{from:<15.6} {end:<15.6} {comm:<12} {pid:<6} {t:<4} {:<8} {sector:<12} \
                        {bytes:<6} {ms:>8.3}",
                    "254,0"
                )
            }
        }
        .expect("a string takes everything");
    }
    out
}

/// A recording, printed as such a table: the same requests with the same latencies, as exact as
/// they are printed.
#[test]
#[expect(
    clippy::too_many_lines,
    clippy::cognitive_complexity,
    reason = "a table: one line of each tool per case"
)]
fn biosnoop_and_iosnoop() {
    for name in ["partitions-bfq-1w", "sync-no-fua", "io-errors"] {
        let binary = read(&recording(name), 1 << 20);
        let wanted = done(&binary);
        assert!(wanted.len() > 10, "{name}");
        for tool in ["bcc", "bcc -Q", "bcc 2016", "iosnoop -ts"] {
            let table = printed(&binary, tool);
            let store = read(&[text("out.txt", &table)], 61);
            let got = done(&store);
            assert_eq!(
                (store.format.as_str(), got.len()),
                ("biosnoop-text", wanted.len()),
                "{name}: {tool}"
            );
            assert_eq!(store.quality.warnings, [], "{name}: {tool}");
            let base = wanted[0].1 as i64 - got[0].1 as i64;
            let mut expected: Vec<_> = wanted.iter().map(|r| (r.2, r.3, r.4, r.5)).collect();
            let mut printed: Vec<_> = got.iter().map(|r| (r.2, r.3, r.4, r.5)).collect();
            expected.sort_unstable();
            printed.sort_unstable();
            assert!(expected == printed, "{name}: {tool}");
            for (a, b) in got.iter().zip(&wanted) {
                assert!(
                    (a.1 as i64 + base - b.1 as i64).abs() <= 1500,
                    "{name}: {tool}: {a:?} {b:?}"
                );
                let (d2c, recorded) = ((a.1 - a.0) as i64, (b.1 - b.0) as i64);
                // Two of the same moment, as printed, may change places.
                let close = (d2c - recorded).abs() <= 500
                    || wanted.iter().any(|w| {
                        (w.1.abs_diff(b.1) < 2000) && ((w.1 - w.0) as i64 - d2c).abs() <= 500
                    });
                assert!(close, "{name}: {tool}: {a:?} {b:?}");
            }
            let name_of = |store: &Store| store.devices[0].name.clone();
            assert_eq!(
                name_of(&store),
                if tool == "iosnoop -ts" {
                    "254,0"
                } else {
                    "vda"
                }
            );
            let (f, whole) = (disk(&store), disk(&binary));
            assert_eq!(
                (f.counts.count(Action::Issue), f.counts.count(Action::Queue)),
                (wanted.len() as u64, 0)
            );
            assert_eq!(f.counts.count(Action::Insert) > 0, tool == "bcc -Q");
            // A completed request does not show what waited.
            let usage = f.usage.expect("a disk");
            assert!(
                usage.depth.is_some()
                    && usage.waiting.is_none()
                    && usage.starved.is_none()
                    && usage.states.is_none()
            );
            assert_eq!(
                f.sizes[1]
                    .iter()
                    .map(|s| s.reads + s.writes + s.discards)
                    .sum::<u64>(),
                wanted.len() as u64
            );
            assert!(whole.counts.count(Action::Queue) > 0);
            assert_eq!(store.quality.unmatched, Default::default());
            assert!(store.capabilities.has(
                Capabilities::ISSUES
                    | Capabilities::COMPLETIONS
                    | Capabilities::PLACES
                    | Capabilities::PROCESSES
            ));
            assert!(
                !store.capabilities.has(Capabilities::QUEUES)
                    && !store.capabilities.has(Capabilities::CPUS)
                    && !store.capabilities.has(Capabilities::HINTS)
            );
            assert_eq!(
                store.capabilities.has(Capabilities::INSERTS),
                tool == "bcc -Q"
            );
            let document = serde_json::to_value(summarise(&store, Window::WHOLE, None))
                .expect("it is a document");
            let device = &document["devices"][0];
            let actions: Vec<&String> = device["events"]
                .as_object()
                .expect("actions")
                .keys()
                .collect();
            assert_eq!(
                actions,
                if tool == "bcc -Q" {
                    vec!["C", "D", "I"]
                } else {
                    vec!["C", "D"]
                }
            );
            assert_eq!(device["merges"], serde_json::json!({}));
            for absent in [
                "flush",
                "sync_share",
                "interleaving",
                "waiting",
                "starved",
                "states",
            ] {
                assert!(device.get(absent).is_none(), "{tool}: {absent}");
            }
        }
    }
}

const TABLE: &str = "TIME(s)     COMM           PID     DISK      T    SECTOR     BYTES   LAT(ms)
0.000000    my own task    812     nvme0n1   WS   4200000    4096      1.500
0.000100    ?              0       nvme0n1   FF   0          0         0.250
0.000250    kworker/u8:3   77      sda       RA   2048       131072    0.100
0.000300                   0       sda       R    4096       512       0.050
";

/// Names with blanks, or none; several disks; letters with flags; what began before the first
/// completion.
#[test]
fn odd_rows() {
    let store = read(&[text("a", TABLE)], 7);
    assert_eq!(store.quality.warnings, []);
    let names: Vec<&str> = store.devices.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["nvme0n1", "sda"]);
    assert!(
        store
            .processes
            .iter()
            .any(|p| p.pid == 812 && p.name.as_deref() == Some("my own task"))
    );
    let rows = done(&store);
    assert_eq!(
        rows.iter()
            .map(|r| (r.1 - r.0, r.2, r.3))
            .collect::<Vec<_>>(),
        [
            (1_500_000, 4_200_000, 4096),
            (100_000, 2048, 131_072),
            (50_000, 4096, 512)
        ]
    );
    assert_eq!(rows[0].0, 0);
    let flush = figures(&store, Window::WHOLE, None)[0].flush;
    assert_eq!(flush.flush, Some(1));
    assert!(
        store
            .capabilities
            .has(Capabilities::HINTS | Capabilities::FLUSHES)
    );
    // The same name has the same number in another run.
    let again = read(
        &[text(
            "b",
            "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n1.0 x 1 sda R 8 512 1\n",
        )],
        100,
    );
    assert_eq!(again.devices[0].number, store.devices[1].number);
}

/// fio's own summary of the same job said: 134 reads, 1036288 bytes, clat 49216 to 4017436 ns, mean
/// 665151.358209; 149 writes, 1069056 bytes, 44011 to 4084750 ns, mean 535605.630872.
#[test]
fn a_log_of_fio() {
    let name = "mix_clat.1.log";
    let data = std::fs::read(fixtures().join("../texts/fio").join(name)).expect("the log exists");
    let store = read(&[(name.to_owned(), data)], 50);
    assert_eq!(
        (store.format.as_str(), store.devices[0].name.as_str()),
        ("fio-log", "fio")
    );
    assert_eq!(store.quality.warnings, []);
    for (read, n, bytes, min, max, mean) in [
        (true, 134, 1_036_288, 49_216, 4_017_436, 665_151.358_209),
        (false, 149, 1_069_056, 44_011, 4_084_750, 535_605.630_872),
    ] {
        let rows: Vec<_> = done(&store).into_iter().filter(|r| r.4 == read).collect();
        let latencies: Vec<u64> = rows.iter().map(|r| r.1 - r.0).collect();
        assert_eq!(
            (rows.len(), rows.iter().map(|r| u64::from(r.3)).sum::<u64>()),
            (n, bytes)
        );
        assert_eq!(
            (latencies.iter().min(), latencies.iter().max()),
            (Some(&min), Some(&max))
        );
        assert!((latencies.iter().sum::<u64>() as f64 / n as f64 - mean).abs() < 1e-6);
    }
    let depth = disk(&store)
        .usage
        .and_then(|u| u.depth)
        .expect("it has issues");
    // iodepth=8, as far as completions in ms let it be seen.
    assert!(
        depth.mean > 6.0 && depth.mean < 9.0 && depth.max < 24,
        "{depth:?}"
    );
    assert_eq!(
        store.capabilities,
        Capabilities::ISSUES | Capabilities::COMPLETIONS | Capabilities::PLACES
    );
}

/// Tables that cannot be shown name what they lack, and what to do.
#[test]
fn tables_that_lack_something() {
    for (table, code, word) in [
        (
            "TIME(ms)     DISK    COMM             PID    LAT(ms)\n611          sda     \
                bash             4179        10\n",
            "missing-columns",
            "bcc",
        ),
        (
            "COMM         PID    TYPE DEV      BLOCK        BYTES     LATms\nsshd         1     \
                W    202,1    12096       4096      0.5\n",
            "missing-columns",
            "-s or -t",
        ),
        (
            "0, 675784, 0, 65536, 0\n1, 245175, 0, 65536, 0\n",
            "missing-columns",
            "log_offset=1",
        ),
        (
            "12, 3315, 1, 0, 0, 0\n14, 3176, 1, 0, 0, 0\n",
            "missing-columns",
            "log_avg_msec",
        ),
        (
            "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n",
            "no-events",
            "while the workload runs",
        ),
    ] {
        let error =
            TraceBuilder::read("x", &[("x", table.as_bytes())]).expect_err("nothing can be shown");
        assert_eq!(error.code, code, "{table}: {error}");
        assert!(
            error.remedy.is_some_and(|r| r.contains(word)),
            "{table}: {error} {:?}",
            error.remedy
        );
    }
}

/// fio's logs of bandwidth, IOPS and submission look like those of latencies; the names distinguish
/// them.
#[test]
fn other_logs_of_fio() {
    let head = b"0, 6695, 1, 4096, 249856, 0\n1, 11812, 0, 4096, 3104768, 0\n".to_vec();
    let probe = |name: &str| Probe {
        name: name.to_owned(),
        path: name.to_owned(),
        size: 56,
        head: head.clone(),
        ..Probe::default()
    };
    let found = group(
        &[
            "a_bw.1.log",
            "a_iops.1.log",
            "a_slat.2.log",
            "a_clat.1.log",
            "a_lat.1.log",
        ]
        .map(probe),
    );
    assert_eq!(
        found
            .traces
            .iter()
            .map(|t| t.parts.clone())
            .collect::<Vec<_>>(),
        [[3], [4]]
    );
    assert_eq!(found.notes, [0, 1, 2]);
    let alone = group(&[probe("a_bw.log")]);
    assert_eq!(
        (alone.traces.len(), alone.rejected[0].1.code),
        (0, "missing-columns")
    );
}

/// Made from the headings of bcc's libbpf-tools: `-t` prints the time of day, `-Q` prints -1 where
/// the insertion was not seen.
#[test]
fn times_of_day_and_dates() {
    let rows = |head: &str, times: [&str; 3]| {
        let body: String = times
            .iter()
            .enumerate()
            .map(|(i, time)| {
                format!(
                    "{time} my task       77  vda     WS   {}    4096    {} 0.500\n",
                    8 * i,
                    [" -1.000", "  0.250", "  0.125"][i]
                )
            })
            .collect();
        let store = read(
            &[text(
                "bio.txt",
                &format!("{head}   COMM  PID  DISK  T  SECTOR  BYTES  QUE(ms) LAT(ms)\n{body}"),
            )],
            64,
        );
        assert!(
            store.quality.warnings.is_empty(),
            "{head}: {:?}",
            store.quality.warnings
        );
        done(&store)
            .into_iter()
            .map(|row| (row.1 - row.0, row.1, row.6))
            .collect::<Vec<_>>()
    };
    let (ms, second) = (1_000_000u64, 1_000_000_000u64);
    for (head, times) in [
        ("TIME", ["23:59:59.9", "00:00:00.9", "00:00:01.9"]),
        ("TIMESTAMP", ["10:00:00", "10:00:01", "10:00:02"]),
        (
            "TIME",
            [
                "2026-12-31 23:59:59.9",
                "2027-01-01 00:00:00.9",
                "2027-01-01 00:00:01.9",
            ],
        ),
        (
            "DATETIME",
            [
                "2026-12-31T23:59:59.9Z",
                "2027-01-01T00:00:00.9Z",
                "2027-01-01T00:00:01.9Z",
            ],
        ),
        ("TIME", ["5.1", "6.1", "7.1"]),
    ] {
        let found = rows(head, times);
        let first = found[0].1;
        let wanted: Vec<_> = (0..3)
            .map(|i| (ms / 2, first + i * second, "my task".to_owned()))
            .collect();
        assert_eq!(found, wanted, "{head} {times:?}");
    }
    // The last line has no time at all.
    let bad = "TIME COMM PID DISK T SECTOR BYTES LAT(ms)\nnoon fio 7 vda R 8 4096 0.5\n10:00:00 \
        fio 7 vda R 8 4096 0.5\n";
    let store = read(&[text("bio.txt", bad)], 64);
    assert_eq!((store.requests.len(), store.quality.warnings.len()), (1, 1));
}
