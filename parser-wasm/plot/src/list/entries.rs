//! Events and messages in one list, by time. The event list of the page numbers its rows by it.
//!
//! Only the entry numbers of messages are stored, because there are few: an event has as many
//! messages before it as a binary search among them finds, and its entry number is its row plus
//! that. So the list of a large trace costs nothing but its messages.

use seekscope_trace::store::Store;

/// An entry of the list, by its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListEntry {
    Event(usize),
    Message(usize),
}

/// The positions of messages among the events. A message comes before an event of the same time.
#[derive(Clone, Debug, Default)]
pub struct ListEntries {
    events: usize,
    /// Entry number of each message, ascending.
    messages: Vec<usize>,
}

impl ListEntries {
    /// Merges events and messages.
    pub fn new(store: &Store) -> ListEntries {
        let mut next = 0;
        let place = |(m, row): (usize, &seekscope_trace::store::Message)| {
            let entry = (store.events.find(row.time) + m).max(next);
            next = entry + 1;
            entry
        };
        let messages = store.messages.rows.iter().enumerate().map(place).collect();
        ListEntries {
            events: store.events.len(),
            messages,
        }
    }

    /// Number of events and messages.
    pub fn len(&self) -> usize {
        self.events + self.messages.len()
    }

    /// The entry with this number; absent beyond the end.
    pub fn get(&self, entry: usize) -> Option<ListEntry> {
        let before = self.messages.partition_point(|&m| m < entry);
        if self.messages.get(before) == Some(&entry) {
            return Some(ListEntry::Message(before));
        }
        (entry < self.len()).then(|| ListEntry::Event(entry - before))
    }

    /// Number of consecutive events from `entry` on, up to the next message.
    pub fn events_from(&self, entry: usize) -> usize {
        let next = self
            .messages
            .get(self.messages.partition_point(|&m| m < entry));
        next.map_or(self.len(), |&m| m).saturating_sub(entry)
    }

    /// The entry number of an event.
    pub fn entry_of_event(&self, event: usize) -> usize {
        let (mut low, mut high) = (0, self.messages.len());
        while low < high {
            let mid = low + (high - low) / 2;
            if self.messages[mid] - mid <= event {
                low = mid + 1
            } else {
                high = mid
            }
        }
        event + low
    }

    /// First entry at or after `time`; `len()` if there is none.
    pub fn find(&self, store: &Store, time: u64) -> usize {
        store.events.find(time) + store.messages.rows.partition_point(|m| m.time < time)
    }

    pub fn memory(&self) -> usize {
        self.messages.len() * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use seekscope_trace::fixture;
    use seekscope_trace::store::Message;

    #[test]
    fn messages_stand_between_events() {
        let mut store = fixture::store("10 Q 1+1 R\n20 G 1+1 R\n20 D 1+1 R\n30 C 1+1 R");
        for time in [5, 20, 25, 40, 41] {
            store.messages.rows.push(Message {
                time,
                cpu: 0,
                device: 0,
                pid: 0,
                cgroup: None,
                text: (0, 0),
            });
        }
        let entries = ListEntries::new(&store);
        use ListEntry::{Event, Message as Note};
        let wanted = [
            Note(0),
            Event(0),
            Note(1),
            Event(1),
            Event(2),
            Note(2),
            Event(3),
            Note(3),
            Note(4),
        ];
        assert_eq!(
            (0..9).filter_map(|k| entries.get(k)).collect::<Vec<_>>(),
            wanted
        );
        assert_eq!((entries.len(), entries.get(9)), (9, None));
        for (k, entry) in wanted.into_iter().enumerate() {
            if let Event(i) = entry {
                assert_eq!(entries.entry_of_event(i), k);
            }
        }
        let found: Vec<usize> = [0, 6, 20, 21, 31, 42]
            .into_iter()
            .map(|t| entries.find(&store, t))
            .collect();
        assert_eq!(found, [0, 1, 2, 5, 7, 9]);
    }
}
