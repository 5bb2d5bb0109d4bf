//! Every table of five mails and bug reports, cell by cell, as it was sent, quoted, quoted twice,
//! with Windows line ends and wrapped.

use super::tests::{of, runs, text};

/// A file of `tests/tables`, and of each of its tables the runs: values of the dimensions, metrics
/// in units of the engine.
const MAILS: [(&str, &[&[&str]]); 6] = [
    (
        "dds.txt",
        &[
            &[
                "RHEL5.5 beta 2 | write speed 2880000 bytes/s",
                "RHEL5.5 beta 4 | write speed 2730000 bytes/s",
                "RHEL5.4 2 | write speed 3540000 bytes/s",
                "RHEL5.4 4 | write speed 3640000 bytes/s",
            ],
            &[
                "2.6.18-186 1 | rate 23400000 bytes/s",
                "2.6.18-186 2 | rate 8000000 bytes/s",
                "2.6.18-186 4 | rate 4700000 bytes/s",
                "2.6.18-186 (w/o cfq patch) 1 | rate 23200000 bytes/s",
                "2.6.18-186 (w/o cfq patch) 2 | rate 9900000 bytes/s",
                "2.6.18-186 (w/o cfq patch) 4 | rate 5300000 bytes/s",
                "2.6.18-193 1 | rate 22300000 bytes/s",
                "2.6.18-193 2 | rate 7900000 bytes/s",
                "2.6.18-193 4 | rate 4700000 bytes/s",
            ],
            &[
                "line 30 1 | avg 12.062, std 0.56791, var 0.32252",
                "line 30 2 | avg 12.138, std 0.9351, var 0.87442",
                "line 37 1 | avg 12.8575, std 0.55265, var 0.30543",
                "line 37 2 | avg 9.864, std 0.29846, var 0.08908",
            ],
        ],
    ),
    (
        "iostest.txt",
        &[
            &[
                "cfq 1 | ReadBW 135366000 bytes/s, ReadBW MaxClat 59024000 ns",
                "cfq 2 | ReadBW 124256000 bytes/s, ReadBW MaxClat 126808000 ns",
                "cfq 4 | ReadBW 132921000 bytes/s, ReadBW MaxClat 341436000 ns",
                "cfq 8 | ReadBW 129807000 bytes/s, ReadBW MaxClat 392904000 ns",
                "cfq 16 | ReadBW 129988000 bytes/s, ReadBW MaxClat 773991000 ns",
                "noop 1 | ReadBW 126187000 bytes/s, ReadBW MaxClat 95272000 ns",
                "noop 2 | ReadBW 185154000 bytes/s, ReadBW MaxClat 72908000 ns",
                "noop 4 | ReadBW 224622000 bytes/s, ReadBW MaxClat 88037000 ns",
                "noop 8 | ReadBW 285416000 bytes/s, ReadBW MaxClat 115592000 ns",
                "noop 16 | ReadBW 348564000 bytes/s, ReadBW MaxClat 156846000 ns",
            ],
            &[
                "NOOP write | rate 380014428.16 bytes/s, mean latency 83000 ns, max latency \
                    834092000 ns",
                "NOOP random write | rate 163768696.832 bytes/s, mean latency 21000 ns, max \
                    latency 21024000 ns",
                "NOOP read | rate 279978180.608 bytes/s, mean latency 115000 ns, max latency \
                    105830000 ns",
                "NOOP random read | rate 7841251.328 bytes/s, mean latency 4088000 ns, max latency \
                    295605000 ns",
                "CFQ write | rate 338780225.536 bytes/s, mean latency 93000 ns, max latency \
                    832680000 ns",
                "CFQ random write | rate 59924021.248 bytes/s, mean latency 17000 ns, max latency \
                    12031000 ns",
                "CFQ read | rate 103086555.136 bytes/s, mean latency 316000 ns, max latency \
                    561623000 ns",
                "CFQ random read | rate 7700742.144 bytes/s, mean latency 4126000 ns, max latency \
                    273156000 ns",
            ],
        ],
    ),
    (
        "sizes.txt",
        &[&[
            "2.6.35 8 | writes 25256",
            "2.6.35 16 | writes 1701",
            "2.6.35 24 | writes 1646",
            "2.6.35 248 | writes 297",
            "2.6.35 256 | writes 232657",
            "2.6.35+ 8 | writes 4785",
            "2.6.35+ 16 | writes 1732",
            "2.6.35+ 24 | writes 357",
            "2.6.35+ 248 | writes 50",
            "2.6.35+ 256 | writes 237907",
        ]],
    ),
    (
        "readahead.txt",
        &[&[
            "2.6.6 4-controller, 28 drives, raid0 2 11 448 | rate 552617000 bytes/s",
            "2.6.6 4-controller, 28 drives, raid0 2 11 2736 | rate 595695000 bytes/s",
            "2.6.6 4-controller, 28 drives, raid0 2 11 2275 | rate 596911000 bytes/s",
            "2.6.6 4-controller, 28 drives, raid0 2 11 2253 | rate 597956000 bytes/s",
            "2.6.6 4-controller, 28 drives, raid0 2 11 2321 | rate 600234000 bytes/s",
            "2.6.6 4-controller, 28 drives, raid0 2 11 2164 | rate 601115000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 11 448 | rate 81543000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 239 448 | rate 154706000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 239 673 | rate 161070000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 239 124 | rate 161158000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 239 149 | rate 161209000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 239 128 | rate 161298000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 239 229 | rate 161400000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 2 239 548 | rate 161897000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 1 11 448 | rate 329419000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 1 11 935 | rate 373382000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 1 11 894 | rate 373518000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 1 11 1021 | rate 377442000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 1 11 1023 | rate 387952000 bytes/s",
            "2.6.8-rc3 2-controller, 14 drives, raid0 1 11 1024 | rate 418985000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 2 11 471 | rate 429170000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 2 11 470 | rate 430252000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 2 11 493 | rate 430523000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 2 11 514 | rate 430795000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 2 11 448 | rate 431612000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 1 7 448 | rate 328047000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 1 7 681 | rate 365714000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 1 7 675 | rate 366107000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 1 7 186 | rate 366237000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 1 7 668 | rate 367882000 bytes/s",
            "2.6.6 2-controller, 14 drives, raid0 1 7 662 | rate 368213000 bytes/s",
        ]],
    ),
    ("sync-writes.txt", &[&SYNC_WRITES]),
    ("sync-writes-spaced.txt", &[&SYNC_WRITES]),
];

const SYNC_WRITES: [&str; 9] = [
    "2.6.27 xfs read | Mb/sec 1.17",
    "2.6.27 xfs sync write | Mb/sec 3.69",
    "2.6.27 xfs direct write | Mb/sec 3.8",
    "2.6.32 xfs read | Mb/sec 1.26",
    "2.6.32 xfs sync write | Mb/sec 0.52",
    "2.6.32 xfs direct write | Mb/sec 5.1",
    "2.6.32 ext3 read | Mb/sec 1.19",
    "2.6.32 ext3 sync write | Mb/sec 4.91",
    "2.6.32 ext3 direct write | Mb/sec 5.02",
];

/// As mail programs wrap: at the last space before the column.
fn wrapped(text: &str, column: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        while rest.len() > column && rest.contains('|') {
            let Some(at) = rest[..column].rfind(' ').filter(|at| *at > column / 2) else {
                break;
            };
            out.push_str(rest[..at].trim_end());
            out.push('\n');
            rest = rest[at + 1..].trim_start();
        }
        out.push_str(rest);
        out.push('\n');
    }
    out
}

fn quoted(text: &str, mark: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}\n")).collect()
}

#[test]
fn every_cell_of_every_table() {
    for (name, expected) in MAILS {
        let mail = String::from_utf8(text(&format!("tables/{name}"))).expect("a text");
        let mut forms = vec![
            ("plain", mail.clone()),
            ("windows", mail.replace('\n', "\r\n")),
        ];
        // One line, of which the marks of quotation are in its middle.
        if mail.lines().count() > 1 {
            forms.extend([
                ("quoted", quoted(&mail, "> ")),
                ("twice", quoted(&mail, "> > ")),
                ("tight", quoted(&mail, ">>")),
            ]);
            forms.push(("wrapped", wrapped(&mail, 68)));
        }
        for (form, mail) in forms {
            let set = of(&mail);
            // Wrapped lines move those below.
            let of_lines = |found: Vec<String>| -> Vec<String> {
                let plain = |run: &String| match run.split_once(' ') {
                    Some(("line", rest)) => rest
                        .split_once(' ')
                        .map_or(String::new(), |r| r.1.to_owned()),
                    _ => run.clone(),
                };
                if form == "wrapped" {
                    found.iter().map(plain).collect()
                } else {
                    found
                }
            };
            let found: Vec<Vec<String>> = set
                .tables
                .iter()
                .map(|table| of_lines(runs(table)))
                .collect();
            let expected: Vec<Vec<String>> = expected
                .iter()
                .map(|table| of_lines(table.iter().map(|run| (*run).to_owned()).collect()))
                .collect();
            assert_eq!(found, expected, "{name} {form}");
        }
    }
}

/// The tables of `sizes.txt` with the lines that the archive took, and as the page prints them.
#[test]
fn sizes_on_lines_of_their_own() {
    let joined = of(&String::from_utf8(text("tables/sizes.txt")).expect("a text"));
    let quoted = of(&String::from_utf8(text("tables/sizes-quoted.txt")).expect("a text"));
    assert_eq!(runs(&quoted.tables[0]), runs(&joined.tables[0]));
    assert_eq!(
        (&*quoted.tables[0].rows, &*quoted.tables[0].columns),
        (&["kernel".to_owned()][..], &["size".to_owned()][..])
    );
    let page = of(
        "     nr    size\n     10       8   A\n      5      16   A\n    ... 12 more   A\n      \
            7       8   B\n",
    );
    assert_eq!(
        runs(&page.tables[0]),
        ["A 8 | requests 10", "A 16 | requests 5", "B 8 | requests 7"]
    );
    let turned = of("size count\n8 25256\n16 1701\n");
    assert_eq!(
        runs(&turned.tables[0]),
        ["8 | requests 25256", "16 | requests 1701"]
    );
    for no_table in [
        "nr wrt size\n25256 8\n",
        "file size\n1 2\n3 4\n",
        "nr size owner\n1 2\n3 4\n",
        "size of it\n1 2\n3 4\n",
    ] {
        assert_eq!(of(no_table).tables, [], "{no_table}");
    }
}
