//! What a reader of a snapshot may make of it: so much at first, and so much per byte. A coder that
//! predicts well needs no bytes for what it predicts, so a link of 200 characters could else become
//! gigabytes.
//!
//! | | at first | per byte | of recordings, per byte |
//! |---|---:|---:|---:|
//! | bytes in memory | 8 MiB | 4 KiB, up to 256 MiB in all | 40 to 1,300 |
//! | bits that are predicted | 1 Mi | 1 Ki, up to 512 Mi in all | 60 to 130 |

const BYTES: (usize, usize) = (8 << 20, 4 << 10);
const MAX_BYTES: usize = 256 << 20;
const BITS: (usize, usize) = (1 << 20, 1 << 10);
/// Decoding so many bits takes about a minute.
const MAX_BITS: usize = 512 << 20;

/// The budget that is left for the sections of one snapshot.
#[derive(Clone, Copy, Debug)]
pub struct ReadBudget {
    /// Bytes and bits that were allowed so far.
    allowed: (usize, usize),
    /// Bytes that all values may still take: each counts wherever it occurs, with its text.
    bytes: usize,
    bits: usize,
}

/// The error of a reader whose budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetSpent;

impl Default for ReadBudget {
    fn default() -> ReadBudget {
        ReadBudget {
            allowed: (BYTES.0, BITS.0),
            bytes: BYTES.0,
            bits: BITS.0,
        }
    }
}

impl ReadBudget {
    /// Adds what a section of so many bytes may cost.
    pub fn add(&mut self, bytes: usize) {
        let more = bytes
            .saturating_mul(BYTES.1)
            .min(MAX_BYTES - self.allowed.0);
        let more_bits = bytes.saturating_mul(BITS.1).min(MAX_BITS - self.allowed.1);
        self.allowed.0 += more;
        self.allowed.1 += more_bits;
        self.bytes += more;
        self.bits += more_bits;
    }

    /// Pays for bytes before they are allocated.
    pub fn make(&mut self, bytes: usize) -> Result<(), BudgetSpent> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(BudgetSpent)?;
        Ok(())
    }

    /// Pays for bits before they are decoded.
    pub fn decode(&mut self, bits: usize) -> Result<(), BudgetSpent> {
        self.bits = self.bits.checked_sub(bits).ok_or(BudgetSpent)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::codec::{CorruptSection, JsonModel};
    use super::ReadBudget;
    use serde_json::{Value as Json, json};

    fn coded(document: &Json) -> Vec<u8> {
        JsonModel::default().write(document)
    }

    /// Each list repeats the one before: 12 MB of text in less than 100 bytes.
    #[test]
    fn repeated_texts_count_each_time() {
        let list = |item: Json, n: usize| Json::Array(vec![item; n]);
        let text = json!(["a".repeat(10_000), 0, 0]);
        let hostile = json!({ "traces": 1, "more": list(list(list(text.clone(), 12), 12), 8) });
        let bytes = coded(&hostile);
        assert!(bytes.len() < 200, "{}", bytes.len());
        assert_eq!(JsonModel::default().read(&bytes), Err(CorruptSection));
        let modest = json!({ "traces": 1, "more": list(list(text, 12), 12) });
        assert_eq!(JsonModel::default().read(&coded(&modest)), Ok(modest));
    }

    /// Texts that are predicted cost time: these are decoded from a few hundred bytes.
    #[test]
    fn predicted_bits_are_counted() {
        let texts = |n: usize| json!(vec!["a".repeat(65_000); n]);
        let bytes = coded(&texts(3));
        assert!(bytes.len() < 300, "{}", bytes.len());
        assert_eq!(JsonModel::default().read(&bytes), Err(CorruptSection));
        assert_eq!(JsonModel::default().read(&coded(&texts(1))), Ok(texts(1)));
    }

    #[test]
    fn long_snapshots_have_a_bound_in_all() {
        let mut budget = ReadBudget::default();
        (0..3).for_each(|_| budget.add(usize::MAX / 2));
        assert!(budget.decode(super::MAX_BITS).is_ok() && budget.decode(1).is_err());
        assert!(budget.make(super::MAX_BYTES).is_ok() && budget.make(1).is_err());
    }

    /// A trace that repeats an earlier one takes few bytes: sections share a budget.
    #[test]
    fn sections_share_a_budget() {
        let rows: Vec<Json> = (0..600)
            .map(|i| json!((0..60).map(|j| i * j % 97).collect::<Vec<u32>>()))
            .collect();
        let (mut writer, mut reader) = (JsonModel::default(), JsonModel::default());
        let document = json!(rows);
        let packed: Vec<Vec<u8>> = (0..30).map(|_| writer.write(&document)).collect();
        let repeats = packed[1..].iter().map(Vec::len).max();
        assert!(repeats < Some(100), "{repeats:?}");
        let read = packed
            .iter()
            .filter(|bytes| reader.read(bytes).is_ok())
            .count();
        assert!(
            (10..30).contains(&read),
            "{read} of 1 MB each, {} bytes first",
            packed[0].len()
        );
    }
}
