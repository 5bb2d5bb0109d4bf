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

fn time(seconds: u32) -> String {
    format!("real\t0m{seconds}.000s\nuser\t0m1.000s\nsys\t0m0.500s\n")
}

#[test]
fn captions_of_sides_and_of_tests_nest_in_the_order_of_the_text() {
    let [a, b, c, d] = [10, 5, 4, 2].map(dd);
    let expected = |pairs: &[String]| {
        assert_eq!(
            pairs,
            [
                "Before / write < After / write",
                "Before / read < After / read"
            ]
        );
    };
    expected(&pairs(&format!(
        "Before:\n\nwrite:\n{a}\nread:\n{b}\nAfter:\n\nwrite:\n{c}\nread:\n{d}"
    )));
    expected(&pairs(&format!(
        "write:\n\nBefore:\n{a}\nAfter:\n{b}\nread:\n\nBefore:\n{c}\nAfter:\n{d}"
    )));
    // Below a caption that is neither.
    let flat = pairs(&format!("Results:\n\n5.10:\n{a}\n6.1:\n{b}"));
    assert_eq!(flat, ["5.10 < 6.1"]);
}

#[test]
fn commands_of_several_programs_are_other_tests() {
    let text = format!(
        "Old kernel:\n$ time cp -a src dst\n{}$ time rm -rf dst\n{}\nNew kernel:\n$ time cp -a src dst2\n{}$ time rm -rf dst2\n{}",
        time(20),
        time(10),
        time(15),
        time(8)
    );
    assert_eq!(
        pairs(&text),
        [
            "Old kernel / cp < New kernel / cp",
            "Old kernel / rm < New kernel / rm"
        ]
    );
    let pasted = "before: real 1m15.300s user 0m5.000s sys 0m9.200s\n\
        after:  real 1m1.200s user 0m5.100s sys 0m9.000s\n";
    assert_eq!(pairs(pasted), ["before < after"]);
}

#[test]
fn the_only_disk_of_a_named_side_may_have_another_name() {
    let disk = |device: &str, rate: &str| {
        format!(
            "\n/dev/{device}:\n Timing buffered disk reads: {rate} MB in  2.00 seconds = {rate} MB/sec\n"
        )
    };
    let [sda, vda, vdb] = [disk("sda", "300"), disk("vda", "200"), disk("vdb", "100")];
    assert_eq!(
        pairs(&format!("Host:\n{sda}\nGuest:\n{vda}")),
        ["Host < Guest"]
    );
    // With two disks it is not known which one is meant, and names of disks alone are no sides.
    assert!(pairs(&format!("Host:\n{sda}\nGuest:\n{vda}{vdb}")).is_empty());
    assert!(pairs(&format!("{sda}{vda}")).is_empty());
}
