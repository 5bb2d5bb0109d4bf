//! Reading along a line. Every function moves on only when it finds what it looks for.

use seekscope_trace::event::DeviceNumber;

/// The rest of a line.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a>(pub &'a [u8]);

impl<'a> Scan<'a> {
    /// Skips blanks.
    #[inline]
    pub fn blanks(&mut self) -> &mut Self {
        while let [b' ' | b'\t', rest @ ..] = self.0 {
            self.0 = rest;
        }
        self
    }

    /// Takes this byte.
    #[inline]
    pub fn byte(&mut self, wanted: u8) -> Option<()> {
        match self.0 {
            [first, rest @ ..] if *first == wanted => {
                self.0 = rest;
                Some(())
            }
            _ => None,
        }
    }

    /// Takes these bytes.
    #[inline]
    pub fn word(&mut self, wanted: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(wanted)?;
        Some(())
    }

    /// Takes a decimal number; absent where none is or it does not fit.
    #[inline]
    pub fn number(&mut self) -> Option<u64> {
        let mut value = 0u64;
        let mut n = 0;
        for &byte in self.0 {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            n += 1;
        }
        // 19 digits always fit.
        if n == 0 || n > 19 && !fits(&self.0[..n]) {
            return None;
        }
        self.0 = &self.0[n..];
        Some(value)
    }

    /// Takes a decimal number of 32 bits.
    #[inline]
    pub fn small(&mut self) -> Option<u32> {
        let before = self.0;
        let value = self.number().and_then(|n| u32::try_from(n).ok());
        if value.is_none() {
            self.0 = before;
        }
        value
    }

    /// Takes a hexadecimal number.
    pub fn hex(&mut self) -> Option<u64> {
        let n = self.0.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        let value = u64::from_str_radix(std::str::from_utf8(&self.0[..n]).ok()?, 16).ok()?;
        self.0 = &self.0[n..];
        Some(value)
    }

    /// Takes `seconds.fraction`, as ns.
    #[inline]
    pub fn seconds(&mut self) -> Option<u64> {
        let seconds = self.number()?;
        self.byte(b'.')?;
        let digits = self.0.len();
        let fraction = self.number()?;
        let digits = (digits - self.0.len()) as u32;
        let ns = fraction.checked_mul(10u64.checked_pow(9u32.checked_sub(digits)?)?)?;
        seconds.checked_mul(1_000_000_000)?.checked_add(ns)
    }

    /// Takes `major,minor`.
    #[inline]
    pub fn device(&mut self) -> Option<DeviceNumber> {
        let major = self.small()?;
        self.byte(b',')?;
        let minor = self.blanks().small()?;
        (major < 1 << 12 && minor < 1 << 20).then_some(DeviceNumber(major << 20 | minor))
    }

    /// Takes everything up to the next blank or the end.
    #[inline]
    pub fn token(&mut self) -> &'a [u8] {
        let n = self
            .0
            .iter()
            .position(|b| matches!(b, b' ' | b'\t'))
            .unwrap_or(self.0.len());
        let (token, rest) = self.0.split_at(n);
        self.0 = rest;
        token
    }

    /// Takes at least one blank.
    #[inline]
    pub fn gap(&mut self) -> Option<()> {
        let before = self.0.len();
        self.blanks();
        (self.0.len() < before).then_some(())
    }

    /// Whether only blanks are left.
    #[inline]
    pub fn done(mut self) -> Option<()> {
        self.blanks().0.is_empty().then_some(())
    }
}

/// A number, possibly with a fraction, in units of so many ns; digits below 1 ns are dropped.
pub fn decimal(word: &[u8], unit: u64) -> Option<u64> {
    let mut scan = Scan(word);
    let whole = scan.number()?.checked_mul(unit)?;
    let mut fraction = 0;
    if scan.byte(b'.').is_some() {
        let mut place = unit;
        for digit in scan.0 {
            place /= 10;
            fraction += place * u64::from(digit.is_ascii_digit().then(|| digit - b'0')?);
        }
    } else {
        scan.done()?;
    }
    whole.checked_add(fraction)
}

#[cold]
fn fits(digits: &[u8]) -> bool {
    std::str::from_utf8(digits).is_ok_and(|text| text.parse::<u64>().is_ok())
}

/// A line without the marks of a quotation in a mail.
#[inline]
pub fn unquoted(line: &[u8]) -> &[u8] {
    let mut line = line;
    while let [b'>', rest @ ..] | [b' ', b'>', rest @ ..] = line {
        line = rest;
    }
    line
}
