//! Numbers at fixed offsets of a header whose length is known.

/// Fixed-width fields of a header in the byte order `BIG`.
pub struct Fields<'a, const BIG: bool>(pub &'a [u8]);

impl<const BIG: bool> Fields<'_, BIG> {
    #[inline(always)]
    fn array<const N: usize>(&self, offset: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.0[offset..offset + N]);
        bytes
    }

    #[inline(always)]
    pub fn u16(&self, offset: usize) -> u16 {
        let b = self.array(offset);
        if BIG {
            u16::from_be_bytes(b)
        } else {
            u16::from_le_bytes(b)
        }
    }

    #[inline(always)]
    pub fn u32(&self, offset: usize) -> u32 {
        let b = self.array(offset);
        if BIG {
            u32::from_be_bytes(b)
        } else {
            u32::from_le_bytes(b)
        }
    }

    #[inline(always)]
    pub fn u64(&self, offset: usize) -> u64 {
        let b = self.array(offset);
        if BIG {
            u64::from_be_bytes(b)
        } else {
            u64::from_le_bytes(b)
        }
    }
}
