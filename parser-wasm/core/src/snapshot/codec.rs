//! JSON, value by value, to predicted bits: one road for writing and reading, so that they cannot differ. What came before under
//! the same keys predicts what comes; whole values that came before are pointed at.

use super::coder::{CONTEXTS, Model, Pupil, Reader, Side, Writer, hash};
use super::decimal::{from_decimal, to_decimal};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};

/// Values of one document, those pointed at counted again.
const MOST_VALUES: usize = 8 << 20;
/// Arrays and objects within each other.
const DEEPEST: usize = 24;
/// Bytes of a text.
const LONGEST: usize = 1 << 16;
/// Arrays and objects of so many values are worth pointing at.
const SHARED: std::ops::RangeInclusive<usize> = 3..=1 << 14;

const NULL: u64 = 0;
const FALSE: u64 = 1;
const TRUE: u64 = 2;
const NUMBER: u64 = 3;
const TEXT: u64 = 4;
const LIST: u64 = 5;
const OBJECT: u64 = 6;
/// A list of numbers alone.
const NUMBERS: u64 = 7;
/// A value that came before.
const SAME: u64 = 8;

/// What is read is none of what is written: a flipped bit makes noise of all that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noise;

/// What was learned from all documents so far. Each document is to be read with what was learned when it was written.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    model: Model,
    shapes: Vec<Vec<String>>,
    shape_at: FxHashMap<Vec<String>, usize>,
    /// The last numbers under the same keys.
    rows: FxHashMap<u32, Vec<u64>>,
    /// Single values.
    last: FxHashMap<u32, u64>,
    /// The last number under each key, and where it was like that of another key: that one predicts it.
    numbers: FxHashMap<u32, (u64, u64)>,
    keys: FxHashMap<(u64, u64), u32>,
    like: FxHashMap<u32, u32>,
    shared: Vec<(Value, usize)>,
    shared_at: FxHashMap<String, usize>,
}

impl Memory {
    /// Takes a document in without writing it anywhere.
    pub fn learn(&mut self, document: &Value) {
        self.walk(&mut Pupil, document).ok();
    }

    /// The document in few bytes.
    pub fn write(&mut self, document: &Value) -> Vec<u8> {
        let mut writer = Writer::default();
        self.walk(&mut writer, document).ok();
        writer.finish()
    }

    /// The document of these bytes.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Value, Noise> {
        let mut reader = Reader::new(bytes);
        let document = self.walk(&mut reader, &Value::Null)?;
        if reader.is_behind() { Err(Noise) } else { Ok(document) }
    }

    fn walk(&mut self, side: &mut impl Side, given: &Value) -> Result<Value, Noise> {
        let mut walk = Walk { memory: self, side, left: MOST_VALUES };
        Ok(walk.value(1, given, 0)?.0)
    }
}

struct Walk<'a, S: Side> {
    memory: &'a mut Memory,
    side: &'a mut S,
    left: usize,
}

/// Numbers near the one that is coded.
#[derive(Clone, Copy, Default)]
struct Near {
    /// The one before, and the one before that.
    before: [u64; 2],
    /// Those at its place and behind it in the last row under the same keys.
    above: [u64; 2],
    at: u32,
}

impl<S: Side> Walk<'_, S> {
    /// The value and how many values it holds.
    fn value(&mut self, key: u32, given: &Value, depth: usize) -> Result<(Value, usize), Noise> {
        if depth > DEEPEST {
            return Err(Noise);
        }
        self.spend(1)?;
        let text = if S::READS || !(given.is_array() || given.is_object()) { None } else { Some(given.to_string()) };
        let known = text.as_ref().and_then(|text| self.memory.shared_at.get(text).copied());
        let kind = match given {
            _ if known.is_some() => SAME,
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
            NUMBER => (self.lone_number(key, given)?, 1),
            TEXT => (Value::String(self.text(key, given.as_str().unwrap_or_default())?), 1),
            LIST => self.list(key, given, depth)?,
            OBJECT => self.object(key, given, depth)?,
            NUMBERS => self.numbers(key, given)?,
            SAME => return self.same(key, known),
            _ => return Err(Noise),
        };
        if SHARED.contains(&size) && (value.is_array() || value.is_object()) {
            if let Some(text) = text {
                self.memory.shared_at.insert(text, self.memory.shared.len());
            }
            self.memory.shared.push((value.clone(), size));
        }
        Ok((value, size))
    }

    fn spend(&mut self, values: usize) -> Result<(), Noise> {
        self.left = self.left.checked_sub(values).ok_or(Noise)?;
        Ok(())
    }

    fn same(&mut self, key: u32, known: Option<usize>) -> Result<(Value, usize), Noise> {
        let last = self.memory.shared.len();
        let back = self.single(hash(key, 12), known.map_or(0, |at| (last - at) as u64))?;
        let at = last.checked_sub(back as usize).ok_or(Noise)?;
        let (value, size) = self.memory.shared.get(at).cloned().ok_or(Noise)?;
        self.spend(size)?;
        Ok((value, size))
    }

    fn list(&mut self, key: u32, given: &Value, depth: usize) -> Result<(Value, usize), Noise> {
        let given = given.as_array().map_or(&[][..], Vec::as_slice);
        let n = self.single(hash(key, 13), given.len() as u64)?;
        let (mut list, mut size) = (Vec::new(), 1);
        for i in 0..n as usize {
            let (value, more) = self.value(hash(key, 14), given.get(i).unwrap_or(&Value::Null), depth + 1)?;
            size += more;
            list.push(value);
        }
        Ok((Value::Array(list), size))
    }

    fn object(&mut self, key: u32, given: &Value, depth: usize) -> Result<(Value, usize), Noise> {
        let shape: Vec<String> = given.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
        let shapes = self.memory.shapes.len();
        // 0 is a new one.
        let at = self.memory.shape_at.get(&shape).map_or(0, |at| shapes - at);
        let shape = match self.single(hash(key, 15), at as u64)? {
            0 => self.shape(shape)?,
            back => self.memory.shapes.get(shapes.checked_sub(back as usize).ok_or(Noise)?).ok_or(Noise)?.clone(),
        };
        let (mut map, mut size) = (Map::new(), 1);
        for name in shape {
            let name_key = name.bytes().fold(hash(key, 16), |h, byte| hash(h, u32::from(byte)));
            let (value, more) = self.value(name_key, given.get(&name).unwrap_or(&Value::Null), depth + 1)?;
            size += more;
            map.insert(name, value);
        }
        Ok((Value::Object(map), size))
    }

    fn shape(&mut self, given: Vec<String>) -> Result<Vec<String>, Noise> {
        let n = self.single(17, given.len() as u64)?;
        let mut shape = Vec::new();
        for i in 0..n as usize {
            self.spend(1)?;
            shape.push(self.text(18, given.get(i).map_or("", String::as_str))?);
        }
        self.memory.shape_at.insert(shape.clone(), self.memory.shapes.len());
        self.memory.shapes.push(shape.clone());
        Ok(shape)
    }

    fn numbers(&mut self, key: u32, given: &Value) -> Result<(Value, usize), Noise> {
        let given = given.as_array().map_or(&[][..], Vec::as_slice);
        let n = self.single(hash(key, 13), given.len() as u64)? as usize;
        self.spend(n)?;
        let above = self.memory.rows.remove(&key).unwrap_or_default();
        let (mut row, mut list) = (Vec::new(), Vec::new());
        let mut scale = 0;
        for i in 0..n {
            let of = |row: &[u64], at: Option<usize>| at.and_then(|at| row.get(at)).copied().unwrap_or(0);
            let near = Near {
                before: [of(&row, i.checked_sub(1)), of(&row, i.checked_sub(2))],
                above: [of(&above, Some(i)), of(&above, Some(i + 1))],
                at: i.min(255) as u32,
            };
            let (digits, places) = to_decimal(given.get(i));
            scale = self.uint(hash(key, 20), places, Near { before: [scale, 0], ..Near::default() })?;
            let digits = self.uint(hash(key, 21), digits, near)?;
            row.push(digits);
            list.push(Value::Number(from_decimal(digits, scale).ok_or(Noise)?));
        }
        self.memory.rows.insert(key, row);
        Ok((Value::Array(list), n + 1))
    }

    fn lone_number(&mut self, key: u32, given: &Value) -> Result<Value, Noise> {
        let (digits, places) = to_decimal(Some(given));
        let memory = &*self.memory;
        let last = memory.numbers.get(&key).copied().unwrap_or_default();
        let like = memory.like.get(&key).and_then(|like| memory.numbers.get(like)).copied().unwrap_or(last);
        let near = |last, like| Near { before: [last, 0], above: [like, 0], at: 0 };
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
        Ok(Value::Number(from_decimal(digits, places).ok_or(Noise)?))
    }

    /// One that the last one under the same key predicts.
    fn single(&mut self, key: u32, given: u64) -> Result<u64, Noise> {
        let last = self.memory.last.get(&key).copied().unwrap_or(0);
        let value = self.uint(key, given, Near { before: [last, 0], above: [0, 0], at: 0 })?;
        self.memory.last.insert(key, value);
        Ok(value)
    }

    /// Its length in bits, then the bits below the highest.
    fn uint(&mut self, key: u32, given: u64, near: Near) -> Result<u64, Noise> {
        let class = |v: u64| u64::BITS - v.leading_zeros();
        let [before, earlier] = near.before;
        let [above, next] = near.above;
        let classes = class(before) << 7 | class(earlier);
        let around = [
            hash(key, 1),
            hash(key, 2 << 24 | classes),
            hash(key, 3 << 24 | class(before) << 14 | class(above) << 7 | class(next)),
            hash(hash(key, 4), (before as u32) ^ (above as u32).rotate_left(9)),
            hash(hash(key, 5), (before as u32).wrapping_mul(31) ^ earlier as u32),
            hash(key, 6 << 24 | class(above) << 8 | near.at),
        ];
        let given_class = class(given);
        let mut node = 1u32;
        for i in (0..7).rev() {
            let contexts = around.map(|a| hash(a, node));
            let bit = self.memory.model.bit(self.side, contexts, (key as usize & 15) << 3 | i, given_class >> i & 1 == 1);
            node = node << 1 | u32::from(bit);
        }
        let bits = node & 127;
        if bits > u64::BITS {
            return Err(Noise);
        }
        if bits < 2 {
            return Ok(u64::from(bits));
        }
        let mut value = 1u64;
        for i in (0..bits - 1).rev() {
            let depth = bits - 1 - i;
            // Deep bits are noise, unless the number came before.
            let prefix = if depth <= 12 { value as u32 } else { u32::MAX };
            let expected = |of: u64| {
                let follows = class(of) == bits && of >> (i + 1) == value;
                if follows { 1 + (of >> i & 1) as u32 } else { 0 }
            };
            let place = bits << 8 | i;
            let contexts = [
                hash(hash(key, 31), place << 16 ^ prefix),
                hash(hash(key, 32), place << 4 | expected(before) << 2 | expected(above)),
                hash(33, place << 4 | expected(before) << 2 | expected(above)),
                hash(hash(around[3], 34), place << 16 ^ prefix),
                hash(hash(around[4], 35), place << 16 ^ prefix),
                hash(36, place << 16 ^ (value as u32 & 7)),
            ];
            let set = 128 | depth.min(15) as usize;
            value = value << 1 | u64::from(self.memory.model.bit(self.side, contexts, set, given >> i & 1 == 1));
        }
        Ok(value)
    }

    /// Bytes up to a 0.
    fn text(&mut self, key: u32, given: &str) -> Result<String, Noise> {
        let given: Vec<u8> = given.bytes().filter(|&b| b != 0).take(LONGEST).collect();
        let mut bytes: Vec<u8> = Vec::new();
        let mut word = 0u32;
        loop {
            let back = |n: usize| bytes.len().checked_sub(n).map_or(0, |at| u32::from(bytes[at]));
            let [one, two, three, four] = [back(1), back(2), back(3), back(4)];
            let pair = one | two << 8;
            let around: [u32; CONTEXTS] = [
                hash(41, one),
                hash(42, pair),
                hash(43, pair | three << 16),
                hash(hash(44, pair | three << 16 | four << 24), back(5)),
                hash(45, word),
                hash(hash(key, 46), pair | (bytes.len().min(255) as u32) << 16),
            ];
            let next = given.get(bytes.len()).copied().unwrap_or(0);
            let mut node = 1u32;
            for i in (0..8).rev() {
                let contexts = around.map(|a| hash(a, node));
                let bit = self.memory.model.bit(self.side, contexts, 160 + i, next >> i & 1 == 1);
                node = node << 1 | u32::from(bit);
            }
            let byte = node as u8;
            if byte == 0 {
                break;
            }
            if bytes.len() >= LONGEST {
                return Err(Noise);
            }
            word = if byte.is_ascii_alphanumeric() { hash(word, u32::from(byte)) } else { 0 };
            bytes.push(byte);
        }
        String::from_utf8(bytes).map_err(|_| Noise)
    }
}
