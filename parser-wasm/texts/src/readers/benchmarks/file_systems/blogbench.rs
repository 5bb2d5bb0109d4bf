//! The scores of blogbench:
//!
//! ```text
//! Final score for writes:            12
//! Final score for reads :         41234
//! ```

use crate::observation::Good;
use crate::readers::benchmarks::collect::{Collector, count, decimal};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "blogbench");
    let mut offset = 0;
    while let Some((operation, word)) = score(cursor.text(offset)) {
        let (key, label) = match operation {
            "writes" => ("write.score", "write score"),
            "reads" => ("read.score", "read score"),
            _ => break,
        };
        if found.has(key) {
            break;
        }
        found.add(
            offset,
            word,
            count(key, label).better(Good::More),
            decimal(word)?,
        );
        offset += 1;
    }
    found.finish(offset)
}

fn score(text: &str) -> Option<(&str, &str)> {
    let (operation, word) = text
        .trim()
        .strip_prefix("Final score for ")?
        .split_once(':')?;
    Some((operation.trim(), word.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn both_scores_are_read() {
        let text = "Final score for writes:            12\nFinal score for reads :         41234\n";
        assert_eq!(figures(read, text), ["write.score 12", "read.score 41234"]);
        assert_eq!(outputs(read, &format!("{text}{text}")).len(), 2);
    }
}
