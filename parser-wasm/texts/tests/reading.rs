//! How texts are read: what is said, marked and counted, and what a person's choices change.

use seekscope_notes::results::ResultSet;
use seekscope_texts::reading::{BlockReading, Reading};
use seekscope_texts::sides::choices::{BlockChoice, Choices};
use seekscope_texts::{TextInput, read, read_with};
use std::fs;
use std::path::{Path, PathBuf};

const MAIL: &str = "\
I wrote 1000 MiB with dd, three times each; these are the last ones.

Results for BFQ:
1048576000 bytes (1.0 GB, 1000 MiB) copied, 9.31 s, 113 MB/s

Results for mq-deadline:
1048576000 bytes (1.0 GB, 1000 MiB) copied, 6.02 s, 174 MB/s
";

fn reading(texts: &[(&str, &str)], choices: &Choices) -> (ResultSet, Reading) {
    let inputs: Vec<TextInput> = texts
        .iter()
        .map(|(path, text)| TextInput {
            path,
            argument: None,
            bytes: text.as_bytes(),
        })
        .collect();
    read_with(&inputs, choices)
}

fn sides_by(sides: &str) -> Choices {
    Choices {
        sides: Some(sides.to_owned()),
        ..Choices::default()
    }
}

fn choice(file: &str, block: &BlockReading) -> BlockChoice {
    BlockChoice {
        file: file.to_owned(),
        line: block.lines[0],
        ..BlockChoice::default()
    }
}

/// Values of the first figure by the first dimension.
fn firsts(set: &ResultSet) -> Vec<(String, f64)> {
    let runs = set.tables.iter().flat_map(|table| &table.runs);
    runs.map(|run| (run.values[0].clone(), run.figures[0].value))
        .collect()
}

#[test]
fn a_mail_says_by_which_headings_it_was_read_and_marks_what_was_used() {
    let (set, reading) = reading(&[("mail.txt", MAIL)], &Choices::default());
    assert!(
        reading
            .sentence
            .starts_with("Read as two runs, by the headings 'BFQ' and 'mq-deadline'; "),
        "{}",
        reading.sentence
    );
    let text = &reading.texts[0];
    assert_eq!((text.text.as_str(), text.omitted), (MAIL.trim_end(), 0));
    let lines: Vec<&str> = text.text.split('\n').collect();
    let headings: Vec<&str> = text
        .blocks
        .iter()
        .filter_map(|block| block.heading)
        .map(|[line, start, end]| &lines[line as usize][start as usize..end as usize])
        .collect();
    assert_eq!(headings, ["BFQ", "mq-deadline"]);
    let sides: Vec<&[String]> = text.blocks.iter().map(|b| b.sides.as_slice()).collect();
    assert_eq!(sides, [["BFQ"], ["mq-deadline"]]);
    assert_eq!(reading.tables[0].sides, ["BFQ", "mq-deadline"]);
    for &[line, start, end, table, run, figure] in &text.used {
        let figure = &set.tables[table as usize].runs[run as usize].figures[figure as usize];
        let place = figure.place.as_ref().expect("a figure has its place");
        assert_eq!(place.line, line + 1);
        let shown = &lines[line as usize][start as usize..end as usize];
        assert!(shown.starts_with(|c: char| c.is_ascii_digit()), "{shown}");
    }
    let counts: Vec<(usize, usize)> = text.blocks.iter().map(|b| (b.numbers, b.unused)).collect();
    let used: usize = counts.iter().map(|(all, unused)| all - unused).sum();
    assert_eq!(used, text.used.len());
    let (all, unused) = counts
        .iter()
        .fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    assert!(
        reading
            .sentence
            .contains(&format!("{unused} of {all} numbers not used")),
        "{}",
        reading.sentence
    );
}

#[test]
fn a_caption_over_two_lines_is_marked_where_its_words_stand() {
    let text = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/reports/threads/remark-over-two-lines/series.txt"),
    )
    .expect("a report of the corpus");
    let (_, reading) = reading(&[("series.txt", &text)], &sides_by("heading"));
    let lines: Vec<&str> = reading.texts[0].text.split('\n').collect();
    let headings: Vec<&str> = reading.texts[0]
        .blocks
        .iter()
        .filter_map(|block| block.heading)
        .map(|[line, start, end]| &lines[line as usize][start as usize..end as usize])
        .collect();
    assert_eq!(headings, ["Rising keys", "Falling keys"]);
}

#[test]
fn the_other_reading_is_named_and_taken_when_it_is_chosen() {
    let texts = [("a.txt", MAIL), ("b.txt", MAIL)];
    let (_, first) = reading(&texts, &Choices::default());
    let possible: Vec<&str> = first.tables[0]
        .possible
        .iter()
        .map(|choice| choice.sides.as_str())
        .collect();
    assert_eq!(first.tables[0].by.as_deref(), Some("heading"));
    assert_eq!(possible, ["heading", "file"]);
    let (set, second) = reading(&texts, &sides_by("file"));
    assert_eq!(second.tables[0].sides, ["a", "b"]);
    assert!(second.sentence.contains("by the file names 'a' and 'b'"));
    assert!(second.sentence.contains("as chosen"), "{}", second.sentence);
    assert!(second.tables[0].changed && !second.refused);
    // The headings still distinguish the figures of one file: nothing is averaged.
    assert_eq!(set.tables[0].dimensions.len(), 2);
    assert_eq!(set.tables[0].runs.len(), 4);
}

#[test]
fn sides_that_no_table_has_are_refused_and_read_as_before() {
    let (set, other) = reading(&[("mail.txt", MAIL)], &sides_by("column:threads"));
    assert!(other.refused);
    assert_eq!(set, reading(&[("mail.txt", MAIL)], &Choices::default()).0);
}

#[test]
fn a_column_can_be_the_sides() {
    let text = "threads  none  bfq\n1        120   100\n4        310   250\n8        420   260\n";
    let text = format!("IOPS\n\n{text}");
    let (set, second) = reading(&[("t.txt", &text)], &sides_by("column:threads"));
    assert_eq!(second.tables[0].by.as_deref(), Some("column:threads"));
    assert_eq!(second.tables[0].sides, ["1", "4", "8"]);
    assert_eq!(set.tables[0].dimensions[0].key, "threads");
    assert_eq!(set.tables[0].runs.len(), 6);
    // The threads of each row are parameters, not numbers that nobody used.
    let [block] = second.texts[0].blocks.as_slice() else {
        panic!("one block");
    };
    assert_eq!((block.numbers, block.unused), (9, 0));
    assert_eq!(second.texts[0].parameters.len(), 3);
    assert!(!second.texts[0].blocks[0].labelled);
}

#[test]
fn blocks_with_one_label_are_repeats_and_others_are_not() {
    let (_, first) = reading(&[("mail.txt", MAIL)], &Choices::default());
    let second = &first.texts[0].blocks[1];
    let choices = Choices {
        sides: None,
        blocks: vec![BlockChoice {
            label: Some("BFQ".to_owned()),
            ..choice("mail.txt", second)
        }],
    };
    let (set, changed) = reading(&[("mail.txt", MAIL)], &choices);
    let values: Vec<Vec<String>> = set.tables[0]
        .runs
        .iter()
        .map(|r| r.values.clone())
        .collect();
    assert_eq!(values, [["BFQ"], ["BFQ"]]);
    assert!(
        changed.sentence.contains("changed by hand"),
        "{}",
        changed.sentence
    );
    assert!(set.tables[0].evidence.ends_with("changed by hand"));
    assert_eq!(changed.texts[0].blocks[1].label.as_deref(), Some("BFQ"));
}

#[test]
fn a_label_renames_a_side_and_keeps_the_figures() {
    let (before, first) = reading(&[("mail.txt", MAIL)], &Choices::default());
    let choices = Choices {
        sides: None,
        blocks: vec![BlockChoice {
            label: Some("6.12 bfq".to_owned()),
            ..choice("mail.txt", &first.texts[0].blocks[0])
        }],
    };
    let (after, _) = reading(&[("mail.txt", MAIL)], &choices);
    let (before, after) = (firsts(&before), firsts(&after));
    assert_eq!(after[0], ("6.12 bfq".to_owned(), before[0].1));
    assert_eq!(after[1], before[1]);
}

#[test]
fn an_excluded_block_has_no_figure_and_the_others_stay() {
    let (_, first) = reading(&[("mail.txt", MAIL)], &Choices::default());
    let choices = Choices {
        sides: None,
        blocks: vec![BlockChoice {
            excluded: true,
            ..choice("mail.txt", &first.texts[0].blocks[0])
        }],
    };
    let (set, changed) = reading(&[("mail.txt", MAIL)], &choices);
    assert_eq!(set.tables[0].runs.len(), 1);
    let [excluded, second] = changed.texts[0].blocks.as_slice() else {
        panic!("two blocks: {:?}", changed.texts[0].blocks);
    };
    assert!(excluded.excluded && excluded.table.is_none());
    assert_eq!(excluded.unused, excluded.numbers);
    let (all, unused) = (
        excluded.numbers + second.numbers,
        excluded.unused + second.unused,
    );
    let expected = format!("Read as one run, changed by hand; {unused} of {all} numbers not used.");
    assert_eq!(changed.tables[0].sentence, expected);
    assert!(!second.excluded && second.unused < second.numbers);
}

/// All inputs of the corpus below a folder.
fn inputs(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the corpus is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            inputs(&path, found);
        } else if !path.to_string_lossy().ends_with(".truth.tsv") {
            found.push(path);
        }
    }
}

#[test]
fn every_figure_of_the_corpus_is_marked_in_its_text() {
    let mut paths = Vec::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/reports");
    inputs(&corpus, &mut paths);
    paths.sort();
    let (mut marked, mut computed) = (0, 0);
    for path in &paths {
        let bytes = fs::read(path).expect("a file of the corpus");
        let name = path.to_string_lossy();
        let input = TextInput {
            path: &name,
            argument: None,
            bytes: &bytes,
        };
        let (set, reading) = read_with(&[input], &Choices::default());
        assert_eq!(set, read(&[input]), "{name}");
        let figures = set.tables.iter().flat_map(|t| &t.runs);
        let figures: usize = figures.map(|run| run.figures.len()).sum();
        if figures == 0 {
            continue;
        }
        let text = &reading.texts[0];
        let lines: Vec<Vec<u16>> = text
            .text
            .split('\n')
            .map(|line| line.encode_utf16().collect())
            .collect();
        for &[line, start, end, ..] in &text.used {
            let shown = &lines[line as usize][start as usize..end as usize];
            let shown = String::from_utf16_lossy(shown);
            // What is computed of several rows is in their heading.
            if shown.contains(|c: char| c.is_ascii_digit()) {
                marked += 1;
            } else {
                computed += 1;
            }
            assert!(!shown.trim().is_empty(), "{name}:{}", line + 1);
        }
        for block in &text.blocks {
            assert!(block.unused <= block.numbers, "{name}: {block:?}");
        }
        let inside = |line: u32| {
            let mut blocks = text.blocks.iter();
            blocks.any(|block| (block.lines[0]..=block.lines[1]).contains(&line))
        };
        assert!(
            text.used.iter().all(|mark| inside(mark[0])),
            "{name}: a figure is outside of the blocks"
        );
        assert!(reading.sentence.starts_with("Read as "), "{name}");
    }
    assert!(marked > 2000, "{marked} numbers are marked");
    assert!(computed * 20 < marked, "{computed} marks beside {marked}");
}

#[test]
fn runs_of_a_log_have_the_times_of_their_intervals() {
    let log = "500, 100, 0, 0\n1000, 120, 0, 0\n1500, 90, 0, 0\n";
    let vmstat = "\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 2  0      0 812344  20480 512000    0    0  7997 12153  900 1500  5  3 90  2  0
 3  1      0 812344  20480 512000    0    0 102348 101020 9000 15000 10 20 50 20  0
 2  1      0 812344  20480 512000    0    0 102376 102864 9000 15000 10 20 50 20  0
";
    let repeats = |path: &str, text: &str| {
        let (set, _) = reading(&[(path, text)], &Choices::default());
        let runs = set.tables.iter().flat_map(|table| &table.runs);
        runs.map(|run| run.repeat.clone().unwrap_or_default())
            .collect::<Vec<String>>()
    };
    assert_eq!(
        repeats("rr_iops.1.log", log),
        ["500 ms", "1000 ms", "1500 ms"]
    );
    assert_eq!(
        repeats("vmstat.txt", vmstat),
        ["interval 1", "interval 2"],
        "the report since boot is left out"
    );
}

#[test]
fn totals_of_a_trace_say_which_command_prints_its_events() {
    let totals = "\
Total (8,0):
 Reads Queued:         100,      400KiB\t Writes Queued:          50,      200KiB
 Read Dispatches:      100,      400KiB\t Write Dispatches:       50,      200KiB
 Reads Completed:      100,      400KiB\t Writes Completed:       50,      200KiB
";
    let absent = |texts: &[(&str, &str)]| {
        let (set, _) = reading(texts, &Choices::default());
        assert!(!set.tables.is_empty(), "{texts:?}");
        seekscope_compare::tables::results::results(&set).absent
    };
    let (record, print) = ("Record a trace", "blkparse -i NAME");
    let alone = absent(&[("totals.txt", totals)]);
    assert!(alone.contains(print) && !alone.contains(record), "{alone}");
    let both = absent(&[("totals.txt", totals), ("mail.txt", MAIL)]);
    assert!(both.contains(print) && both.contains(record), "{both}");
    let mail = absent(&[("mail.txt", MAIL)]);
    assert!(!mail.contains(print) && mail.contains(record), "{mail}");
}

/// The verdict of the first figure, as the document of `compare --json` has it.
fn verdict(texts: &[(&str, &str)]) -> String {
    let (set, _) = reading(texts, &Choices::default());
    let document = seekscope_compare::tables::results::results(&set);
    let json = serde_json::to_value(&document).expect("JSON");
    json["tables"][0]["figures"][0]["changes"][0]["verdict"]
        .as_str()
        .unwrap_or("none")
        .to_owned()
}

#[test]
fn intervals_of_one_measurement_are_not_judged_as_repeats() {
    let log = |rate: u64| -> String {
        (1..=60)
            .map(|i| format!("{}, {}, 0, 0\n", i * 500, rate + i % 7))
            .collect()
    };
    let (slow, fast) = (log(1000), log(2000));
    // Two measurements: however many lines they have, each is one.
    assert_eq!(
        verdict(&[("bfq_iops.log", &slow), ("none_iops.log", &fast)]),
        "unsure"
    );
    assert_eq!(
        verdict(&[("bfq_iops.log", &slow), ("none_iops.log", &log(1100))]),
        "noise"
    );
    let repeated = |side: &str, rates: [u64; 3]| -> Vec<(String, String)> {
        let path = |i: usize| format!("{side}/run{}/rr_iops.log", i + 1);
        let log = |(i, rate): (usize, &u64)| (path(i), log(*rate));
        rates.iter().enumerate().map(log).collect()
    };
    let all = [
        repeated("bfq", [1000, 1010, 990]),
        repeated("none", [2000, 2010, 1990]),
    ]
    .concat();
    let texts: Vec<(&str, &str)> = all.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    assert_eq!(verdict(&texts), "better", "three measurements per side");
}
