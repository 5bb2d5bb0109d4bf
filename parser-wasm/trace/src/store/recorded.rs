//! The actions that the events of a device have. A tracer records what its mask lets through
//! (`blktrace -a complete`), so only its events show what a recording of a device lacks.

use crate::event::Action;
use crate::protocol::serialize_as_word;
use serde::{Deserialize, Serialize};

/// The actions that occurred, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedActions {
    of_device: u32,
    /// For a device without events, the actions of the other devices of its trace: what the
    /// tracer's mask lets through.
    others: u32,
}

/// The letters in the order in which they are listed. UT is listed as U.
const LETTERS: [(Action, &str); 12] = [
    (Action::Queue, "Q"),
    (Action::GetRequest, "G"),
    (Action::Insert, "I"),
    (Action::Issue, "D"),
    (Action::Complete, "C"),
    (Action::BackMerge, "M"),
    (Action::FrontMerge, "F"),
    (Action::Split, "X"),
    (Action::Remap, "A"),
    (Action::Requeue, "R"),
    (Action::Plug, "P"),
    (Action::Unplug, "U"),
];

impl RecordedActions {
    #[inline]
    pub fn insert(&mut self, action: Action) {
        let action = if action == Action::UnplugTimer {
            Action::Unplug
        } else {
            action
        };
        self.of_device |= 1 << action.code();
    }

    /// Adds the actions of a later section.
    pub fn add(&mut self, later: RecordedActions) {
        self.of_device |= later.of_device;
    }

    pub fn has(self, action: Action) -> bool {
        self.of_device >> action.code() & 1 == 1
    }

    /// Whether figures of this action are known: it occurred, or the device was idle.
    pub fn is_known(self, action: Action) -> bool {
        if self.is_idle() {
            !self.is_unseen()
        } else {
            self.has(action)
        }
    }

    /// Whether the device has no event, and the tracer's mask may be the reason: the other devices
    /// lack bios (Q) or completions.
    pub fn is_unseen(self) -> bool {
        let recorded = |action: Action| self.others >> action.code() & 1 == 1;
        self.is_idle()
            && self.others != 0
            && !(recorded(Action::Queue) && recorded(Action::Complete))
    }

    /// Whether the device has no event.
    pub fn is_idle(self) -> bool {
        self.of_device == 0
    }

    /// Adds what other devices of the trace have; only a device without events needs it.
    pub fn beside(&mut self, other: RecordedActions) {
        if self.is_idle() {
            self.others |= other.of_device;
        }
    }

    /// The letters of the actions: `QGIDC`.
    pub fn letters(self) -> String {
        LETTERS
            .iter()
            .filter(|(action, _)| self.has(*action))
            .map(|(_, letter)| *letter)
            .collect()
    }

    /// Reads what [`RecordedActions::letters`] wrote.
    pub fn from_letters(text: &str) -> RecordedActions {
        let mut recorded = RecordedActions::default();
        LETTERS
            .iter()
            .filter(|(_, letter)| text.contains(letter))
            .for_each(|(action, _)| recorded.insert(*action));
        recorded
    }

    /// The meaning of a row of such a device's requests.
    pub fn row(self) -> RowMeaning {
        let [q, d, c] =
            [Action::Queue, Action::Issue, Action::Complete].map(|action| self.has(action));
        match (q, d, c) {
            (_, true, true) => RowMeaning::Request,
            (_, true, false) => RowMeaning::Issue,
            (true, false, false) => RowMeaning::Queue,
            (false, false, true) => RowMeaning::Completion,
            (true, false, true) | (false, false, false) => RowMeaning::Bio,
        }
    }
}

/// The meaning of a row of the requests, and the time of its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMeaning {
    /// A request, from D to C.
    Request,
    /// A bio, from Q to C: of a device without requests, or of a disk recorded without D.
    Bio,
    /// A completion, at C: nothing else was recorded.
    Completion,
    /// A request at D: no completion was recorded.
    Issue,
    /// A bio at Q: nothing else was recorded.
    Queue,
}

serialize_as_word!(RowMeaning, name);

impl RowMeaning {
    /// The name in JSON documents.
    pub fn name(self) -> &'static str {
        match self {
            RowMeaning::Request => "request",
            RowMeaning::Bio => "bio",
            RowMeaning::Completion => "completion",
            RowMeaning::Issue => "issue",
            RowMeaning::Queue => "queue",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RecordedActions;
    use crate::fixture::store;

    #[test]
    fn rows_of_what_was_recorded() {
        let letters_and_row = |text: &str| {
            let recorded = store(text).devices[0].recorded;
            assert_eq!(RecordedActions::from_letters(&recorded.letters()), recorded);
            (recorded.letters(), recorded.row().name())
        };
        assert_eq!(letters_and_row("0 C 0+8"), ("C".to_owned(), "completion"));
        assert_eq!(letters_and_row("0 D 0+8"), ("D".to_owned(), "issue"));
        assert_eq!(
            letters_and_row("0 P -\n0 Q 0+8\n1 G 0+8\n2 UT -"),
            ("QGPU".to_owned(), "queue")
        );
        assert_eq!(
            letters_and_row("0 Q 0+8\n1 C 0+8"),
            ("QC".to_owned(), "bio")
        );
        assert_eq!(
            letters_and_row("0 D 0+8\n1 C 0+8"),
            ("DC".to_owned(), "request")
        );
        assert_eq!(
            letters_and_row("0 Q 0+8\n1 G 0+8\n2 I 0+8\n3 D 0+8"),
            ("QGID".to_owned(), "issue")
        );
        assert_eq!(letters_and_row("0 P -"), ("P".to_owned(), "bio"));
    }
}
