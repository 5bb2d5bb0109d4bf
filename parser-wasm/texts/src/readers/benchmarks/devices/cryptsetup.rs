//! `cryptsetup benchmark`:
//!
//! ```text
//! PBKDF2-sha256    1912311 iterations per second for 256-bit key
//! #     Algorithm |       Key |      Encryption |      Decryption
//!         aes-xts        256b      1912.3 MiB/s      1911.2 MiB/s
//! ```

use crate::readers::benchmarks::collect::{Collector, binary, leading, per_second, rate};
use crate::recognise::{Cursor, Output};

pub fn read(cursor: Cursor) -> Option<Output> {
    let mut found = Collector::new(cursor, "cryptsetup");
    let mut offset = 0;
    while read_line(&mut found, offset, cursor.text(offset).trim()) {
        offset += 1;
    }
    found.finish(offset)
}

/// Reads a line; whether it is one of the output.
fn read_line(found: &mut Collector, offset: usize, text: &str) -> bool {
    if let Some(text) = text.strip_prefix('#') {
        return text.contains("Tests are approximate using memory only")
            || text.contains("Algorithm |");
    }
    if let Some((name, rest)) = text.split_once(' ')
        && rest.contains(" iterations per second for ")
        && let Some((word, value, _)) = leading(rest.trim_start())
    {
        found.set("algorithm", name);
        found.add(
            offset,
            word,
            per_second("iterations", "iterations/s"),
            value,
        );
        found.unset("algorithm");
        return true;
    }
    let Some(row) = row(text) else {
        return false;
    };
    found.set("algorithm", row.algorithm);
    found.set("key", row.key);
    for ((word, value, factor), operation) in row.rates.into_iter().zip(["encrypt", "decrypt"]) {
        found.set("op", operation);
        found.add(offset, word, rate("rate", "throughput"), value * factor);
    }
    for name in ["algorithm", "key", "op"] {
        found.unset(name);
    }
    true
}

struct Row<'a> {
    algorithm: &'a str,
    key: &'a str,
    rates: [(&'a str, f64, f64); 2],
}

fn row(text: &str) -> Option<Row<'_>> {
    // All rows end with the unit, which excludes most lines at once.
    text.ends_with("iB/s").then_some(())?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let [algorithm, key, first, first_unit, second, second_unit] = words[..] else {
        return None;
    };
    let digits = key.strip_suffix('b')?;
    digits.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
    let figure = |word, unit| {
        let (word, value, _) = leading(word)?;
        Some((word, value, binary(unit)?))
    };
    Some(Row {
        algorithm,
        key,
        rates: [figure(first, first_unit)?, figure(second, second_unit)?],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::benchmarks::collect::testing::{figures, outputs};

    #[test]
    fn algorithms_are_told_apart() {
        let text = "# Tests are approximate using memory only (no storage IO).\n\
            PBKDF2-sha256    1912311 iterations per second for 256-bit key\n\
            #     Algorithm |       Key |      Encryption |      Decryption\n\
            \x20       aes-cbc        128b       812.5 MiB/s      2512.5 MiB/s\n\
            \x20       aes-xts        256b      1912.5 MiB/s      1911.5 MiB/s\n";
        assert_eq!(
            figures(read, text),
            [
                "algorithm=PBKDF2-sha256 iterations 1912311",
                "algorithm=aes-cbc key=128b op=encrypt rate 851968000",
                "algorithm=aes-cbc key=128b op=decrypt rate 2634547000",
                "algorithm=aes-xts key=256b op=encrypt rate 2005402000",
                "algorithm=aes-xts key=256b op=decrypt rate 2004353000",
            ]
        );
        assert_eq!(outputs(read, &format!("{text}\n{text}")).len(), 2);
    }
}
