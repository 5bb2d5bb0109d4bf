//! Columns that are narrow until a value needs more.

/// Reserves memory for more values; if that fails, the column grows as needed.
pub fn reserve<T>(column: &mut Vec<T>, more: usize) {
    let _ = column.try_reserve_exact(more);
}

/// Unsigned values of up to 32 bits that nearly always fit 16: the upper halves are only kept once one is not zero.
#[derive(Clone, Debug, Default)]
pub struct Column16 {
    low: Vec<u16>,
    high: Vec<u16>,
}

impl Column16 {
    /// Makes room for more values, as far as there is memory.
    pub fn reserve(&mut self, more: usize) {
        reserve(&mut self.low, more);
    }

    #[cold]
    fn widen(&mut self) {
        self.high = vec![0; self.low.len()];
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: u32) {
        let high = (value >> 16) as u16;
        if high != 0 && self.high.is_empty() {
            self.widen();
        }
        self.low.push(value as u16);
        if !self.high.is_empty() || high != 0 {
            self.high.push(high);
        }
    }

    /// Appends many values: narrow ones without a look at each.
    pub fn extend(&mut self, values: impl ExactSizeIterator<Item = u32> + Clone) {
        if self.high.is_empty() && values.clone().fold(0, |all, value| all | value) >> 16 == 0 {
            self.low.extend(values.map(|value| value as u16));
        } else {
            values.for_each(|value| self.push(value));
        }
    }

    /// The value at `i`.
    #[inline]
    pub fn get(&self, i: usize) -> u32 {
        let low = u32::from(self.low[i]);
        if self.high.is_empty() { low } else { low | u32::from(self.high[i]) << 16 }
    }

    /// Replaces the value at `i`.
    pub fn set(&mut self, i: usize, value: u32) {
        let high = (value >> 16) as u16;
        if high != 0 && self.high.is_empty() {
            self.widen();
        }
        self.low[i] = value as u16;
        if !self.high.is_empty() {
            self.high[i] = high;
        }
    }

    /// Allocated bytes in use.
    pub fn bytes(&self) -> usize {
        (self.low.len() + self.high.len()) * 2
    }
}

/// Unsigned values of up to 32 bits that nearly always fit 8.
#[derive(Clone, Debug, Default)]
pub struct Column8 {
    low: Vec<u8>,
    high: Vec<u32>,
}

impl Column8 {
    /// Makes room for more values, as far as there is memory.
    pub fn reserve(&mut self, more: usize) {
        reserve(&mut self.low, more);
    }

    #[cold]
    fn widen(&mut self) {
        self.high = vec![0; self.low.len()];
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: u32) {
        let high = value >> 8;
        if high != 0 && self.high.is_empty() {
            self.widen();
        }
        self.low.push(value as u8);
        if !self.high.is_empty() || high != 0 {
            self.high.push(high);
        }
    }

    /// Appends many values: narrow ones without a look at each.
    pub fn extend(&mut self, values: impl ExactSizeIterator<Item = u32> + Clone) {
        if self.high.is_empty() && values.clone().fold(0, |all, value| all | value) >> 8 == 0 {
            self.low.extend(values.map(|value| value as u8));
        } else {
            values.for_each(|value| self.push(value));
        }
    }

    /// The value at `i`.
    #[inline]
    pub fn get(&self, i: usize) -> u32 {
        let low = u32::from(self.low[i]);
        if self.high.is_empty() { low } else { low | self.high[i] << 8 }
    }

    /// Replaces the value at `i`.
    pub fn set(&mut self, i: usize, value: u32) {
        let high = value >> 8;
        if high != 0 && self.high.is_empty() {
            self.widen();
        }
        self.low[i] = value as u8;
        if !self.high.is_empty() {
            self.high[i] = high;
        }
    }

    /// Allocated bytes in use.
    pub fn bytes(&self) -> usize {
        self.low.len() + self.high.len() * 4
    }
}

/// Unsigned values of up to 64 bits that nearly always fit 48.
#[derive(Clone, Debug, Default)]
pub struct Column48 {
    low: Vec<u32>,
    mid: Vec<u16>,
    high: Vec<u16>,
}

impl Column48 {
    /// Makes room for more values, as far as there is memory.
    pub fn reserve(&mut self, more: usize) {
        reserve(&mut self.low, more);
        reserve(&mut self.mid, more);
    }

    #[cold]
    fn widen(&mut self) {
        self.high = vec![0; self.low.len()];
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: u64) {
        let high = (value >> 48) as u16;
        if high != 0 && self.high.is_empty() {
            self.widen();
        }
        self.low.push(value as u32);
        self.mid.push((value >> 32) as u16);
        if !self.high.is_empty() || high != 0 {
            self.high.push(high);
        }
    }

    /// Appends many values: narrow ones without a look at each.
    pub fn extend(&mut self, values: impl ExactSizeIterator<Item = u64> + Clone) {
        if self.high.is_empty() && values.clone().fold(0, |all, value| all | value) >> 48 == 0 {
            self.low.extend(values.clone().map(|value| value as u32));
            self.mid.extend(values.map(|value| (value >> 32) as u16));
        } else {
            values.for_each(|value| self.push(value));
        }
    }

    /// The value at `i`.
    #[inline]
    pub fn get(&self, i: usize) -> u64 {
        let value = u64::from(self.low[i]) | u64::from(self.mid[i]) << 32;
        if self.high.is_empty() { value } else { value | u64::from(self.high[i]) << 48 }
    }

    /// Replaces the value at `i`.
    pub fn set(&mut self, i: usize, value: u64) {
        let high = (value >> 48) as u16;
        if high != 0 && self.high.is_empty() {
            self.widen();
        }
        self.low[i] = value as u32;
        self.mid[i] = (value >> 32) as u16;
        if !self.high.is_empty() {
            self.high[i] = high;
        }
    }

    /// Allocated bytes in use.
    pub fn bytes(&self) -> usize {
        self.low.len() * 6 + self.high.len() * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widen_on_the_first_large_value() {
        let (mut c8, mut c16, mut c48) = (Column8::default(), Column16::default(), Column48::default());
        for v in [0u64, 1, 255, 256, 65_535, 65_536, 0xffff_ffff, 7] {
            c8.push(v as u32);
            c16.push(v as u32);
            c48.push(v);
        }
        c48.push(u64::MAX);
        c48.push(3);
        for (i, v) in [0u64, 1, 255, 256, 65_535, 65_536, 0xffff_ffff, 7].into_iter().enumerate() {
            assert_eq!(u64::from(c8.get(i)), v);
            assert_eq!(u64::from(c16.get(i)), v);
            assert_eq!(c48.get(i), v);
        }
        assert_eq!((c48.get(8), c48.get(9)), (u64::MAX, 3));
        c8.set(0, 70_000);
        assert_eq!((c8.get(0), c8.get(1)), (70_000, 1));
    }
}
