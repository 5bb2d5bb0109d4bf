//! Whether requests are issued in the order in which they were queued, and completed on the CPU
//! that queued them.
//!
//! Over requests with data in the order of D: a request is *reordered* if a request that was queued
//! later (first Q) was issued before it. Over requests that completed: *migrated* if its last C is
//! of another CPU than its first Q (D, where Q was not recorded).

/// A part of a number of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestPart {
    pub part: u64,
    pub n: u64,
}

impl RequestPart {
    #[inline]
    pub fn add(&mut self, belongs: bool) {
        self.n += 1;
        self.part += u64::from(belongs);
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct OrderCounter {
    latest: u64,
    reordered: RequestPart,
}

impl OrderCounter {
    /// Adds the time at which the next request was queued; in the order of D.
    #[inline]
    pub fn add(&mut self, queued: u64) {
        self.reordered.add(queued < self.latest);
        self.latest = self.latest.max(queued);
    }

    /// The share of requests that were reordered.
    pub fn finish(self) -> RequestPart {
        self.reordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overtaken_requests_by_hand() {
        let mut order = OrderCounter::default();
        // 20 is overtaken by 30, 10 and 25 by it as well; equal times are in order.
        [5, 30, 20, 30, 10, 25, 40]
            .into_iter()
            .for_each(|queued| order.add(queued));
        assert_eq!(order.finish(), RequestPart { part: 3, n: 7 });
        assert_eq!(OrderCounter::default().finish(), RequestPart::default());
    }
}
