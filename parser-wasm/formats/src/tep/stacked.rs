//! What a reader of call stacks gets: events with the addresses of their stacks, and where those
//! are.

use seekscope_trace::event::{Action, DeviceNumber};
use std::ops::Range;

/// A block event that has a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackedEvent {
    /// Time on the clock of the trace, ns.
    pub time: u64,
    pub action: Action,
    pub device: DeviceNumber,
    pub sector: u64,
    pub sectors: u64,
}

/// Where the kernel or one of its modules is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelMapping {
    /// `[kernel]`, or the name of the module.
    pub name: String,
    pub addresses: Range<u64>,
    /// The symbol of the kernel that is at an address: it says whether symbols are of this boot.
    pub reference: Option<(String, u64)>,
}

impl KernelMapping {
    /// By the name in perf.data: `[kernel.kallsyms]_text` with the address of `_text` as its offset,
    /// `/lib/modules/6.12.0/kernel/fs/ext4/ext4.ko.xz`, or `[ext4]`.
    pub fn new(name: &str, addresses: Range<u64>, offset: u64) -> KernelMapping {
        let (bracket, behind) = name.split_once(']').unwrap_or((name, ""));
        if bracket.starts_with("[kernel.") || bracket.starts_with("[guest.kernel.") {
            let reference = (!behind.is_empty()).then(|| (behind.to_owned(), offset));
            return KernelMapping {
                name: "[kernel]".to_owned(),
                addresses,
                reference,
            };
        }
        let file = name.rsplit('/').next().unwrap_or(name);
        let module = file.trim_start_matches('[');
        let end = module.find(['.', ']']).unwrap_or(module.len());
        KernelMapping {
            // Names of modules have `_`, those of their files may have `-`.
            name: module[..end].replace('-', "_"),
            addresses,
            reference: None,
        }
    }
}

/// Takes the stacks of a trace.
pub trait StackSink {
    /// The symbols of the kernel, as `/proc/kallsyms` lists them.
    fn symbols(&mut self, text: &[u8]);
    fn mapping(&mut self, mapping: &KernelMapping);
    /// The addresses of a stack, the innermost one first; they are the kernel's.
    fn stack(&mut self, event: &StackedEvent, addresses: &[u64]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_have_the_names_of_modules() {
        let mapping = |name| KernelMapping::new(name, 1..9, 4);
        let kernel = mapping("[kernel.kallsyms]_text");
        assert_eq!(kernel.name, "[kernel]");
        assert_eq!(kernel.reference, Some(("_text".to_owned(), 4)));
        assert_eq!(mapping("[kernel.kallsyms]").reference, None);
        for (name, module) in [
            ("/lib/modules/6.12/kernel/fs/ext4/ext4.ko.xz", "ext4"),
            ("/lib/modules/6.12/kernel/crc32c-intel.ko", "crc32c_intel"),
            ("[virtio_blk]", "virtio_blk"),
            ("", ""),
        ] {
            assert_eq!(mapping(name).name, module);
        }
    }
}
