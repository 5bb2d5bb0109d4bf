//! The system call or io_uring operation in which a request was queued: what the task of its first
//! Q was doing then. Known from events only; a request of write-back or of a worker has none.

use super::Store;

/// The call of a row that has none, or none that is known.
pub const NO_CALL: u32 = u32::MAX;
/// The end of a call that had not ended, or whose end no event says.
pub const NO_END: u64 = u64::MAX;
/// The file descriptor of a call without one.
pub const NO_FD: u32 = u32::MAX;

/// A call in which requests were queued. 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index of [`Calls::names`].
    pub name: u32,
    /// Thread that called.
    pub pid: u32,
    /// Or [`NO_FD`].
    pub fd: u32,
    /// Time in ns since the trace's start; 0 if it began before.
    pub begin: u64,
    /// Or [`NO_END`].
    pub end: u64,
}

/// The calls of all requests of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// `write()`, `io_uring READ`.
    pub names: Vec<String>,
    /// Only those of requests.
    pub calls: Vec<Call>,
    /// Of each row the index of its call, or [`NO_CALL`].
    rows: Vec<u32>,
    /// Requests with a Q and without a call.
    pub unknown: u64,
    /// Events that were left out because a table was full.
    pub left_out: u64,
}

impl Calls {
    /// Calls whose rows are given with [`Calls::push`].
    pub fn new(names: Vec<String>) -> Calls {
        Calls {
            names,
            ..Calls::default()
        }
    }

    /// Sets the call of the next row.
    pub fn push(&mut self, call: Option<u32>) {
        self.rows.push(call.unwrap_or(NO_CALL));
    }

    /// The call of a row.
    pub fn call(&self, row: usize) -> Option<&Call> {
        self.calls.get(*self.rows.get(row)? as usize)
    }

    /// The name of the call of a row.
    pub fn name(&self, row: usize) -> Option<&str> {
        let name = self.names.get(self.call(row)?.name as usize)?;
        Some(name)
    }

    /// The call of the requests above from which a row comes, where it has none of its own and they
    /// all have the same one: threads of dm and md queue what a task has called for.
    pub fn inherited(&self, store: &Store, row: usize) -> Option<&Call> {
        if let Some(call) = self.call(row) {
            return Some(call);
        }
        let mut tops = Vec::new();
        store.parents.as_ref()?.tops(store, row, &mut tops);
        let (first, rest) = tops.split_first()?;
        let call = self.call(*first as usize)?;
        let same = |top: &u32| self.call(*top as usize) == Some(call);
        rest.iter().all(same).then_some(call)
    }

    /// Memory of the tables, bytes.
    pub fn memory(&self) -> usize {
        self.rows.len() * size_of::<u32>()
            + self.calls.len() * size_of::<Call>()
            + self.names.len() * (size_of::<String>() + 16)
    }
}
