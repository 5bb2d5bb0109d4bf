//! The event list: pages of the entries that match a filter, the position of a time in it, and the
//! request of an event.

use super::entries::{ListEntries, ListEntry};
use super::event_filter::EventFilter;
use super::matches::Matches;
use crate::answer::BadQuery;
use crate::map::hit::RowAnswer;
use crate::map::zones;
use crate::query::{MAX_POINTS, TimeRange};
use crate::view::{View, begin};
use seekscope_measure::failed::is_failed;
use seekscope_measure::zones::ZoneKind;
use seekscope_report::blkparse_line as line;
use seekscope_trace::errno::error_words;
use seekscope_trace::event::{Action, Flags, Op};
use seekscope_trace::protocol::{FloatNs, FloatSector, Ns};
use seekscope_trace::store::RequestRow;
use serde::{Deserialize, Serialize};

/// Parameters of `events` and `eventText`.
#[derive(Clone, Debug, Deserialize)]
pub struct EventsQuery {
    filter: EventFilter,
    /// Matching rows before the page.
    offset: f64,
    /// Rows per page.
    limit: f64,
}

/// A line as blkparse prints it, in its columns.
#[derive(Clone, Debug, Serialize)]
#[doc(alias = "EventRow")]
pub struct ListedEvent {
    /// Number among all events and messages: the key for `eventRequest`.
    entry: usize,
    at: Ns,
    dev: String,
    cpu: u32,
    pid: u32,
    action: &'static str,
    rwbs: String,
    /// The part of the line after the flags.
    tail: String,
    /// What the event does to a zone; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<ZoneKind>,
    /// Why the completion failed: `EIO (I/O error)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

/// Each query applies the filter to one more piece of the trace: while `examined` < `of`, `total`
/// is "so far" and the query is to be repeated.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SearchProgress {
    total: usize,
    examined: usize,
    of: usize,
}

impl SearchProgress {
    fn new(entries: &ListEntries, matches: &Matches) -> SearchProgress {
        SearchProgress {
            total: matches.total(),
            examined: matches.examined(),
            of: entries.len(),
        }
    }
}

/// A page of the event list.
#[derive(Clone, Debug, Serialize)]
pub struct ListedEvents {
    #[serde(flatten)]
    progress: SearchProgress,
    rows: Vec<ListedEvent>,
}

/// A page of the event list as lines of text.
#[derive(Clone, Debug, Serialize)]
pub struct ListedText {
    #[serde(flatten)]
    progress: SearchProgress,
    text: String,
}

/// The numbers of the matches on a page.
fn page(query: &EventsQuery, total: usize) -> std::ops::Range<usize> {
    let from = (query.offset.max(0.0) as usize).min(total);
    from..(from + (query.limit.max(0.0) as usize).min(MAX_POINTS)).min(total)
}

/// Answers `events`.
pub fn events(view: View, query: &EventsQuery) -> Result<ListedEvents, BadQuery> {
    view.index.lists(|lists| {
        let (entries, matches) = lists.list(view.store, &query.filter)?;
        let lines = page(query, matches.total()).filter_map(|n| matches.select(n));
        let rows: Vec<ListedEvent> = lines
            .filter_map(|entry| Some(row(view, entry, entries.get(entry)?)))
            .collect();
        Ok(ListedEvents {
            progress: SearchProgress::new(entries, matches),
            rows,
        })
    })
}

fn row(view: View, entry: usize, item: ListEntry) -> ListedEvent {
    let store = view.store;
    let e = &store.events;
    match item {
        ListEntry::Event(i) => {
            let mut tail = String::new();
            line::tail(&mut tail, store, i);
            ListedEvent {
                entry,
                at: e.time(i),
                dev: line::printed_device(store, i).to_string(),
                cpu: e.cpu(i),
                pid: line::pid(store, e.process(i)),
                action: e.action(i).letters(),
                rwbs: e.flags(i).rwbs(e.bytes(i)),
                tail,
                zone: zones::event_kind(view, i),
                failed: is_failed(view.store.events.kind(i))
                    .then(|| error_words(view.store.events.error(i).unsigned_abs())),
            }
        }
        ListEntry::Message(m) => {
            let row = store.messages.rows.get(m);
            ListedEvent {
                entry,
                at: row.map_or(0, |r| r.time),
                dev: row.map_or_else(String::new, |r| line::device(store, r.device).to_string()),
                cpu: row.map_or(0, |r| r.cpu),
                pid: row.map_or(0, |r| r.pid),
                action: "m",
                rwbs: "N".to_owned(),
                tail: line::message_text(store, m),
                zone: None,
                failed: None,
            }
        }
    }
}

/// Answers `eventText`: the same rows as lines of blkparse, without the sequence number.
pub fn event_text(view: View, query: &EventsQuery) -> Result<ListedText, BadQuery> {
    view.index.lists(|lists| {
        let (entries, matches) = lists.list(view.store, &query.filter)?;
        let mut text = String::new();
        for entry in page(query, matches.total()).filter_map(|n| matches.select(n)) {
            match entries.get(entry) {
                Some(ListEntry::Event(i)) => line::event(&mut text, view.store, i, None),
                Some(ListEntry::Message(m)) => line::message(&mut text, view.store, m, None),
                None => {}
            }
            text.push('\n');
        }
        Ok(ListedText {
            progress: SearchProgress::new(entries, matches),
            text,
        })
    })
}

/// Parameters of `findEvent`.
#[derive(Clone, Debug, Deserialize)]
pub struct FindEventQuery {
    filter: EventFilter,
    time: FloatNs,
    /// First sector of the event, to select among several at that time.
    sector: Option<FloatSector>,
}

/// The answer of `findEvent`.
#[derive(Clone, Debug, Serialize)]
pub struct FindEventAnswer {
    /// Line of the match; absent while the filter has not been applied that far.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    #[serde(flatten)]
    progress: SearchProgress,
}

/// Answers `findEvent`: the row of the first match at or after a time.
pub fn find_event(view: View, query: &FindEventQuery) -> Result<FindEventAnswer, BadQuery> {
    let store = view.store;
    view.index.lists(|lists| {
        let (entries, matches) = lists.list(store, &query.filter)?;
        let time = query.time.max(0.0).ceil() as u64;
        let from = store.events.find(time);
        let same = (from..store.events.len()).take_while(|&i| store.events.time(i) == time);
        let exact = query.sector.and_then(|sector| {
            same.map(|i| (i, entries.entry_of_event(i)))
                .find(|&(i, k)| store.events.sector(i) as f64 == sector && matches.has(k))
        });
        let entry = exact.map_or_else(|| entries.find(store, time), |(_, k)| k);
        let is_examined = matches.examined() > entry || matches.examined() == entries.len();
        Ok(FindEventAnswer {
            at: is_examined.then(|| matches.rank(entry)),
            progress: SearchProgress::new(entries, matches),
        })
    })
}

/// Parameters of `eventRequest`.
#[derive(Clone, Debug, Deserialize)]
pub struct EventRequestQuery {
    /// Number among all events and messages, as in `events`.
    entry: f64,
}

/// Maximum time from the remap of a bio to its Q on the target device: 1 ms. Both happen in one
/// call of submit_bio.
const REMAP_NS: f64 = 1e6;

/// Answers `eventRequest`: the request of the event's device that is in flight at its time and
/// covers its sector; row -1 if there is none.
pub fn event_request(view: View, query: &EventRequestQuery) -> Result<RowAnswer, BadQuery> {
    let (store, e) = (view.store, &view.store.events);
    let entry = view.index.lists(|lists| {
        Ok(lists
            .list(store, &EventFilter::default())?
            .0
            .get(query.entry.max(0.0) as usize))
    })?;
    let Some(ListEntry::Event(i)) = entry else {
        return Ok(RowAnswer::new(None));
    };
    let action = e.action(i);
    let t = e.time(i) as f64;
    let flush = e.bytes(i) == 0 && e.flags(i).has(Flags::FLUSH);
    let (device, sector) = (e.device(i), e.sector(i));
    let belongs = |row: RequestRow| {
        let holds =
            || row.sector() <= sector && sector < row.sector().saturating_add(row.sectors().max(1));
        row.kind().device == device
            && if flush {
                row.op() == Op::Flush
            } else {
                holds()
            }
    };
    let mut found: Option<(u64, usize)> = None;
    let row = match action {
        Action::Plug | Action::Unplug | Action::UnplugTimer => None,
        // The first request that begins after the remap.
        Action::Remap => {
            view.each_alive(
                TimeRange {
                    t0: t,
                    t1: t + REMAP_NS,
                },
                |row| {
                    let time = begin(row);
                    let is_first = found.is_none_or(|(first, _)| time < first);
                    if belongs(row) && time as f64 >= t && is_first {
                        found = Some((time, row.row));
                    }
                },
            );
            found.map(|(_, row)| row)
        }
        // The last request that began before the event.
        _ => zones::append_of(view, i).or_else(|| {
            view.each_alive(TimeRange { t0: t, t1: t }, |row| {
                let time = begin(row);
                if belongs(row) && found.is_none_or(|(last, _)| time >= last) {
                    found = Some((time, row.row));
                }
            });
            found.map(|(_, row)| row)
        }),
    };
    Ok(RowAnswer::new(row))
}
