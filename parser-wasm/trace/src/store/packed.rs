//! Rows of 32-bit words on their way to another worker: a block is one string of bytes,
//! little-endian.

use super::blocks::Blocks;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A row that consists of 32-bit words.
pub(super) trait PackedRow: Copy {
    /// Number of bytes of a row.
    const BYTES: usize;

    /// Writes a row into as many bytes.
    fn write(&self, bytes: &mut [u8]);

    /// Reads a row from as many bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// Writes the words of a row.
#[inline]
pub(super) fn write_words<const N: usize>(words: &[u32; N], bytes: &mut [u8]) {
    bytes
        .chunks_exact_mut(4)
        .zip(words)
        .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
}

/// Reads the words of a row.
#[inline]
pub(super) fn read_words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut words = [0; N];
    words
        .iter_mut()
        .zip(bytes.chunks_exact(4))
        .for_each(|(word, b)| *word = u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    words
}

struct PackedBlock<'a, T>(&'a [T]);

// Calls of bounded length, as in `rows`.
#[inline(never)]
fn bytes_of<T: PackedRow>(rows: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; rows.len() * T::BYTES];
    bytes
        .chunks_exact_mut(T::BYTES)
        .zip(rows)
        .for_each(|(bytes, row)| row.write(bytes));
    bytes
}

#[inline(never)]
fn rows_of<T: PackedRow>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::BYTES).map(T::read).collect()
}

impl<T: PackedRow> Serialize for PackedBlock<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&bytes_of(self.0))
    }
}

impl<T: PackedRow> Serialize for Blocks<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.blocks().map(PackedBlock))
    }
}

impl<'de, T: PackedRow> Deserialize<'de> for Blocks<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Blocks<T>, D::Error> {
        struct All<T>(PhantomData<T>);
        impl<'de, T: PackedRow> Visitor<'de> for All<T> {
            type Value = Blocks<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("blocks of rows")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Blocks<T>, A::Error> {
                let mut rows = Blocks::default();
                while let Some(bytes) = seq.next_element::<&[u8]>()? {
                    rows.push_block(rows_of(bytes));
                }
                Ok(rows)
            }
        }
        deserializer.deserialize_seq(All(PhantomData))
    }
}
