//! Texts that are wrong in part: a warning with its place, and the rest is read.

use seekscope_notes::results::ResultSet;
use seekscope_texts::reading::Reading;
use seekscope_texts::sides::choices::Choices;
use seekscope_texts::{TextInput, read_with};

const JOB: &str = "\
{
  \"fio version\" : \"fio-3.33\",
  \"jobs\" : [
    {
      \"jobname\" : \"a\",
      \"read\" : { \"bw_bytes\" : 4096000, \"iops\" : 1000.0, \"total_ios\" : 10 },
      \"write\" : { \"bw_bytes\" : 8192000, \"iops\" : 2000.0, \"total_ios\" : 20 }
    }
  ]
}
";

fn read_text(text: &str) -> (ResultSet, Reading) {
    let input = TextInput {
        path: "fio.json",
        argument: None,
        bytes: text.as_bytes(),
    };
    read_with(&[input], &Choices::default())
}

fn warnings(reading: &Reading) -> Vec<(&str, u32)> {
    let warnings = reading.warnings.iter();
    warnings
        .map(|warning| (warning.code, warning.line))
        .collect()
}

fn values(set: &ResultSet) -> Vec<f64> {
    let runs = set.tables.iter().flat_map(|table| &table.runs);
    runs.flat_map(|run| run.figures.iter().map(|figure| figure.value))
        .collect()
}

#[test]
fn negative_figures_are_left_out_with_a_warning() {
    let (set, reading) = read_text(JOB);
    assert_eq!(warnings(&reading), []);
    assert_eq!(values(&set).len(), 4);
    let (set, reading) = read_text(&JOB.replace("\"iops\" : 1000.0", "\"iops\" : -1000.0"));
    assert_eq!(warnings(&reading), [("negative-figure", 6)]);
    assert_eq!(values(&set), [4096000.0, 2000.0, 8192000.0]);
    // Of clones the rates are added up, but not with one that cannot be.
    let job = &JOB[JOB.find("    {").expect("a job")..JOB.find("\n  ]").expect("its end")];
    let clones = JOB.replace(job, &format!("{job},\n{job}"));
    assert_eq!(values(&read_text(&clones).0)[0], 2000.0);
    let wrong = clones.replacen("\"iops\" : 1000.0", "\"iops\" : -1000.0", 1);
    let (set, reading) = read_text(&wrong);
    assert_eq!(warnings(&reading), [("negative-figure", 6)]);
    assert!(values(&set).iter().all(|value| *value > 1000.0));
    let table = "| test | before MB/s | after MB/s |\n|---|---|---|\n| read | 4 | -5 |\n| write | 6 | 7 |\n";
    let (set, reading) = read_text(table);
    assert_eq!(warnings(&reading), [("negative-figure", 3)]);
    assert!(values(&set).iter().all(|value| *value > 0.0));
}

#[test]
fn cut_json_is_read_as_far_as_it_goes_with_a_warning() {
    let end = JOB.find("      \"write\"").expect("a member");
    for end in [end, JOB.trim_end().len() - 1] {
        let (set, reading) = read_text(&JOB[..end]);
        let line = JOB[..end].trim_end().lines().count() as u32;
        assert_eq!(warnings(&reading), [("cut-json", line)]);
        assert!(values(&set).contains(&1000.0));
    }
    // An excerpt of a document is no document.
    let excerpt = "\"read\" : { \"bw_bytes\" : 4096000, \"iops\" : 1000.0, \"total_ios\" : 10 },\n";
    assert_eq!(warnings(&read_text(excerpt).1), []);
}

#[test]
fn rates_outside_of_all_tables_give_a_warning() {
    let text = "6.4:\n  untar, patched: 812 MB/s, warm\n  seq read: 1900 MB/s\n\
        6.5:\n  untar, patched: 610 MB/s, warm\n  seq read: 1890 MB/s\n";
    let (set, reading) = read_text(text);
    assert_eq!(values(&set), [1.9e9, 1.89e9]);
    assert_eq!(warnings(&reading), [("rate-outside", 2)]);
    let message = &reading.warnings[0].message;
    assert!(
        message.contains("`untar, patched: 812 MB/s, warm`, and one more"),
        "{message}"
    );
    // Prose, quotations, the speed of a link, and what is behind all tables.
    let others = "The disk of this machine should be able to do 2000 MB/s.\n> base 500 MB/s\n\
        SATA link up 6.0 Gb/s\nbase: 512 MB/s\npatched: 530 MB/s\nIt was at 500 MB/s.\n";
    let (set, reading) = read_text(others);
    assert_eq!(values(&set).len(), 2);
    assert_eq!(warnings(&reading), []);
}
