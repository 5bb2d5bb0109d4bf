//! What a hostile encoder can put into a link: documents that the coder predicts well, packed as
//! snapshots are. A byte of the input costs the reader of the link as much as its author can make
//! it cost.

use seekscope_core::snapshot::{Snapshot, pack, unpack};
use serde_json::{Map, Value, json};

/// Maximum number of values in a document: the encoder is not what is examined.
const MAX_VALUES: usize = 200_000;
/// Maximum length of all texts in a document, bytes.
const MAX_TEXT: usize = 1 << 20;

/// Makes values from bytes: each command is a kind and a number.
struct Author<'a> {
    commands: std::slice::ChunksExact<'a, u8>,
    values: usize,
    text: usize,
}

impl Author<'_> {
    fn value(&mut self, depth: usize) -> Value {
        let Some(&[kind, n]) = self.commands.next() else {
            return Value::Null;
        };
        let n = usize::from(n);
        self.values += 1;
        match (kind % 8, depth) {
            (0, _) => json!(n),
            (1, _) => json!((n as f64).sin()),
            (2, _) => self.letters(n),
            (3, _) => self.letters(n << 8),
            (4, 0..8) => Value::Array((0..n % 8).map(|_| self.value(depth + 1)).collect()),
            (5, 0..8) => self.copies(n, depth),
            (6, 0..8) => {
                let keys = (0..n % 4).map(|key| (format!("key {key}"), self.value(depth + 1)));
                Value::Object(keys.collect::<Map<_, _>>())
            }
            (7, _) => {
                let numbers = (n << 4).min(MAX_VALUES.saturating_sub(self.values));
                self.values += numbers;
                Value::Array(vec![json!(0.5); numbers])
            }
            _ => Value::Null,
        }
    }

    fn letters(&mut self, n: usize) -> Value {
        let n = n.min(MAX_TEXT.saturating_sub(self.text));
        self.text += n;
        json!("a".repeat(n))
    }

    /// An array with a value many times.
    fn copies(&mut self, n: usize, depth: usize) -> Value {
        let (values, text) = (self.values, self.text);
        let value = self.value(depth + 1);
        let [size, letters] = [self.values - values, self.text - text].map(|n| n.max(1));
        let n = n
            .min(MAX_VALUES.saturating_sub(self.values) / size)
            .min(MAX_TEXT.saturating_sub(self.text) / letters);
        self.values += n * size;
        self.text += n * letters;
        Value::Array(vec![value; n])
    }
}

/// The target: a link by a hostile encoder.
///
/// # Panics
/// When reading it takes too much memory.
pub fn any(data: &[u8]) {
    let mut author = Author {
        commands: data.chunks_exact(2),
        values: 0,
        text: 0,
    };
    let document = json!({ "more": author.value(0), "again": author.value(0) });
    let packed = pack(
        &Snapshot {
            document,
            ..Snapshot::default()
        },
        17,
    );
    let _ = crate::resources::bounded(packed.len(), || unpack(&packed));
}

/// Lists of lists of texts and of numbers.
pub fn seeds() -> Vec<Vec<u8>> {
    vec![
        [[5u8, 100], [5, 100], [5, 4], [2, 200]].concat(),
        [[5u8, 255], [5, 40], [7, 1], [3, 255]].concat(),
        [
            [4u8, 7],
            [3, 255],
            [3, 255],
            [1, 9],
            [6, 3],
            [0, 1],
            [7, 255],
            [5, 200],
            [6, 3],
            [2, 9],
        ]
        .concat(),
    ]
}
