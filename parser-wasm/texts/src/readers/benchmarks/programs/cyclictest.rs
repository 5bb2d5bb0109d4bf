//! The threads of cyclictest, whose times are in microseconds:
//!
//! ```text
//! T: 0 ( 1234) P:80 I:1000 C:  10000 Min:      4 Act:    5 Avg:    6 Max:      44
//! ```

use crate::readers::benchmarks::collect::{Collector, MAX_PARTS, US, decimal, time};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "cyclictest");
    let mut threads: Vec<(&str, &str, usize)> = Vec::new();
    let mut offset = 0;
    while let Some((thread, process)) = thread(cursor.text(offset)) {
        let is_full = threads.len() >= MAX_PARTS;
        match threads.iter_mut().find(|(other, ..)| *other == thread) {
            // The program prints all threads again and again.
            Some((_, other, last)) if *other == process => *last = offset,
            Some(_) => break,
            None if is_full => break,
            None => threads.push((thread, process, offset)),
        }
        offset += 1;
    }
    for (thread, _, line) in threads {
        found.set("thread", thread);
        for (name, key, label) in [
            ("Min:", "min", "min latency"),
            ("Avg:", "mean", "mean latency"),
            ("Max:", "max", "max latency"),
        ] {
            let (_, rest) = cursor.text(line).split_once(name)?;
            let word = rest.split_whitespace().next()?;
            found.add(line, word, time(key, label), decimal(word)? * US);
        }
    }
    found.finish(offset)
}

/// The number of a thread and that of its process, if a line is one of a thread.
fn thread(text: &str) -> Option<(&str, &str)> {
    let (thread, rest) = text.trim_start().strip_prefix("T:")?.split_once('(')?;
    let (process, rest) = rest.split_once(')')?;
    let is_complete = [" P:", " I:", " C:", "Min:", "Avg:", "Max:"]
        .iter()
        .all(|name| rest.contains(name));
    is_complete.then_some((thread.trim(), process.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    fn line(thread: u32, process: u32, max: u32) -> String {
        format!(
            "T: {thread} ( {process}) P:80 I:1000 C:  10000 Min:      4 Act:    5 Avg:    6 \
             Max:      {max}\n"
        )
    }

    #[test]
    fn the_last_line_of_each_thread_counts() {
        let text = line(0, 1234, 40) + &line(1, 1235, 50) + &line(0, 1234, 44);
        let found = figures(read, &text);
        assert_eq!(
            found,
            [
                "thread=0 min 4000",
                "thread=0 mean 6000",
                "thread=0 max 44000",
                "thread=1 min 4000",
                "thread=1 mean 6000",
                "thread=1 max 50000",
            ]
        );
        let again = line(0, 1234, 40) + &line(0, 2234, 44);
        assert_eq!(outputs(read, &again).len(), 2);
        assert!(figures(read, "T: 0 (12) Min: 4 Avg: 6\n").is_empty());
    }
}
