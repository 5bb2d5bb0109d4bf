//! The time of all stages grows with the text and not with its square. Two sizes of one text are
//! compared, so that the speed of the machine does not count.

use seekscope_texts::{TextInput, read};
use std::time::{Duration, Instant};

const SMALL: usize = 8 << 10;
/// How much larger the second text is. Quadratic time is 16 times as long.
const FACTOR: usize = 4;
/// What the second text may take, in times of the first: twice the linear time.
const MAX_GROWTH: f64 = 9.0;
/// Times below it say nothing.
const MIN_TIME: Duration = Duration::from_millis(20);
const TRIES: usize = 4;

fn seconds(text: &[u8]) -> Duration {
    let begin = Instant::now();
    let found = read(&[TextInput {
        path: "text.txt",
        argument: Some(0),
        bytes: text,
    }]);
    drop(found);
    begin.elapsed()
}

/// The shortest of several times: others are those of other processes.
fn growth(small: &[u8], large: &[u8]) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..TRIES {
        let (first, second) = (seconds(small).max(MIN_TIME), seconds(large));
        best = best.min(second.as_secs_f64() / first.as_secs_f64());
        if best <= MAX_GROWTH {
            break;
        }
    }
    best
}

fn repeated(begin: &str, unit: &str, size: usize) -> Vec<u8> {
    let mut text = begin.to_owned();
    while text.len() < size {
        text.push_str(unit);
    }
    text.into_bytes()
}

const MAIL: &str = "From: a <a@example.org>\nTo: b@example.org\nSubject: x\n";

/// Begin and repeated part of the worst texts that are known.
const TEXTS: [(&str, &str); 49] = [
    ("", "word\n"),
    ("", "word\nab cd\nrow 1 2\na-b: c\n"),
    ("", "name 12\n"),
    ("", "12 34 56 78\n"),
    ("", "| a | b |\n"),
    ("", "| a | 12.5 |\n"),
    ("", "a,b,c\n1,2,3\n"),
    ("", "1,2,3\n"),
    ("", "> > > > > > > > hello 12\n"),
    ("", "key: 12 MB/s\n"),
    ("", "key: 12\n"),
    ("", "# Title\n"),
    ("", "On 6.1:\n"),
    ("", "root@box:~# uname -r\n6.1.0\n"),
    ("", "6.1.0-13-amd64\n\n"),
    (
        "",
        "kernel   bs   MB/s\n6.1      4k  101.2\n6.10     4k  112.4\n\n",
    ),
    ("", "The fox jumps over 12 dogs, 3 of them slept.\n"),
    (
        "",
        "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 9.31 s, 115 MB/s\n",
    ),
    ("", "Q2C  0.000522070   0.002462036   0.022517259   2636\n"),
    ("", "     1\tfoo 12\n"),
    ("", "{\"a\":\n"),
    ("", "[\n"),
    ("", "Run 1\n12 MB/s\n\n"),
    ("", "  128 -> 255        : 268687   |*****|\n"),
    ("", "Device r/s w/s rkB/s wkB/s await\nsda 1 2 3 4 5\n"),
    ("", "stress-ng: info:  [1] x\n"),
    ("", "job: (groupid=0, jobs=1): err= 0: pid=1: x\n"),
    // One line.
    ("", "a"),
    ("", "word 12 "),
    ("", "x > y "),
    ("", "root@box:~# ls "),
    ("", "| a "),
    ("", "1,"),
    ("", "{"),
    ("", "["),
    ("", "("),
    ("", ">"),
    ("", "\u{1b}["),
    ("<html>", "&"),
    ("<html>", "<a "),
    ("<html>", "<a b=\""),
    ("<html>", "<div>"),
    (MAIL, "\nword 12 \n"),
    (MAIL, "X-Header: y\n"),
    ("", "{\"kernel\": \"6.1\", \"iops\": 24707}\n"),
    ("[", "{\"kernel\": \"6.1\", \"iops\": 24707},\n"),
    ("", "{| a\n| 1 || 2\n"),
    ("", "^ a ^ b ^\n| 1 | 2 |\n| 1 |\n"),
    (".. list-table:: a\n", "* - a\n  - 1\n"),
];

/// A stack overflow ends the program, whatever catches panics.
#[test]
fn deep_nesting_ends_no_program() {
    for (begin, unit) in [
        (MAIL, "Content-Type: message/rfc822\n\nFrom: a\nTo: b\n"),
        ("", "{\"a\": ["),
        ("", "[{"),
        ("<html>", "<pre><div>"),
        ("", "> "),
    ] {
        seconds(&repeated(begin, unit, 128 << 10));
    }
}

#[test]
fn time_grows_with_the_text() {
    let mut slow = Vec::new();
    for (begin, unit) in TEXTS {
        let small = repeated(begin, unit, SMALL);
        let large = repeated(begin, unit, SMALL * FACTOR);
        let growth = growth(&small, &large);
        if growth > MAX_GROWTH {
            slow.push(format!("{begin:?} and {unit:?}: {growth:.1} times"));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
