//! Limits the searches through everything that is open: a budget at first, and more with each
//! event. A kernel's recording needs a thousandth of it; a recording that was made for it could
//! have every event search through all before it, which takes time that grows with the square of
//! its size. Once the budget is spent, what would have been searched for counts as unmatched.

use serde::{Deserialize, Serialize};

const FIRST: i64 = 1 << 24;
const PER_EVENT: i64 = 1 << 9;

/// Bios, requests and buckets that may still be looked at. Once it is spent, it stays spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchBudget(i64);

const SPENT: i64 = i64::MIN / 2;

impl Default for SearchBudget {
    fn default() -> SearchBudget {
        SearchBudget(FIRST)
    }
}

impl SearchBudget {
    /// Adds to the budget; called once per event.
    #[inline]
    pub fn earn(&mut self) {
        self.0 += PER_EVENT;
    }

    /// Whether there is something left for a search.
    #[inline]
    pub fn allows(self) -> bool {
        self.0 > 0
    }

    /// Pays for a search that looked at so many bios, requests or buckets.
    #[inline]
    pub fn spend(&mut self, looked_at: usize) {
        self.0 -= looked_at as i64;
        if !self.allows() {
            self.0 = SPENT;
        }
    }

    /// Whether what began with a budget of its own would have searched for the same after this.
    pub fn suffices_for(self, next: SearchBudget) -> bool {
        self.0 >= FIRST && next.allows()
    }

    /// Adds what the worker before had left.
    pub fn add_before(&mut self, before: SearchBudget) {
        self.0 += before.0 - FIRST;
    }
}
