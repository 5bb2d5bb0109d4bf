//! JSON as predicted bits, value by value. Writing and reading run the same code, so that they
//! cannot differ. Earlier values under the same keys predict a value; a value that occurred before
//! is a reference.
//!
//! Frozen for version 1: every constant, hash and order here decides predictions, and a reader that
//! predicts otherwise than the writer did reads noise. A value is coded as its kind (below), then:
//!
//! | kind | name | coded as |
//! |---|---|---|
//! | 0, 1, 2 | null, false, true | nothing more |
//! | 3 | number | exponent, digits (`decimal.rs`) |
//! | 4 | text | bytes, then 0 |
//! | 5 | list | length, values |
//! | 6 | object | 0 and its keys for a new set of keys, else how many sets ago it occurred; then the values |
//! | 7 | list of numbers | length, then exponent and digits of each |
//! | 8 | repeated value | how many shared values ago it occurred |

use super::budget::ReadBudget;
use super::coder::{BitCoder, BitDecoder, BitEncoder, BitLearner, BitModel, CONTEXTS, hash};
use super::decimal::{from_decimal, to_decimal};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// Bytes that a value is counted as, without its text.
const VALUE_BYTES: usize = 32;
/// Bytes that a name in an object is counted as, without its text.
const NAME_BYTES: usize = 64;
/// Limit for the nesting of values.
const DEEPEST: usize = 24;
/// Limit for a text, bytes.
const LONGEST: usize = 1 << 16;
/// Sizes of arrays and objects that can be references.
const SHARED: std::ops::RangeInclusive<usize> = 3..=1 << 14;

const NULL: u64 = 0;
const FALSE: u64 = 1;
const TRUE: u64 = 2;
const NUMBER: u64 = 3;
const TEXT: u64 = 4;
const LIST: u64 = 5;
const OBJECT: u64 = 6;
/// A list that has only numbers.
const NUMBERS: u64 = 7;
/// A reference to a value that occurred before.
const SAME: u64 = 8;

/// The bytes are not from a writer: after a flipped bit all further values are noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorruptSection;

/// Everything learned from the documents so far. A document can be read only by a model that has
/// read the same ones before.
#[derive(Clone, Debug, Default)]
pub struct JsonModel {
    model: BitModel,
    shapes: Vec<Vec<String>>,
    shape_at: FxHashMap<Vec<String>, usize>,
    /// The last list of numbers under each key.
    rows: FxHashMap<u32, Vec<u64>>,
    /// The last kind, length or reference under each key.
    last: FxHashMap<u32, u64>,
    /// The last number under each key. `like` names the key whose number was equal to it, and which
    /// therefore predicts it.
    numbers: FxHashMap<u32, (u64, u64)>,
    keys: FxHashMap<(u64, u64), u32>,
    like: FxHashMap<u32, u32>,
    shared: Vec<SharedValue>,
    shared_at: FxHashMap<String, usize>,
    budget: ReadBudget,
}

/// A list or object that later ones may refer to.
#[derive(Clone, Debug)]
struct SharedValue {
    value: Value,
    /// Number of values in it, itself included.
    size: usize,
    /// Memory that it takes, bytes.
    bytes: usize,
}

impl JsonModel {
    /// Lets the model learn a document without writing it.
    pub fn learn(&mut self, document: &Value) {
        self.walk(&mut BitLearner, document).ok();
    }

    /// Writes a document.
    pub fn write(&mut self, document: &Value) -> Vec<u8> {
        let mut writer = BitEncoder::default();
        self.walk(&mut writer, document).ok();
        writer.finish()
    }

    /// Reads a document.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Value, CorruptSection> {
        let mut reader = BitDecoder::new(bytes);
        self.budget.add(bytes.len());
        let document = self.walk(&mut reader, &Value::Null)?;
        if reader.is_behind() {
            Err(CorruptSection)
        } else {
            Ok(document)
        }
    }

    fn walk(&mut self, side: &mut impl BitCoder, source: &Value) -> Result<Value, CorruptSection> {
        let mut walk = JsonWalk {
            memory: self,
            side,
            made: 0,
        };
        Ok(walk.value(1, source, 0)?.0)
    }
}

struct JsonWalk<'a, S: BitCoder> {
    memory: &'a mut JsonModel,
    side: &'a mut S,
    /// Bytes of the values so far.
    made: usize,
}

/// Numbers next to the one that is coded.
#[derive(Clone, Copy, Default)]
struct Neighbours {
    /// The last two numbers of the list.
    before: [u64; 2],
    /// The number at the same index and the next one in the last list under the same key.
    above: [u64; 2],
    /// The index in the list, at most 255.
    index: u32,
}

impl<S: BitCoder> JsonWalk<'_, S> {
    /// The value, and the number of values in it.
    fn value(
        &mut self,
        key: u32,
        source: &Value,
        depth: usize,
    ) -> Result<(Value, usize), CorruptSection> {
        if depth > DEEPEST {
            return Err(CorruptSection);
        }
        let before = self.made;
        self.spend(VALUE_BYTES)?;
        let text = if S::READS || !(source.is_array() || source.is_object()) {
            None
        } else {
            Some(source.to_string())
        };
        let earlier = text
            .as_ref()
            .and_then(|text| self.memory.shared_at.get(text).copied());
        let kind = match source {
            _ if earlier.is_some() => SAME,
            Value::Null => NULL,
            Value::Bool(false) => FALSE,
            Value::Bool(true) => TRUE,
            Value::Number(_) => NUMBER,
            Value::String(_) => TEXT,
            Value::Array(list) if list.iter().all(Value::is_number) => NUMBERS,
            Value::Array(_) => LIST,
            Value::Object(_) => OBJECT,
        };
        let (value, size) = match self.single(hash(key, 11), kind)? {
            NULL => (Value::Null, 1),
            FALSE => (Value::Bool(false), 1),
            TRUE => (Value::Bool(true), 1),
            NUMBER => (self.lone_number(key, source)?, 1),
            TEXT => (
                Value::String(self.text(key, source.as_str().unwrap_or_default())?),
                1,
            ),
            LIST => self.list(key, source, depth)?,
            OBJECT => self.object(key, source, depth)?,
            NUMBERS => self.numbers(key, source)?,
            SAME => return self.same(key, earlier),
            _ => return Err(CorruptSection),
        };
        if SHARED.contains(&size) && (value.is_array() || value.is_object()) {
            if let Some(text) = text {
                self.memory.shared_at.insert(text, self.memory.shared.len());
            }
            self.memory.shared.push(SharedValue {
                value: value.clone(),
                size,
                bytes: self.made - before,
            });
        }
        Ok((value, size))
    }

    /// Counts bytes that are made next.
    fn spend(&mut self, bytes: usize) -> Result<(), CorruptSection> {
        self.made = self.made.saturating_add(bytes);
        if S::READS {
            self.memory.budget.make(bytes).map_err(|_| CorruptSection)
        } else {
            Ok(())
        }
    }

    /// Counts bits that are decoded next.
    fn step(&mut self, bits: usize) -> Result<(), CorruptSection> {
        if S::READS {
            self.memory.budget.decode(bits).map_err(|_| CorruptSection)
        } else {
            Ok(())
        }
    }

    fn same(&mut self, key: u32, earlier: Option<usize>) -> Result<(Value, usize), CorruptSection> {
        let last = self.memory.shared.len();
        let back = self.single(
            hash(key, 12),
            earlier.map_or(0, |index| (last - index) as u64),
        )?;
        let index = last.checked_sub(back as usize).ok_or(CorruptSection)?;
        // The budget is charged before the value is copied: a reference to a large list costs no
        // bytes in the link.
        self.spend(self.memory.shared.get(index).ok_or(CorruptSection)?.bytes)?;
        let SharedValue { value, size, .. } = &self.memory.shared[index];
        Ok((value.clone(), *size))
    }

    fn list(
        &mut self,
        key: u32,
        source: &Value,
        depth: usize,
    ) -> Result<(Value, usize), CorruptSection> {
        let source = source.as_array().map_or(&[][..], Vec::as_slice);
        let n = self.single(hash(key, 13), source.len() as u64)?;
        let (mut list, mut size) = (Vec::new(), 1);
        for i in 0..n as usize {
            let (value, more) = self.value(
                hash(key, 14),
                source.get(i).unwrap_or(&Value::Null),
                depth + 1,
            )?;
            size += more;
            list.push(value);
        }
        Ok((Value::Array(list), size))
    }

    fn object(
        &mut self,
        key: u32,
        source: &Value,
        depth: usize,
    ) -> Result<(Value, usize), CorruptSection> {
        let shape: Vec<String> = source
            .as_object()
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default();
        let shapes = self.memory.shapes.len();
        // The distance 0 is a new set of keys.
        let distance = self
            .memory
            .shape_at
            .get(&shape)
            .map_or(0, |index| shapes - index);
        let shape = match self.single(hash(key, 15), distance as u64)? {
            0 => self.shape(shape)?,
            back => self
                .memory
                .shapes
                .get(shapes.checked_sub(back as usize).ok_or(CorruptSection)?)
                .ok_or(CorruptSection)?
                .clone(),
        };
        let (mut map, mut size) = (Map::new(), 1);
        for name in shape {
            self.spend(NAME_BYTES + name.len())?;
            let name_key = name
                .bytes()
                .fold(hash(key, 16), |h, byte| hash(h, u32::from(byte)));
            let (value, more) = self.value(
                name_key,
                source.get(&name).unwrap_or(&Value::Null),
                depth + 1,
            )?;
            size += more;
            map.insert(name, value);
        }
        Ok((Value::Object(map), size))
    }

    fn shape(&mut self, names: Vec<String>) -> Result<Vec<String>, CorruptSection> {
        let n = self.single(17, names.len() as u64)?;
        let mut shape = Vec::new();
        for i in 0..n as usize {
            self.spend(VALUE_BYTES)?;
            shape.push(self.text(18, names.get(i).map_or("", String::as_str))?);
        }
        self.memory
            .shape_at
            .insert(shape.clone(), self.memory.shapes.len());
        self.memory.shapes.push(shape.clone());
        Ok(shape)
    }

    fn numbers(&mut self, key: u32, source: &Value) -> Result<(Value, usize), CorruptSection> {
        let source = source.as_array().map_or(&[][..], Vec::as_slice);
        let n = self.single(hash(key, 13), source.len() as u64)? as usize;
        self.spend(n.saturating_mul(VALUE_BYTES))?;
        let above = self.memory.rows.remove(&key).unwrap_or_default();
        let (mut row, mut list) = (Vec::new(), Vec::new());
        let mut scale = 0;
        for i in 0..n {
            let number = |row: &[u64], index: Option<usize>| {
                index.and_then(|index| row.get(index)).copied().unwrap_or(0)
            };
            let near = Neighbours {
                before: [
                    number(&row, i.checked_sub(1)),
                    number(&row, i.checked_sub(2)),
                ],
                above: [number(&above, Some(i)), number(&above, Some(i + 1))],
                index: i.min(255) as u32,
            };
            let (digits, places) = to_decimal(source.get(i));
            scale = self.uint(
                hash(key, 20),
                places,
                Neighbours {
                    before: [scale, 0],
                    ..Neighbours::default()
                },
            )?;
            let digits = self.uint(hash(key, 21), digits, near)?;
            row.push(digits);
            list.push(Value::Number(
                from_decimal(digits, scale).ok_or(CorruptSection)?,
            ));
        }
        self.memory.rows.insert(key, row);
        Ok((Value::Array(list), n + 1))
    }

    fn lone_number(&mut self, key: u32, source: &Value) -> Result<Value, CorruptSection> {
        let (digits, places) = to_decimal(Some(source));
        let memory = &*self.memory;
        let last = memory.numbers.get(&key).copied().unwrap_or_default();
        let like = memory
            .like
            .get(&key)
            .and_then(|like| memory.numbers.get(like))
            .copied()
            .unwrap_or(last);
        let near = |last, like| Neighbours {
            before: [last, 0],
            above: [like, 0],
            index: 0,
        };
        let places = self.uint(hash(key, 20), places, near(last.1, like.1))?;
        let digits = self.uint(hash(key, 21), digits, near(last.0, like.0))?;
        let number = (digits, places);
        if like != number
            && let Some(&other) = self.memory.keys.get(&number)
        {
            self.memory.like.insert(key, other);
        }
        self.memory.numbers.insert(key, number);
        self.memory.keys.insert(number, key);
        Ok(Value::Number(
            from_decimal(digits, places).ok_or(CorruptSection)?,
        ))
    }

    /// A number predicted by the last one under the same key.
    fn single(&mut self, key: u32, source: u64) -> Result<u64, CorruptSection> {
        let last = self.memory.last.get(&key).copied().unwrap_or(0);
        let value = self.uint(
            key,
            source,
            Neighbours {
                before: [last, 0],
                above: [0, 0],
                index: 0,
            },
        )?;
        self.memory.last.insert(key, value);
        Ok(value)
    }

    /// The number's length in bits, then its bits below the highest.
    fn uint(&mut self, key: u32, source: u64, near: Neighbours) -> Result<u64, CorruptSection> {
        let class = |v: u64| u64::BITS - v.leading_zeros();
        let [before, earlier] = near.before;
        let [above, next] = near.above;
        let classes = class(before) << 7 | class(earlier);
        let around = [
            hash(key, 1),
            hash(key, 2 << 24 | classes),
            hash(
                key,
                3 << 24 | class(before) << 14 | class(above) << 7 | class(next),
            ),
            hash(
                hash(key, 4),
                (before as u32) ^ (above as u32).rotate_left(9),
            ),
            hash(
                hash(key, 5),
                (before as u32).wrapping_mul(31) ^ earlier as u32,
            ),
            hash(key, 6 << 24 | class(above) << 8 | near.index),
        ];
        let given_class = class(source);
        self.step(7)?;
        let mut node = 1u32;
        for i in (0..7).rev() {
            let contexts = around.map(|a| hash(a, node));
            let bit = self.memory.model.bit(
                self.side,
                contexts,
                (key as usize & 15) << 3 | i,
                given_class >> i & 1 == 1,
            );
            node = node << 1 | u32::from(bit);
        }
        let bits = node & 127;
        if bits > u64::BITS {
            return Err(CorruptSection);
        }
        if bits < 2 {
            return Ok(u64::from(bits));
        }
        self.step(bits as usize)?;
        let mut value = 1u64;
        for i in (0..bits - 1).rev() {
            let depth = bits - 1 - i;
            // Low bits are random, unless the number occurred before.
            let prefix = if depth <= 12 { value as u32 } else { u32::MAX };
            let expected = |near_value: u64| {
                let follows = class(near_value) == bits && near_value >> (i + 1) == value;
                if follows {
                    1 + (near_value >> i & 1) as u32
                } else {
                    0
                }
            };
            let place = bits << 8 | i;
            let contexts = [
                hash(hash(key, 31), place << 16 ^ prefix),
                hash(
                    hash(key, 32),
                    place << 4 | expected(before) << 2 | expected(above),
                ),
                hash(33, place << 4 | expected(before) << 2 | expected(above)),
                hash(hash(around[3], 34), place << 16 ^ prefix),
                hash(hash(around[4], 35), place << 16 ^ prefix),
                hash(36, place << 16 ^ (value as u32 & 7)),
            ];
            let set = 128 | depth.min(15) as usize;
            value = value << 1
                | u64::from(
                    self.memory
                        .model
                        .bit(self.side, contexts, set, source >> i & 1 == 1),
                );
        }
        Ok(value)
    }

    /// The bytes of the text, then a 0.
    fn text(&mut self, key: u32, source: &str) -> Result<String, CorruptSection> {
        let source: Vec<u8> = source.bytes().filter(|&b| b != 0).take(LONGEST).collect();
        let mut bytes: Vec<u8> = Vec::new();
        let mut word = 0u32;
        loop {
            let back = |n: usize| {
                bytes
                    .len()
                    .checked_sub(n)
                    .map_or(0, |index| u32::from(bytes[index]))
            };
            let [last, second, third, fourth] = [back(1), back(2), back(3), back(4)];
            let pair = last | second << 8;
            let around: [u32; CONTEXTS] = [
                hash(41, last),
                hash(42, pair),
                hash(43, pair | third << 16),
                hash(hash(44, pair | third << 16 | fourth << 24), back(5)),
                hash(45, word),
                hash(hash(key, 46), pair | (bytes.len().min(255) as u32) << 16),
            ];
            let next = source.get(bytes.len()).copied().unwrap_or(0);
            self.step(8)?;
            let mut node = 1u32;
            for i in (0..8).rev() {
                let contexts = around.map(|a| hash(a, node));
                let bit = self
                    .memory
                    .model
                    .bit(self.side, contexts, 160 + i, next >> i & 1 == 1);
                node = node << 1 | u32::from(bit);
            }
            let byte = node as u8;
            if byte == 0 {
                break;
            }
            if bytes.len() >= LONGEST {
                return Err(CorruptSection);
            }
            self.spend(1)?;
            word = if byte.is_ascii_alphanumeric() {
                hash(word, u32::from(byte))
            } else {
                0
            };
            bytes.push(byte);
        }
        String::from_utf8(bytes).map_err(|_| CorruptSection)
    }
}
