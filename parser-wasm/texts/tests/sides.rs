//! By what outputs in one text are told apart: what each pair of compared runs is called.

use seekscope_core::results::{Arrangement, ResultSet, ResultTable};
use seekscope_texts::{TextInput, read};

fn read_text(text: &str) -> ResultSet {
    read(&[TextInput {
        path: "mail.txt",
        argument: None,
        bytes: text.as_bytes(),
    }])
}

fn label(table: &ResultTable, cell: &[usize]) -> Option<String> {
    let run = cell.first()?;
    Some(table.runs[*run].values.join(" / "))
}

/// `old < new` for each pair of filled cells of all tables.
fn pairs(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for table in &read_text(text).tables {
        let arranged = Arrangement::new(table);
        for (base, other) in &arranged.pairs {
            let base = label(table, &arranged.cells[*base]);
            let other = label(table, &arranged.cells[*other]);
            if let (Some(base), Some(other)) = (base, other) {
                found.push(format!("{base} < {other}"));
            }
        }
    }
    found
}

fn dd(seconds: u32) -> String {
    let rate = f64::from(1000 / seconds);
    format!("1000000000 bytes (1.0 GB, 954 MiB) copied, {seconds} s, {rate} MB/s\n")
}

#[test]
fn titles_of_tests_are_no_sides() {
    let text = format!(
        "## Sequential write with dd\n\n### Ceph\n{}\n### Local\n{}\n## Benchmark of the cache\n\n### Ceph\n{}",
        dd(10),
        dd(5),
        dd(4)
    );
    assert_eq!(
        pairs(&text),
        ["Ceph / Sequential write with dd < Local / Sequential write with dd"]
    );
}

#[test]
fn prompts_name_hosts_and_commands_are_labels_by_what_differs() {
    let hosts = format!(
        "[me@box1 /data]$ dd if=/dev/sdb of=/dev/null\n{}\n[me@box2 /data]$ dd if=/dev/sdb of=/dev/null\n{}",
        dd(10),
        dd(5)
    );
    assert_eq!(pairs(&hosts), ["box1 < box2"]);
    let commands = format!(
        "box:/data # dd if=/dev/zero of=a oflag=direct\n{}\nbox:/data # dd if=/dev/zero of=a oflag=dsync\n{}",
        dd(10),
        dd(5)
    );
    assert_eq!(pairs(&commands), ["oflag=direct < oflag=dsync"]);
    let titled = format!(
        "## Ceph\n\nbox # dd if=/dev/sdb of=/dev/null\n{}\n## Local\n\nbox # dd if=/dev/sda of=/dev/null\n{}",
        dd(10),
        dd(5)
    );
    assert_eq!(pairs(&titled), ["Ceph < Local"]);
}
