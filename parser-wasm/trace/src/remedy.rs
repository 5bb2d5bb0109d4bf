//! Advice that is given in several places.

/// Who has only closing totals may still have the recording that they are of.
pub const EVENTS_OF_SUMMARY: &str = "A summary cannot be converted back into events. Print the \
    events too (blkparse -i NAME without -O, -q or a filter), or open blktrace's own files \
    (NAME.blktrace.0, .1, ...).";
