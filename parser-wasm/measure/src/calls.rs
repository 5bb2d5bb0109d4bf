//! By which system calls and io_uring operations the requests of a device were made.
//!
//! Over the request rows of a device. A request that a thread of md or dm queued counts for the
//! call above it, if that is one ([`Calls::inherited`]).

use crate::span::Window;
use crate::stacks::StackSums;
use rustc_hash::FxHashMap;
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::Store;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Calls that are kept: those with the most requests.
pub const MAX_CALLS: usize = 32;

/// The requests of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallUse {
    /// `write()`, `io_uring READ`.
    pub name: String,
    #[serde(flatten)]
    pub sums: StackSums,
}

/// The calls of the requests of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallsUsed {
    /// The most requests first, at most [`MAX_CALLS`].
    pub top: Vec<CallUse>,
    /// Requests without a call that is known: of write-back, of journals, of workers.
    pub unknown: StackSums,
    /// All requests.
    pub all: StackSums,
}

/// Per device; `None` where no request has a call.
pub fn calls_used(store: &Store, window: Window) -> Vec<Option<CallsUsed>> {
    let Some(calls) = store.calls.as_deref() else {
        return store.devices.iter().map(|_| None).collect();
    };
    let mut used: Vec<CallsUsed> = vec![CallsUsed::default(); store.devices.len()];
    let mut tallies: Vec<FxHashMap<u32, StackSums>> = vec![FxHashMap::default(); used.len()];
    store.requests.each(window.rows(&store.requests), |row| {
        let device = row.device() as usize;
        let (Some(found), Some(tally)) = (used.get_mut(device), tallies.get_mut(device)) else {
            return;
        };
        let sums = StackSums {
            requests: 1,
            bytes: u64::from(row.bytes()),
            d2c_ns: row.d2c().unwrap_or_default(),
        };
        found.all.add(&sums);
        match calls.inherited(store, row.row) {
            Some(call) => tally.entry(call.name).or_default().add(&sums),
            None => found.unknown.add(&sums),
        }
    });
    let name = |number: u32| calls.names.get(number as usize).cloned();
    let devices = used.into_iter().zip(tallies);
    devices
        .map(|(mut found, tally)| {
            let named = |(number, sums)| {
                let name = name(number)?;
                Some(CallUse { name, sums })
            };
            found.top = tally.into_iter().filter_map(named).collect();
            found.top.sort_short_by(|x, y| {
                let key = |call: &CallUse| (Reverse(call.sums.requests), Reverse(call.sums.bytes));
                key(x).cmp(&key(y)).then_with(|| x.name.cmp(&y.name))
            });
            found.top.truncate(MAX_CALLS);
            (!found.top.is_empty()).then_some(found)
        })
        .collect()
}
