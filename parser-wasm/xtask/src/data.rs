//! Which functions of a module refer to which of its constant data, so that each part of the engine
//! can bring its own ([`crate::parts`]).
//!
//! The linker keeps its relocations (`--emit-relocs`): places in the code and in the data that hold
//! the address of a symbol, and the table of symbols with their addresses and sizes. The generator
//! of bindings renumbers functions, which makes relocations wrong, but keeps names. So [`annotate`]
//! combines the module of the linker with that of the bindings, in a custom section that
//! [`Symbol::read`] reads.
//!
//! The section is a list of numbers of 32 bits, little-endian, per symbol: address, size, 1 if its
//! data are constant or 0, the count of functions and their indices, the count of symbols that its
//! data point to and their indices in this list.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wasmparser::{
    DataKind, KnownCustom, Linking, Name, Operator, Parser, Payload, RelocationEntry,
    RelocationType, SymbolInfo,
};

/// Name of the custom section.
pub const SECTION: &str = "seekscope.data";
/// Segments of the linker with constant data have names that begin so.
const CONSTANT: &str = ".rodata";
/// A header of a run has six to eight bytes.
const MAX_GAP: usize = 8;
/// Digits of the hash of a crate.
const EXPORT_HASH_LENGTH: usize = 16;
/// Sections that the linker adds for `--emit-relocs`.
const RELOCATIONS: [&str; 3] = ["linking", "reloc.CODE", "reloc.DATA"];

/// Data of the linker, which may be smaller than a segment.
pub struct Symbol {
    /// Addresses in memory.
    pub range: Range<u32>,
    /// Whether nothing writes to it.
    pub is_constant: bool,
    /// Functions that refer to it: indices among those with a body.
    pub functions: Vec<u32>,
    /// Symbols to which it points: indices in the same list.
    pub pointers: Vec<u32>,
}

impl Symbol {
    /// Reads the section; an engine without one has no symbols.
    pub fn read(section: &[u8]) -> Option<Vec<Symbol>> {
        let mut numbers = section
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| u32::from_le_bytes(*bytes));
        let mut symbols = Vec::new();
        while let Some(start) = numbers.next() {
            let size = numbers.next()?;
            let is_constant = numbers.next()? != 0;
            let mut list = || -> Option<Vec<u32>> {
                let count = numbers.next()?;
                (0..count).map(|_| numbers.next()).collect()
            };
            symbols.push(Symbol {
                range: start..start + size,
                is_constant,
                functions: list()?,
                pointers: list()?,
            });
        }
        Some(symbols)
    }

    fn write(&self, section: &mut Vec<u8>) {
        let Range { start, end } = self.range;
        let mut add = |number: u32| section.extend(number.to_le_bytes());
        add(start);
        add(end - start);
        add(u32::from(self.is_constant));
        for list in [&self.functions, &self.pointers] {
            add(u32::try_from(list.len()).expect("indices have 32 bits"));
            list.iter().for_each(|&index| add(index));
        }
    }
}

/// Bytes of memory from an address on.
#[derive(Debug, PartialEq)]
pub struct Run {
    pub address: u32,
    pub bytes: Vec<u8>,
}

/// Divides constant data among parts. The first has what its functions can reach, by addresses in
/// their code or in what they reach, and all that nobody is known to refer to. A later part has
/// what its functions can reach and the first part does not have. Parts that are loaded in any
/// order may have the same bytes.
///
/// `part` has the number of the part of each function.
pub fn divide(segments: &[Run], symbols: &[Symbol], part: &[usize]) -> Vec<Vec<Run>> {
    let count = part.iter().copied().max().unwrap_or(0) + 1;
    let users = users(symbols, part);
    let mut parts: Vec<Vec<Run>> = (0..count).map(|_| Vec::new()).collect();
    for segment in segments {
        let mut owners: Vec<Parts> = vec![0; segment.bytes.len()];
        for (symbol, users) in symbols.iter().zip(&users) {
            let users = if symbol.is_constant { *users } else { FIRST };
            let start = symbol.range.start.checked_sub(segment.address);
            let bytes = start.and_then(|start| {
                owners.get_mut(start as usize..start as usize + symbol.range.len())
            });
            bytes
                .into_iter()
                .flatten()
                .for_each(|owner| *owner |= users);
        }
        for (owner, byte) in owners.iter_mut().zip(&segment.bytes) {
            // Zeros between symbols need not be written.
            if *owner & FIRST != 0 || (*owner == 0 && *byte != 0) {
                *owner = FIRST;
            }
        }
        for (number, runs) in parts.iter_mut().enumerate() {
            runs.extend(runs_of(segment, |index| owners[index] & 1 << number != 0));
        }
    }
    parts
}

/// Parts by their numbers, as bits.
type Parts = u8;
const FIRST: Parts = 1;

/// The parts whose functions reach each symbol.
fn users(symbols: &[Symbol], part: &[usize]) -> Vec<Parts> {
    let parts = |symbol: &Symbol| {
        let functions = symbol.functions.iter();
        functions.fold(0, |parts, &function| parts | 1 << part[function as usize])
    };
    let mut users: Vec<Parts> = symbols.iter().map(parts).collect();
    let mut changed: Vec<usize> = (0..symbols.len()).collect();
    while let Some(index) = changed.pop() {
        for &target in &symbols[index].pointers {
            let target = target as usize;
            if users[target] | users[index] != users[target] {
                users[target] |= users[index];
                changed.push(target);
            }
        }
    }
    users
}

/// The bytes of a segment of one part, as few runs: what lies between two is part of a run if it is
/// shorter than the header of another. There, a later part has the bytes of others, which are the
/// same in all parts.
fn runs_of(segment: &Run, is_here: impl Fn(usize) -> bool) -> Vec<Run> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for index in (0..segment.bytes.len()).filter(|&index| is_here(index)) {
        match ranges.last_mut() {
            Some(last) if index <= last.end + MAX_GAP => last.end = index + 1,
            _ => ranges.push(index..index + 1),
        }
    }
    let runs = ranges.into_iter().map(|range| Run {
        address: segment.address + u32::try_from(range.start).expect("a part of a module"),
        bytes: segment.bytes[range].to_vec(),
    });
    runs.collect()
}

/// The module of the bindings (`bound`, with mangled names) without names, but with the uses of
/// data that `linked` has relocations for.
pub fn annotate(linked: &[u8], bound: &[u8]) -> Result<Vec<u8>, String> {
    let linked = Linked::parse(linked).map_err(|error| format!("relocations: {error}"))?;
    let mut functions: HashMap<&str, Vec<u32>> = HashMap::new();
    let names = names(bound).map_err(|error| format!("names of functions: {error}"))?;
    for (index, name) in names {
        functions.entry(name).or_default().push(index);
    }
    let namesakes: HashSet<&str> = linked
        .names
        .iter()
        .map(|(_, name)| plain_name(name))
        .collect();
    let added = functions
        .iter()
        .filter(|(name, _)| !namesakes.contains(*name));
    let added: HashSet<u32> = added.flat_map(|(_, indices)| indices).copied().collect();
    if linked
        .has_address(bound, &added)
        .map_err(|error| error.to_string())?
    {
        return Err("a function that the linker does not have refers to data".into());
    }

    let mut section = Vec::new();
    for symbol in linked.symbols(&functions)? {
        symbol.write(&mut section);
    }
    let mut module = without(bound, &["name"]).map_err(|error| error.to_string())?;
    let mut custom = Vec::new();
    leb(&mut custom, SECTION.len());
    custom.extend(SECTION.as_bytes());
    custom.extend(section);
    module.push(0);
    leb(&mut module, custom.len());
    module.extend(custom);
    Ok(module)
}

/// The name without the hash that an exported function has behind it before the bindings are made.
fn plain_name(name: &str) -> &str {
    let split = name.rsplit_once('_').filter(|(_, hash)| {
        hash.len() == EXPORT_HASH_LENGTH && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    split.map_or(name, |(name, _)| name)
}

/// A module of the linker as it is without `--emit-relocs`. The generator of bindings would keep
/// relocations, and make them wrong.
pub fn without_relocations(linked: &[u8]) -> Result<Vec<u8>, String> {
    without(linked, &RELOCATIONS).map_err(|error| format!("cannot read a module: {error}"))
}

fn leb(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

type Parsed<T> = Result<T, wasmparser::BinaryReaderError>;

/// A module without some custom sections.
fn without(module: &[u8], dropped: &[&str]) -> Parsed<Vec<u8>> {
    let mut output = Vec::with_capacity(module.len());
    let mut copied = 0;
    let mut end = 0;
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        let start = end;
        if let Some((_, range)) = payload.as_section() {
            end = range.end;
        } else if let Payload::Version { range, .. } = &payload {
            end = range.end;
        }
        if let Payload::CustomSection(custom) = &payload
            && dropped.contains(&custom.name())
        {
            output.extend(&module[copied..start]);
            copied = end;
        }
    }
    output.extend(&module[copied..]);
    Ok(output)
}

/// Names of the functions of a module with their indices among those with a body.
fn names(module: &[u8]) -> Parsed<Vec<(u32, &str)>> {
    let mut imported = 0;
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let is_function = matches!(import?.ty, wasmparser::TypeRef::Func(_));
                    imported += u32::from(is_function);
                }
            }
            Payload::CustomSection(custom) => {
                let KnownCustom::Name(subsections) = custom.as_known() else {
                    continue;
                };
                for subsection in subsections {
                    let Name::Function(names) = subsection? else {
                        continue;
                    };
                    for naming in names {
                        let naming = naming?;
                        found.push((naming.index, naming.name));
                    }
                }
            }
            _ => {}
        }
    }
    let local = |(index, name): (u32, _)| Some((index.checked_sub(imported)?, name));
    Ok(found.into_iter().filter_map(local).collect())
}

/// What the linker says of a module.
#[derive(Default)]
struct Linked<'a> {
    /// Offset in the file of the contents of the code and of the data section, which relocations
    /// count from.
    code_start: usize,
    data_start: usize,
    /// Bodies of functions in the file, in order.
    bodies: Vec<Range<usize>>,
    segments: Vec<Segment<'a>>,
    /// Data symbols of the table by their index in it; others are `None`.
    symbols: Vec<Option<LinkedSymbol>>,
    code: Vec<RelocationEntry>,
    data: Vec<RelocationEntry>,
    names: Vec<(u32, &'a str)>,
}

struct Segment<'a> {
    address: Option<u32>,
    /// Place of its bytes in the file.
    bytes: Range<usize>,
    name: &'a str,
}

#[derive(Clone, Copy)]
struct LinkedSymbol {
    segment: u32,
    offset: u32,
    size: u32,
}

impl<'a> Linked<'a> {
    fn parse(module: &'a [u8]) -> Parsed<Linked<'a>> {
        let mut linked = Linked {
            names: names(module)?,
            ..Linked::default()
        };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::CodeSectionStart { range, .. } => linked.code_start = range.start,
                Payload::CodeSectionEntry(body) => linked.bodies.push(body.range()),
                Payload::DataSection(section) => {
                    linked.data_start = section.range().start;
                    for data in section {
                        let data = data?;
                        linked.segments.push(Segment {
                            address: address(&data.kind),
                            bytes: data.range.end - data.data.len()..data.range.end,
                            name: "",
                        });
                    }
                }
                Payload::CustomSection(custom) => linked.custom(&custom)?,
                _ => {}
            }
        }
        Ok(linked)
    }

    fn custom(&mut self, custom: &wasmparser::CustomSectionReader<'a>) -> Parsed<()> {
        match custom.as_known() {
            KnownCustom::Name(subsections) => {
                for subsection in subsections {
                    let Name::Data(names) = subsection? else {
                        continue;
                    };
                    for naming in names {
                        let naming = naming?;
                        if let Some(segment) = self.segments.get_mut(naming.index as usize) {
                            segment.name = naming.name;
                        }
                    }
                }
            }
            KnownCustom::Linking(linking) => {
                for subsection in linking.subsections() {
                    let Linking::SymbolTable(symbols) = subsection? else {
                        continue;
                    };
                    for symbol in symbols {
                        self.symbols.push(match symbol? {
                            SymbolInfo::Data { symbol, .. } => symbol.map(|symbol| LinkedSymbol {
                                segment: symbol.index,
                                offset: symbol.offset,
                                size: symbol.size,
                            }),
                            _ => None,
                        });
                    }
                }
            }
            KnownCustom::Reloc(relocations) => {
                let entries: Parsed<Vec<_>> = relocations.entries().into_iter().collect();
                match custom.name() {
                    "reloc.CODE" => self.code = entries?,
                    "reloc.DATA" => self.data = entries?,
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether one of the functions of another module holds a number that is an address of data.
    fn has_address(&self, module: &[u8], functions: &HashSet<u32>) -> Parsed<bool> {
        let is_address = |number: u64| {
            let mut segments = self.segments.iter();
            segments.any(|segment| {
                let start = u64::from(segment.address.unwrap_or(0));
                (start..start + segment.bytes.len() as u64).contains(&number)
            })
        };
        let mut index = 0;
        for payload in Parser::new(0).parse_all(module) {
            let Payload::CodeSectionEntry(body) = payload? else {
                continue;
            };
            if functions.contains(&index) {
                for operator in body.get_operators_reader()? {
                    let number = match operator? {
                        Operator::I32Const { value } => u64::from(value.cast_unsigned()),
                        Operator::I32Load { memarg } | Operator::I64Load { memarg } => {
                            memarg.offset
                        }
                        _ => continue,
                    };
                    if is_address(number) {
                        return Ok(true);
                    }
                }
            }
            index += 1;
        }
        Ok(false)
    }

    /// The data symbols with all that refers to them, in order of their addresses. `functions` has
    /// the indices of the functions of another module by name.
    fn symbols(&self, functions: &HashMap<&str, Vec<u32>>) -> Result<Vec<Symbol>, String> {
        if self.symbols.is_empty() || self.code.is_empty() {
            return Err("the linker kept no relocations".into());
        }
        // Symbols without bytes in the file, as those of variables that begin as zero, hold no
        // address and are not moved.
        let mut places: Vec<(Range<u32>, bool, usize)> = Vec::new();
        for (index, symbol) in self.symbols.iter().enumerate() {
            let Some(symbol) = symbol else { continue };
            let Some(segment) = self.segments.get(symbol.segment as usize) else {
                continue;
            };
            let Some(address) = segment.address else {
                continue;
            };
            let start = address + symbol.offset;
            let is_constant = segment.name.starts_with(CONSTANT);
            places.push((start..start + symbol.size, is_constant, index));
        }
        places.sort_by_key(|(range, ..)| (range.start, range.end));
        let indices: HashMap<usize, usize> = places
            .iter()
            .enumerate()
            .map(|(position, &(.., index))| (index, position))
            .collect();
        let mut symbols: Vec<Symbol> = places
            .into_iter()
            .map(|(range, is_constant, _)| Symbol {
                range,
                is_constant,
                functions: Vec::new(),
                pointers: Vec::new(),
            })
            .collect();
        self.add_functions(&mut symbols, &indices, functions);
        self.add_pointers(&mut symbols, &indices);
        for symbol in &mut symbols {
            for list in [&mut symbol.functions, &mut symbol.pointers] {
                list.sort_unstable();
                list.dedup();
            }
        }
        Ok(symbols)
    }

    fn add_functions(
        &self,
        symbols: &mut [Symbol],
        indices: &HashMap<usize, usize>,
        functions: &HashMap<&str, Vec<u32>>,
    ) {
        let names: HashMap<u32, &str> = self.names.iter().copied().collect();
        for entry in self.code.iter().filter(|entry| holds_address(entry)) {
            let place = self.code_start + entry.offset as usize;
            let body = self.bodies.partition_point(|body| body.end <= place);
            let name = u32::try_from(body).ok().and_then(|body| names.get(&body));
            // A function without a namesake was removed: it described types to the generator.
            let users = name.and_then(|name| {
                functions
                    .get(name)
                    .or_else(|| functions.get(plain_name(name)))
            });
            if let (Some(&symbol), Some(users)) = (indices.get(&(entry.index as usize)), users) {
                symbols[symbol].functions.extend(users);
            }
        }
    }

    /// What data point to. Symbols may overlap: all that contain the place point there.
    fn add_pointers(&self, symbols: &mut [Symbol], indices: &HashMap<usize, usize>) {
        let longest = symbols.iter().map(|symbol| symbol.range.len()).max();
        let longest = u32::try_from(longest.unwrap_or(0)).unwrap_or(u32::MAX);
        for entry in self.data.iter().filter(|entry| holds_address(entry)) {
            let Some(&target) = indices.get(&(entry.index as usize)) else {
                continue;
            };
            let place = self.data_start + entry.offset as usize;
            let segment = self
                .segments
                .iter()
                .find(|segment| segment.bytes.contains(&place));
            let address = segment.and_then(|segment| {
                let offset = u32::try_from(place - segment.bytes.start).ok()?;
                Some(segment.address? + offset)
            });
            let Some(address) = address else { continue };
            let first = symbols.partition_point(|symbol| symbol.range.start + longest <= address);
            for symbol in &mut symbols[first..] {
                if symbol.range.start > address {
                    break;
                }
                if symbol.range.contains(&address) {
                    let target = u32::try_from(target).expect("indices have 32 bits");
                    symbol.pointers.push(target);
                }
            }
        }
    }
}

/// Whether a relocation is of the address of a symbol of data.
fn holds_address(entry: &RelocationEntry) -> bool {
    use RelocationType as Type;
    matches!(
        entry.ty,
        Type::MemoryAddrLeb | Type::MemoryAddrSleb | Type::MemoryAddrI32
    )
}

/// The address at which a segment begins, if it is constant.
fn address(kind: &DataKind<'_>) -> Option<u32> {
    let DataKind::Active { offset_expr, .. } = kind else {
        return None;
    };
    match offset_expr.get_operators_reader().read() {
        Ok(Operator::I32Const { value }) => Some(value.cast_unsigned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u32 = 1 << 20;

    fn symbol(range: Range<u32>, functions: &[u32], pointers: &[u32]) -> Symbol {
        Symbol {
            range: BASE + range.start..BASE + range.end,
            is_constant: true,
            functions: functions.to_vec(),
            pointers: pointers.to_vec(),
        }
    }

    fn run(start: u32, bytes: &[u8]) -> Run {
        Run {
            address: BASE + start,
            bytes: bytes.to_vec(),
        }
    }

    /// Three functions, in a part each.
    const PARTS: [usize; 3] = [0, 1, 2];

    #[test]
    fn data_are_in_the_part_that_uses_them() {
        let bytes: Vec<u8> = (1..=60).collect();
        let segments = [run(0, &bytes)];
        let symbols = [
            symbol(0..20, &[0], &[]),
            symbol(20..40, &[1], &[]),
            symbol(40..60, &[2, 1], &[]),
        ];
        assert_eq!(
            divide(&segments, &symbols, &PARTS),
            [
                vec![run(0, &bytes[..20])],
                vec![run(20, &bytes[20..])],
                vec![run(40, &bytes[40..])],
            ]
        );
    }

    #[test]
    fn what_the_first_part_reaches_by_pointers_stays_there() {
        let bytes = [7; 60];
        let symbols = [
            symbol(0..20, &[0], &[1]),
            symbol(20..40, &[1], &[2]),
            symbol(40..60, &[2], &[]),
        ];
        let parts = divide(&[run(0, &bytes)], &symbols, &PARTS);
        assert_eq!(parts, [vec![run(0, &bytes)], vec![], vec![]]);
    }

    #[test]
    fn variables_and_what_has_no_symbol_stay_in_the_first_part() {
        let bytes = [7; 60];
        let mut variable = symbol(0..20, &[1], &[]);
        variable.is_constant = false;
        let symbols = [variable, symbol(40..60, &[1], &[])];
        let parts = divide(&[run(0, &bytes)], &symbols, &PARTS);
        assert_eq!(
            parts,
            [
                vec![run(0, &bytes[..40])],
                vec![run(40, &bytes[40..])],
                vec![]
            ]
        );
    }

    #[test]
    fn zeros_between_symbols_are_not_written() {
        let mut bytes = [7; 60];
        bytes[20..40].fill(0);
        let symbols = [symbol(0..20, &[0], &[]), symbol(40..60, &[0], &[])];
        let parts = divide(&[run(0, &bytes)], &symbols, &PARTS);
        assert_eq!(parts[0], [run(0, &[7; 20]), run(40, &[7; 20])]);
    }

    #[test]
    fn symbols_are_read_as_they_were_written() {
        let mut section = Vec::new();
        symbol(3..9, &[4, 5], &[1]).write(&mut section);
        symbol(9..12, &[], &[]).write(&mut section);
        let read = Symbol::read(&section).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].range, BASE + 3..BASE + 9);
        assert_eq!(
            (&read[0].functions[..], &read[0].pointers[..]),
            (&[4, 5][..], &[1][..])
        );
        assert!(read[1].functions.is_empty() && read[1].is_constant);
        assert!(Symbol::read(&section[..section.len() - 4]).is_none());
    }
}
