//! The summary of compilebench:
//!
//! ```text
//! intial create total runs 10 avg 27.61 MB/s (user 0.31s sys 0.51s)
//! delete tree total runs 4 avg 2.31 seconds (user 0.11s sys 0.41s)
//! ```

use crate::readers::benchmarks::collect::{Collector, MAX_PARTS, MIB, SECOND, leading, rate, time};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "compilebench");
    let mut offset = 0;
    let mut seen: Vec<&str> = Vec::new();
    while let Some((operation, shown)) = summary(cursor.text(offset)) {
        if seen.contains(&operation) || seen.len() >= MAX_PARTS {
            break;
        }
        seen.push(operation);
        let Some((word, value, unit)) = leading(shown) else {
            break;
        };
        // The program misspells the word.
        found.set("op", &operation.replace("intial", "initial"));
        if unit.trim_start().starts_with("MB/s") {
            found.add(offset, word, rate("rate", "throughput"), value * MIB);
        } else if unit.trim_start().starts_with("seconds") {
            found.add(offset, word, time("time", "time"), value * SECOND);
        }
        offset += 1;
    }
    found.finish(offset)
}

fn summary(text: &str) -> Option<(&str, &str)> {
    if !text.ends_with(['s', ')', ' ']) {
        return None;
    }
    let (operation, rest) = text.trim().split_once(" total runs ")?;
    let (runs, shown) = rest.split_once(" avg ")?;
    let counted = !runs.is_empty() && runs.bytes().all(|b| b.is_ascii_digit());
    (counted && shown.contains("(user ")).then_some((operation, shown))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn each_operation_has_its_mean() {
        let text = "intial create total runs 10 avg 27.50 MB/s (user 0.31s sys 0.51s)\n\
            delete tree total runs 4 avg 2.25 seconds (user 0.11s sys 0.41s)\n";
        assert_eq!(
            figures(read, text),
            [
                "op=initial create rate 28835840",
                "op=delete tree time 2250000000"
            ]
        );
        assert_eq!(outputs(read, &format!("{text}{text}")).len(), 2);
        assert!(figures(read, "no runs for delete tree total runs\n").is_empty());
    }
}
