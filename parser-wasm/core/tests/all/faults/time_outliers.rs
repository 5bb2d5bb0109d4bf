//! An event whose time cannot be costs itself, and nothing else.

use crate::common::{File, digest, read, recording, recordings, records};
use seekscope_core::store::Store;

/// Offset of the time in a header.
const TIME: usize = 8;

/// A part of one CPU's records, all little-endian and of version 7.
fn part() -> Vec<Vec<u8>> {
    let file = recording("requeue").remove(0).1;
    // Only events, without notes.
    records(&file)
        .into_iter()
        .filter(|record| record[31] & 4 == 0)
        .take(300)
        .map(<[u8]>::to_vec)
        .collect()
}

fn time(record: &[u8]) -> u64 {
    u64::from_le_bytes(record[TIME..TIME + 8].try_into().expect("8 bytes"))
}

fn flip(record: &mut [u8], bit: usize) {
    record[TIME + bit / 8] ^= 1 << (bit % 8);
}

fn one_file(records: &[Vec<u8>], piece: usize) -> Store {
    read(&[("sda.blktrace.0".to_owned(), records.concat())], piece)
}

fn codes(store: &Store) -> Vec<&str> {
    store
        .quality
        .warnings
        .iter()
        .map(|w| w.code.as_str())
        .collect()
}

/// Whatever bit: as if the record had not been there. Near its neighbours, the time may be true.
#[test]
fn a_flipped_bit_costs_one_record() {
    let whole = part();
    let mut tried = 0;
    for index in [1, 2, 77, 150, 151, 298] {
        let mut without = whole.clone();
        without.remove(index);
        let expected = one_file(&without, 1 << 20);
        for bit in 0..64 {
            let mut damaged = whole.clone();
            flip(&mut damaged[index], bit);
            let (before, time_here, after) = (
                time(&whole[index - 1]),
                time(&damaged[index]),
                time(&whole[index + 1]),
            );
            if time_here <= after + 1_000_000 && time_here + 1_000_000 >= before {
                continue;
            }
            tried += 1;
            for piece in [1, 61, 1 << 20] {
                let store = one_file(&damaged, piece);
                let what = format!(
                    "record {index}, bit {bit}, pieces of {piece}: {:?}",
                    store.quality.warnings
                );
                assert!(digest(&store) == digest(&expected), "{what}");
                assert_eq!(
                    codes(&store)
                        .iter()
                        .filter(|&&code| code == "time-outliers")
                        .count(),
                    1,
                    "{what}"
                );
                assert!(!codes(&store).contains(&"clock-steps"), "{what}");
            }
        }
    }
    assert!(tried > 150, "{tried}");
}

#[test]
fn the_first_record_and_the_last_have_one_neighbour() {
    let whole = part();
    for (index, bit) in [(0, 45), (0, 62), (299, 55), (299, 63)] {
        let mut damaged = whole.clone();
        flip(&mut damaged[index], bit);
        if time(&damaged[index]) < time(&whole[index]) {
            continue;
        }
        let mut without = whole.clone();
        without.remove(index);
        for piece in [1, 1 << 20] {
            let store = one_file(&damaged, piece);
            assert!(
                digest(&store) == digest(&one_file(&without, 1 << 20)),
                "record {index}: {:?}",
                store.quality.warnings
            );
            assert!(codes(&store).contains(&"time-outliers"), "record {index}");
        }
    }
}

/// A clock that continues from its new time is not damaged.
#[test]
fn a_jump_that_lasts_is_none() {
    let mut jumped = part();
    for record in &mut jumped[100..] {
        let later = time(record) + 3_000_000_000;
        record[TIME..TIME + 8].copy_from_slice(&later.to_le_bytes());
    }
    let store = one_file(&jumped, 1 << 20);
    assert_eq!(codes(&store), codes(&one_file(&part(), 1 << 20)));
}

#[test]
fn no_recording_has_one() {
    for name in recordings() {
        let files: Vec<File> = recording(&name);
        if !files.is_empty() {
            let store = read(&files, 1 << 20);
            assert!(
                !codes(&store).contains(&"time-outliers"),
                "{name}: {:?}",
                store.quality.warnings
            );
        }
    }
}

/// `blktrace -o -` writes the buffers of the CPUs and devices one after another: one that has a
/// single event, recorded before the others, is no damage.
#[test]
fn buffers_of_two_devices_after_another_have_none() {
    let whole = part();
    let mut stream = whole.clone();
    // These records are of the same CPU, 5 ms before the events around them.
    for index in [50, 100, 200] {
        let mut other = whole[index].clone();
        let early = time(&whole[index]) - 5_000_000;
        other[TIME..TIME + 8].copy_from_slice(&early.to_le_bytes());
        other[36] ^= 16;
        stream.insert(index + 1, other);
    }
    for piece in [61, 1 << 20] {
        let store = one_file(&stream, piece);
        assert!(
            !codes(&store).contains(&"time-outliers"),
            "{:?}",
            store.quality.warnings
        );
    }
}
