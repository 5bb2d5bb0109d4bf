//! Where the kernel and its modules are, by a perf.data: an address without a name is printed as
//! `ext4+0x18921`, which is the same after each start of this kernel.

use crate::symbols::Symbols;
use seekscope_formats::stacks::KernelMapping;

/// The kernel has a few hundred modules.
const MAX_MAPPINGS: usize = 1 << 11;

/// The mappings of all files.
#[derive(Clone, Debug, Default)]
pub struct Mappings {
    list: Vec<KernelMapping>,
}

/// The addresses in the symbols for those of stacks.
pub struct MovedKernel<'a> {
    mappings: &'a Mappings,
    /// Address of the kernel in the symbols less that in the stacks.
    distance: u64,
}

impl Mappings {
    pub fn add(&mut self, mapping: &KernelMapping) {
        if self.list.len() < MAX_MAPPINGS && !self.list.contains(mapping) {
            self.list.push(mapping.clone());
        }
    }

    /// The smallest mapping with an address: perf lets that of the kernel reach over the modules.
    fn find(&self, address: u64) -> Option<&KernelMapping> {
        let around = self
            .list
            .iter()
            .filter(|mapping| mapping.addresses.contains(&address));
        around.min_by_key(|mapping| mapping.addresses.end - mapping.addresses.start)
    }

    /// `[kernel]+0x63b3fa`, `ext4+0x18921`, or the address.
    pub fn label(&self, address: u64) -> String {
        match self.find(address) {
            Some(mapping) => {
                format!("{}+{:#x}", mapping.name, address - mapping.addresses.start)
            }
            None => format!("{address:#x}"),
        }
    }

    /// The kernel is at another address after each start of it, and so are its modules, each by
    /// itself: symbols of another start name the addresses of the kernel only.
    pub fn moved(&self, symbols: &Symbols) -> MovedKernel<'_> {
        // One look-up only: it goes through all symbols.
        let mut references = self
            .list
            .iter()
            .filter_map(|mapping| mapping.reference.as_ref());
        let distance = references
            .next()
            .and_then(|(name, address)| Some(symbols.address(name)?.wrapping_sub(*address)));
        MovedKernel {
            mappings: self,
            distance: distance.unwrap_or(0),
        }
    }
}

impl MovedKernel<'_> {
    /// The address that symbols have for one of a stack; `None` where it cannot be known.
    pub fn address(&self, address: u64) -> Option<u64> {
        let is_kernel = || {
            let found = self.mappings.find(address);
            found.is_some_and(|mapping| mapping.name == "[kernel]")
        };
        (self.distance == 0 || is_kernel()).then(|| address.wrapping_add(self.distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: u64 = 0xffff_ffff_8100_0000;
    const EXT4: u64 = 0xffff_ffff_c027_a000;

    fn mappings() -> Mappings {
        let mut mappings = Mappings::default();
        let kernel = "[kernel.kallsyms]_text";
        mappings.add(&KernelMapping::new(kernel, TEXT..u64::MAX, TEXT));
        mappings.add(&KernelMapping::new("/lib/ext4.ko", EXT4..EXT4 + 0x1000, 0));
        mappings
    }

    #[test]
    fn addresses_are_relative_to_their_module() {
        let mappings = mappings();
        assert_eq!(mappings.label(TEXT + 0x63_b3fa), "[kernel]+0x63b3fa");
        assert_eq!(mappings.label(EXT4 + 0xfff), "ext4+0xfff");
        assert_eq!(mappings.label(TEXT - 1), "0xffffffff80ffffff");
    }

    #[test]
    fn symbols_of_another_start_name_the_kernel_only() {
        let mut symbols = Symbols::default();
        for line in [
            "ffffffff91000000 T _text",
            "ffffffff91000100 t b",
            "ffffffffc027a000 t c\t[ext4]",
        ] {
            symbols.line(line);
        }
        symbols.sort();
        let mappings = mappings();
        let moved = mappings.moved(&symbols);
        let name = |address| {
            moved
                .address(address)
                .and_then(|address| symbols.name(address))
        };
        assert_eq!(name(TEXT + 0x120), Some("b"));
        assert_eq!(name(EXT4 + 0x20), None);
        let unmoved = Mappings::default();
        assert_eq!(unmoved.moved(&symbols).address(EXT4), Some(EXT4));
    }
}
