//! Call chains of the samples of block events (`perf record -g`).
//!
//! A chain is a list of addresses, the innermost one first. Between its parts stand marks, which
//! are small negative numbers: -128 before addresses of the kernel, -512 before those of a program,
//! and others for guests and hypervisors.

use super::{PerfContents, file, read_records, records};
use crate::cursor::Cursor;
use crate::tep::{KernelMapping, StackSink};

/// Marks begin here.
const MARKS: u64 = -4095_i64 as u64;
const KERNEL: u64 = -128_i64 as u64;
/// Addresses that are negative in 64 bits are the kernel's; a chain without marks has both.
const FIRST_OF_KERNEL: u64 = 1 << 63;
/// Bytes of a file in which its attributes are.
const MAX_HEAD: usize = 1 << 20;

/// Whether a file that begins like this has call chains.
pub fn may_have_stacks(head: &[u8]) -> bool {
    let head = &head[..head.len().min(MAX_HEAD)];
    let Some(mut contents) = file::read(head) else {
        return false;
    };
    // In a stream, the attributes are the first records.
    let mut found = records::PerfRecords::default();
    if !contents.attributes.have_chains() {
        records::read(
            head,
            contents.records.clone(),
            false,
            &mut contents,
            &mut found,
        );
    }
    contents.attributes.have_chains()
}

/// Gives the call chains of block events in the order of their times, and before them where the
/// kernel and its modules are.
pub fn read_stacks(data: &[u8], sink: &mut dyn StackSink) {
    if !may_have_stacks(data) {
        return;
    }
    let Some(mut contents) = file::read(data) else {
        return;
    };
    let PerfContents {
        found, unpacked, ..
    } = read_records(data, &mut contents);
    for mapping in &found.mappings {
        let name = String::from_utf8_lossy(&mapping.name);
        sink.mapping(&KernelMapping::new(
            &name,
            mapping.address..mapping.address.saturating_add(mapping.length),
            mapping.offset,
        ));
    }
    let mut addresses = Vec::new();
    for sample in &found.samples {
        let source: &[u8] = if sample.unpacked { &unpacked } else { data };
        let fields = source.get(sample.fields.clone()).unwrap_or_default();
        let event = contents.shapes.stacked(sample.time, fields, contents.big);
        let chain = source.get(sample.chain()).unwrap_or_default();
        kernel_part(chain, contents.big, &mut addresses);
        if let Some(event) = event.filter(|_| !addresses.is_empty()) {
            sink.stack(&event, &addresses);
        }
    }
}

/// The addresses of a chain that are the kernel's.
fn kernel_part(chain: &[u8], big: bool, addresses: &mut Vec<u64>) {
    addresses.clear();
    let mut words = Cursor::new(chain, 0, big);
    let mut mark = None;
    while let Some(word) = words.u64() {
        match (word, mark) {
            (MARKS.., _) => mark = Some(word),
            (_, Some(KERNEL)) | (FIRST_OF_KERNEL.., None) => addresses.push(word),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: u64 = -512_i64 as u64;
    const INNER: u64 = 0xffff_ffff_8163_b3fa;
    const OUTER: u64 = 0xffff_ffff_8100_8a0a;

    fn read(words: &[u64]) -> Vec<u64> {
        let mut addresses = vec![1];
        let chain: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        kernel_part(&chain, true, &mut addresses);
        addresses
    }

    #[test]
    fn addresses_of_programs_are_left_out() {
        let program = 0x55bf_97de_0000;
        assert_eq!(read(&[KERNEL, INNER, OUTER, USER, program]), [INNER, OUTER]);
        assert_eq!(read(&[USER, program, KERNEL, INNER]), [INNER]);
        assert_eq!(read(&[INNER, OUTER, program]), [INNER, OUTER]);
        // Addresses of a kernel of 32 bits are not negative.
        assert_eq!(read(&[KERNEL, 0xc012_3456]), [0xc012_3456]);
        assert!(read(&[KERNEL, -2176_i64 as u64, INNER]).is_empty());
        assert!(read(&[]).is_empty());
    }
}
