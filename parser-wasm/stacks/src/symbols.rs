//! The addresses of the kernel's functions: `/proc/kallsyms`.
//!
//! ```text
//! ffffffff81000000 T _stext
//! ffffffffc0292921 t ext4_init_inode_table    [ext4]
//! ```

/// Functions that are kept. A kernel with modules has about 150,000.
const MAX_SYMBOLS: usize = 1 << 19;
/// Bytes of all names.
const MAX_BYTES: usize = 32 << 20;
/// Bytes of a line.
const MAX_LINE: usize = 1 << 10;
/// Lines by which the file is recognised.
const HEAD_LINES: usize = 4;

/// Functions by address.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// Address, and begin and length of the name in `names`; in order once all are there.
    list: Vec<(u64, u32, u32)>,
    names: String,
    is_sorted: bool,
    /// Whether the recording itself has some: they are of its kernel.
    pub are_recorded: bool,
    pub left_out: u64,
}

/// Whether a file begins as kallsyms does.
pub fn is_kallsyms(head: &[u8]) -> bool {
    let head = &head[..head.len().min(1 << 10)];
    let Ok(text) = std::str::from_utf8(head) else {
        return false;
    };
    let mut lines = text.lines().take(HEAD_LINES);
    text.lines().count() > HEAD_LINES && lines.all(|line| parse(line).is_some())
}

/// Address, type and name.
pub fn parse(line: &str) -> Option<(u64, u8, &str)> {
    let (address, rest) = line.split_at_checked(16).or_else(|| line.split_once(' '))?;
    let mut words = rest.split_ascii_whitespace();
    let (kind, name) = (words.next()?, words.next()?);
    let is_kind = kind.len() == 1 && kind.as_bytes()[0].is_ascii_alphabetic();
    let is_number = address.bytes().all(|b| b.is_ascii_hexdigit());
    (is_kind && is_number).then_some(())?;
    Some((
        u64::from_str_radix(address, 16).ok()?,
        kind.as_bytes()[0],
        name,
    ))
}

impl Symbols {
    /// Adds a line. Only functions are kept; addresses are zero for who may not see them.
    pub fn line(&mut self, line: &str) {
        let Some((address, kind, name)) = parse(line) else {
            return;
        };
        if address == 0 || !matches!(kind, b't' | b'T' | b'w' | b'W') {
            return;
        }
        if self.list.len() >= MAX_SYMBOLS || self.names.len() + name.len() > MAX_BYTES {
            self.left_out += 1;
            return;
        }
        let begin = self.names.len() as u32;
        self.names.push_str(name);
        self.list.push((address, begin, name.len() as u32));
        self.is_sorted = false;
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn sort(&mut self) {
        if !self.is_sorted {
            self.list
                .sort_unstable_by_key(|&(address, begin, _)| (address, begin));
            self.is_sorted = true;
        }
    }

    /// Adds a text of several lines.
    pub fn text(&mut self, text: &[u8]) {
        for line in text.split(|&byte| byte == b'\n') {
            self.line(&String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)]));
        }
    }

    /// The function that an address is in: the last one that begins before it, and the first one of
    /// several that begin there, as ftrace prints it.
    pub fn name(&self, address: u64) -> Option<&str> {
        let after = self.list.partition_point(|symbol| symbol.0 <= address);
        let begin = self.list.get(after.checked_sub(1)?)?.0;
        let first = self.list.partition_point(|symbol| symbol.0 < begin);
        self.list.get(first).and_then(|symbol| self.name_of(symbol))
    }

    /// Where a function begins.
    pub fn address(&self, name: &str) -> Option<u64> {
        let mut found = self
            .list
            .iter()
            .filter(|symbol| self.name_of(symbol) == Some(name));
        found.next().map(|symbol| symbol.0)
    }

    fn name_of(&self, &(_, begin, length): &(u64, u32, u32)) -> Option<&str> {
        self.names.get(begin as usize..(begin + length) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0000000000000000 A fixed\nffffffff81000000 T _stext\n\
        ffffffff81000100 t b\nffffffff81000200 D data\nffffffffc0000000 t c\t[ext4]\n";

    #[test]
    fn an_address_has_the_function_before_it() {
        assert!(is_kallsyms(TEXT.as_bytes()));
        let mut symbols = Symbols::default();
        TEXT.lines().rev().for_each(|line| symbols.line(line));
        symbols.sort();
        assert_eq!(symbols.name(0xffff_ffff_8100_00ff), Some("_stext"));
        assert_eq!(symbols.name(0xffff_ffff_8100_0100), Some("b"));
        assert_eq!(symbols.name(0xffff_ffff_c000_0010), Some("c"));
        assert_eq!(symbols.name(16), None);
    }

    #[test]
    fn other_texts_are_none() {
        for text in [
            "",
            "a b\n",
            "ffffffff81000000 T\n\n\n\n\n\n",
            "\u{e4}".repeat(40).as_str(),
        ] {
            assert!(!is_kallsyms(text.as_bytes()), "{text}");
        }
    }
}
