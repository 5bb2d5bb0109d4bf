//! mdtest's table of rates:
//!
//! ```text
//! SUMMARY rate: (of 3 iterations)
//!    Operation                      Max            Min           Mean        Std Dev
//!    ---------                      ---            ---           ----        -------
//!    Directory creation        :      12345.678      11111.111      11700.000        500.123
//!    File stat                        45678.901      41111.111      43700.000       1500.123
//! ```

use crate::readers::benchmarks::collect::{Collector, count, decimal, per_second, words};
use crate::recognise::{Cursor, Output};

/// Limit for the lines above the rows.
const MAX_HEAD: usize = 4;

pub fn read(cursor: Cursor) -> Option<Output> {
    let first = cursor.text(0).trim();
    let titled = first.starts_with("SUMMARY") && first.contains(" iterations)");
    if !titled && !is_heading(first) {
        return None;
    }
    let heading = (0..MAX_HEAD).find(|i| is_heading(cursor.text(*i)))?;
    let mut found = Collector::new(cursor, "mdtest");
    let mut offset = heading + 1;
    loop {
        let text = cursor.text(offset);
        if text.trim().starts_with("---") {
            offset += 1;
            continue;
        }
        // Versions since 3.3 have no colon.
        let Some((name, rest)) = text
            .split_once(':')
            .or_else(|| text.trim().split_once("  "))
        else {
            break;
        };
        let parts = words(rest);
        let values: Vec<f64> = parts.iter().filter_map(|word| decimal(word)).collect();
        if parts.len() != 4 || values.len() != 4 {
            break;
        }
        found.set("op", name.trim());
        let metrics = [
            per_second("ops.max", "max operations/s"),
            per_second("ops.min", "min operations/s"),
            per_second("ops.mean", "mean operations/s"),
            count("ops.stdev", "operations/s, stdev"),
        ];
        for ((metric, word), value) in metrics.into_iter().zip(&parts).zip(values) {
            found.add(offset, word, metric, value);
        }
        offset += 1;
    }
    found.finish(offset)
}

fn is_heading(text: &str) -> bool {
    text.trim_start().starts_with("Operation")
        && words(text) == ["Operation", "Max", "Min", "Mean", "Std", "Dev"]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

    #[test]
    fn operations_have_their_rates() {
        let text = "SUMMARY rate: (of 3 iterations)\n   \
            Operation                      Max            Min           Mean        Std Dev\n   \
            ---------                      ---            ---           ----        -------\n   \
            Directory creation        :      12345.5      11111.5      11700.5        500.5\n   \
            Tree removal              :         12.5         10.5         11.5          0.5\n\
            -- finished at 01/02/2020 --\n";
        let found = figures(read, text);
        assert_has(
            &found,
            &[
                "op=Directory creation ops.mean 11700.5",
                "op=Tree removal ops.max 12.5",
            ],
        );
        assert_eq!(found.len(), 8);
        assert_eq!(figures(read, &text.replace(" :", "  ")), found);
        assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
        assert!(figures(read, "SUMMARY of the (last) iterations)\n").is_empty());
    }
}
