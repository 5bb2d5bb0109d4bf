//! An adaptive arithmetic coder. Each bit is predicted in several contexts; the predictions are
//! mixed by weights that learn how good each one is (logistic mixing, as in PAQ). Integers only, so
//! that every machine predicts the same.
//!
//! Writer and reader run the same model over the same bits, and nothing else keeps them together.
//! So the order of all updates in `BitModel::bit` is part of the format: the prediction may use
//! only bits that the reader has already decoded, and both learn after the bit. The first wrong
//! prediction makes every later bit noise, and this layer does not notice it.
//!
//! Frozen for version 1: with any other constant the reader would split its interval elsewhere than
//! the writer did, and every bit after that is wrong. Changes need a new version byte (`pack.rs`)
//! and both models. The cost is one access to memory per context and bit; see the note in
//! `BitModel::bit`.

/// Number of contexts in which each bit is predicted.
pub const CONTEXTS: usize = 6;
/// Counters; a hash of context and bit selects one. Collisions only cost precision.
const SLOTS: usize = 1 << 20;
/// Number of weight sets of the mixer.
const SETS: usize = 256;
/// Scale of probabilities: this is 1.
const ONE: u32 = 1 << 16;
/// Scale of logits: steps per unit.
const LOGIT: i32 = 256;
/// Limit for logits, in both directions.
const MAX_LOGIT: i32 = 2047;
/// Logits from the lowest to the largest.
const SQUASHED: usize = 2 * MAX_LOGIT as usize + 1;
/// Probabilities of which the logit is known.
const STRETCHED: usize = 1 << 12;
/// Scale of weights: this is 1.
const WEIGHT: i32 = 1 << 16;

/// One direction of the coder: writes, reads or only learns bits.
pub trait BitCoder {
    /// Writes `bit` or reads it; its probability of being 1 is `p` / [`ONE`]. Returns the bit.
    fn bit(&mut self, p: u32, bit: bool) -> bool;
    /// Whether bits are read; then the `bit` parameter is ignored.
    const READS: bool;
}

/// Writes bits as a number in an interval that each bit narrows.
#[derive(Debug)]
pub struct BitEncoder {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl Default for BitEncoder {
    fn default() -> BitEncoder {
        BitEncoder {
            low: 0,
            high: u32::MAX,
            bytes: Vec::new(),
        }
    }
}

impl BitEncoder {
    /// All bytes, without zeros at the end: a reader reads zeros after the last byte.
    pub fn finish(mut self) -> Vec<u8> {
        if self.low > 0 {
            // The number between low and high with the most zero bytes at the end.
            let shift = (0..32).step_by(8).rev().find(|&s| {
                self.low
                    .checked_next_multiple_of(1 << s)
                    .is_some_and(|v| v <= self.high)
            });
            let value = self.low.next_multiple_of(1 << shift.unwrap_or(0));
            self.bytes.extend_from_slice(&value.to_be_bytes());
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

/// The last number of the lower part of `low..=high`, which has the share `p`.
#[inline]
fn split(low: u32, high: u32, p: u32) -> u32 {
    low + ((u64::from(high - low) * u64::from(p)) >> 16) as u32
}

impl BitCoder for BitEncoder {
    const READS: bool = false;

    fn bit(&mut self, p: u32, bit: bool) -> bool {
        let middle = split(self.low, self.high, p);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while self.low >> 24 == self.high >> 24 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        bit
    }
}

/// Reads the bits that a [`BitEncoder`] wrote.
#[derive(Debug)]
pub struct BitDecoder<'a> {
    low: u32,
    high: u32,
    value: u32,
    bytes: &'a [u8],
    position: usize,
}

impl<'a> BitDecoder<'a> {
    /// A decoder at the first bit.
    pub fn new(bytes: &'a [u8]) -> BitDecoder<'a> {
        let mut reader = BitDecoder {
            low: 0,
            high: u32::MAX,
            value: 0,
            bytes,
            position: 0,
        };
        for _ in 0..4 {
            reader.value = reader.value << 8 | reader.next();
        }
        reader
    }

    fn next(&mut self) -> u32 {
        let byte = self.bytes.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        u32::from(byte)
    }

    /// Whether more was read than the zeros that a writer drops: the bytes are truncated or
    /// damaged.
    pub fn is_behind(&self) -> bool {
        self.position > self.bytes.len() + 8
    }
}

impl BitCoder for BitDecoder<'_> {
    const READS: bool = true;

    fn bit(&mut self, p: u32, _: bool) -> bool {
        let middle = split(self.low, self.high, p);
        let bit = self.value <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while self.low >> 24 == self.high >> 24 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.value = self.value << 8 | self.next();
        }
        bit
    }
}

/// Codes nothing: only lets the model learn.
#[derive(Debug)]
pub struct BitLearner;

impl BitCoder for BitLearner {
    const READS: bool = false;

    fn bit(&mut self, _: u32, bit: bool) -> bool {
        bit
    }
}

/// The statistics of a bit in one context.
#[derive(Clone, Copy, Debug)]
struct BitCounter {
    /// Probability of a 1, times [`ONE`].
    p: u16,
    /// Number of bits seen, at most [`LIMIT`].
    n: u16,
}

/// Predicts each bit and learns from it.
#[derive(Clone, Debug)]
pub struct BitModel {
    slots: Vec<BitCounter>,
    weights: Vec<[i32; CONTEXTS]>,
    stretch: Vec<i16>,
    squash: Vec<u16>,
}

impl Default for BitModel {
    fn default() -> BitModel {
        let squash = squash();
        BitModel {
            slots: vec![
                BitCounter {
                    p: (ONE / 2) as u16,
                    n: 0
                };
                SLOTS
            ],
            weights: vec![[WEIGHT * 2 / 5; CONTEXTS]; SETS],
            stretch: stretch(&squash),
            squash,
        }
    }
}

/// 65536 / (1 + e^-x) for x of -2047..2047 256ths. Computed by multiplications only: `exp` differs
/// between machines in its last bit.
fn squash() -> Vec<u16> {
    // e^(1/256)
    const STEP: f64 = 1.003_913_889_338_347_6;
    let mut power = 1.0;
    let above: Vec<f64> = (0..=MAX_LOGIT)
        .map(|_| {
            let p = power / (1.0 + power);
            power *= STEP;
            p
        })
        .collect();
    let p = |x: i32| {
        if x < 0 {
            1.0 - above[(-x) as usize]
        } else {
            above[x as usize]
        }
    };
    (-MAX_LOGIT..=MAX_LOGIT)
        .map(|x| (p(x) * 65_536.0).clamp(16.0, 65_520.0) as u16)
        .collect()
}

/// The inverse of [`squash`], in steps of 1/4096.
fn stretch(squash: &[u16]) -> Vec<i16> {
    (0..STRETCHED as u32)
        .map(|p| {
            (squash.partition_point(|&s| u32::from(s) < p * 16 + 8) as i32 - MAX_LOGIT)
                .clamp(-MAX_LOGIT, MAX_LOGIT) as i16
        })
        .collect()
}

/// Mixes a number into a hash.
#[inline]
pub fn hash(a: u32, b: u32) -> u32 {
    let h = (a ^ b.wrapping_mul(0x9e37_79b1)).wrapping_mul(0x85eb_ca6b);
    (h ^ h >> 15).wrapping_add(b)
}

impl BitModel {
    /// Codes a bit in its contexts; `set` selects the weights.
    pub fn bit(
        &mut self,
        side: &mut impl BitCoder,
        contexts: [u32; CONTEXTS],
        set: usize,
        bit: bool,
    ) -> bool {
        let places: [usize; CONTEXTS] = std::array::from_fn(|i| {
            (contexts[i].wrapping_mul(0xc2b2_ae35) ^ contexts[i] >> 13) as usize & (SLOTS - 1)
        });
        // The compiler knows these lengths, so masked indices need no check.
        let (slots, stretch, squash) = (
            &mut self.slots[..SLOTS],
            &self.stretch[..STRETCHED],
            &self.squash[..SQUASHED],
        );
        let mut logits = [0i32; CONTEXTS];
        let weights = &mut self.weights[..SETS][set & (SETS - 1)];
        let mut dot = 0i64;
        // All counters are read at once and without branches, so that the memory, which is most of
        // the time, is waited for once.
        let counters = places.map(|place| slots[place]);
        for i in 0..CONTEXTS {
            // A context without any bit yet has no influence.
            logits[i] =
                i32::from(stretch[usize::from(counters[i].p >> 4)]) * i32::from(counters[i].n != 0);
            dot += i64::from(logits[i]) * i64::from(weights[i]);
        }
        let x = (dot >> 16).clamp(-i64::from(MAX_LOGIT), i64::from(MAX_LOGIT)) as i32;
        let p = u32::from(squash[(x + MAX_LOGIT) as usize]);
        let bit = side.bit(p, bit);
        let error = (if bit { ONE as i32 } else { 0 }) - p as i32;
        for i in 0..CONTEXTS {
            weights[i] = (weights[i] + ((logits[i] * error) >> 14)).clamp(-8 * WEIGHT, 8 * WEIGHT);
            let slot = &mut slots[places[i]];
            let target = if bit { ONE as i32 - 1 } else { 0 };
            slot.p = (i32::from(slot.p) + share(target - i32::from(slot.p), slot.n)) as u16;
            slot.n = (slot.n + 1).min(LIMIT);
        }
        bit
    }
}

/// Limit of the bits seen: from then on recent bits count more than old ones.
const LIMIT: u16 = 60;

/// 2^24 / (2 n + 3), rounded up, for n of 0 to 63: each bit would otherwise take six divisions.
const SHARES: [u64; 64] = {
    let mut shares = [0; 64];
    let mut n = 0;
    while n < 64 {
        shares[n] = (1u64 << 24).div_ceil(2 * n as u64 + 3);
        n += 1;
    }
    shares
};

/// `2 x / (2 n + 3)`, towards 0, as a multiplication: exact for |x| <= 2^16 and n <= [`LIMIT`].
#[inline]
fn share(x: i32, n: u16) -> i32 {
    let whole = (u64::from(x.unsigned_abs()) * 2 * SHARES[usize::from(n & 63)]) >> 24;
    if x < 0 { -(whole as i32) } else { whole as i32 }
}

const _: () = assert!(LOGIT == 256);

#[cfg(test)]
mod tests {
    use super::*;

    /// A bit that mostly repeats every third, and noise.
    fn bits() -> Vec<bool> {
        let mut x = 1u32;
        (0..20_000u32)
            .map(|i| {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if x >> 28 == 0 {
                    x >> 27 & 1 == 1
                } else {
                    i % 3 == 0
                }
            })
            .collect()
    }

    fn contexts(i: usize) -> [u32; CONTEXTS] {
        [0, hash(1, i as u32 % 3), hash(2, i as u32 % 7), 3, 4, 5]
    }

    #[test]
    fn what_is_written_is_read() {
        let bits = bits();
        let (mut writer, mut model) = (BitEncoder::default(), BitModel::default());
        for (i, &bit) in bits.iter().enumerate() {
            model.bit(&mut writer, contexts(i), 0, bit);
        }
        let bytes = writer.finish();
        assert!(bytes.len() < 20_000 / 8 / 3, "{}", bytes.len());
        let (mut reader, mut model) = (BitDecoder::new(&bytes), BitModel::default());
        for (i, &bit) in bits.iter().enumerate() {
            assert_eq!(model.bit(&mut reader, contexts(i), 0, false), bit, "{i}");
        }
        assert!(!reader.is_behind());
    }

    #[test]
    fn every_short_row_of_bits_comes_back() {
        for n in 0..7 {
            for pattern in 0..1u32 << n {
                let (mut writer, mut model) = (BitEncoder::default(), BitModel::default());
                for i in 0..n {
                    model.bit(&mut writer, contexts(i), 0, pattern >> i & 1 == 1);
                }
                let bytes = writer.finish();
                let (mut reader, mut model) = (BitDecoder::new(&bytes), BitModel::default());
                for i in 0..n {
                    assert_eq!(
                        model.bit(&mut reader, contexts(i), 0, false),
                        pattern >> i & 1 == 1
                    );
                }
            }
        }
    }

    #[test]
    fn shares_are_those_of_a_division() {
        for n in 0..=LIMIT {
            for x in -(ONE as i32)..=ONE as i32 {
                assert_eq!(share(x, n), x * 2 / (2 * i32::from(n) + 3), "{x} {n}");
            }
        }
    }

    #[test]
    fn logits_and_probabilities_are_inverse() {
        let model = BitModel::default();
        assert!(model.squash.is_sorted() && model.stretch.is_sorted());
        for p in (64..4032u16).step_by(7) {
            let back =
                model.squash[(i32::from(model.stretch[usize::from(p)]) + MAX_LOGIT) as usize] >> 4;
            assert!(back.abs_diff(p) <= 4, "{p} {back}");
        }
    }
}
