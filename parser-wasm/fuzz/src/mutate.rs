//! Repeatable damage for the short run.

/// A small generator of repeatable noise.
pub struct Noise(u64);

impl Noise {
    /// Noise that depends on `seed` only.
    pub fn new(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`, 0 when there is none.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n.max(1)
    }
}

/// Numbers at the limits of integer types and of exact floats.
const EDGES: [u64; 10] = [
    0,
    1,
    0x7f,
    0xff,
    0xffff,
    0x7fff_ffff,
    0xffff_ffff,
    1 << 53,
    i64::MAX as u64,
    u64::MAX,
];
/// Texts in place of a number: limits, numbers that do not fit, and none.
const WORDS: [&str; 12] = [
    "0",
    "-1",
    "255",
    "65536",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999999",
    "1e300",
    "0.5",
    "+",
    "null",
    "",
];

/// Damages `data` in a few places, with pieces of `other` among them.
pub fn damage(data: &mut Vec<u8>, other: &[u8], noise: &mut Noise, longest: usize) {
    for _ in 0..1 + noise.below(6) {
        let offset = noise.below(data.len());
        let length = (1 + noise.below(64)).min(data.len() - offset);
        match noise.below(9) {
            0 | 1 if offset < data.len() => data[offset] ^= 1 << noise.below(8),
            2 if offset < data.len() => data[offset] = noise.next() as u8,
            3 => {
                let edge = EDGES[noise.below(EDGES.len())].to_le_bytes();
                let width = (1 << noise.below(4)).min(data.len() - offset);
                data[offset..offset + width].copy_from_slice(&edge[..width]);
            }
            4 => drop(data.drain(offset..offset + length)),
            5 => {
                let copy = data[offset..offset + length].to_vec();
                let to = noise.below(data.len());
                drop(data.splice(to..to, copy));
            }
            6 => {
                let from = noise.below(other.len());
                let piece = &other[from..other.len().min(from + 1 + noise.below(200))];
                drop(data.splice(offset..offset, piece.iter().copied()));
            }
            7 => number(data, offset, WORDS[noise.below(WORDS.len())]),
            _ => data.truncate(offset),
        }
    }
    data.truncate(longest);
}

/// Replaces the next decimal number by another word.
fn number(data: &mut Vec<u8>, from: usize, word: &str) {
    let Some(begin) = data[from..]
        .iter()
        .position(u8::is_ascii_digit)
        .map(|n| from + n)
    else {
        return;
    };
    let digits = data[begin..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    drop(data.splice(begin..begin + digits, word.bytes()));
}
