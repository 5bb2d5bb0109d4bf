//! A request with its layers: the request of the top device that it comes from, all requests below
//! that one, and the flush that follows it.
//!
//! Parents are stored, children are not: they are searched among the requests that start while
//! their parent is in flight. Flushes have no sectors and so no parents. A flush of a member
//! belongs to a request above that flushes, if that is the only one in flight at its start.

use crate::answer::BadQuery;
use crate::query::TimeRange;
use crate::view::View;
use seekscope_trace::event::{Flags, Op};
use seekscope_trace::protocol::{Ns, SectorNumber};
use seekscope_trace::sorting::SortShort;
use seekscope_trace::store::{Parents, RequestRow};
use serde::{Deserialize, Serialize};

/// Parameters of `requestLayers`.
#[derive(Clone, Debug, Deserialize)]
pub struct RequestLayersQuery {
    /// Row of the request table.
    pub row: f64,
}

/// Why a request is in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerRole {
    /// The request of the top device.
    Top,
    /// A part of the one above it.
    Member,
    /// The next request of the same task, a flush.
    NextFlush,
    /// A flush of a member, for the one above it.
    MemberFlush,
}

/// A request of a layer.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LayerRequest {
    pub role: LayerRole,
    /// Layers above it.
    pub depth: u32,
    /// Row of the request table.
    pub row: usize,
    /// Index of the device.
    pub device: u32,
    pub op: Op,
    pub rwbs: String,
    pub sector: SectorNumber,
    pub sectors: u64,
    pub pid: u32,
    pub process: String,
    pub submit_cpu: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issued: Option<Ns>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed: Option<Ns>,
    /// Q of the first request below it; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_from: Option<Ns>,
    /// C of the last request below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_to: Option<Ns>,
    /// Requests of the layer itself, as for its bitmap, that its members completed before the first
    /// one below it was queued.
    pub internal: u32,
    /// Further requests above from which it comes, too.
    pub other_parents: u32,
}

/// The layers of a request, each followed by what is below it. Empty without layers.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestLayers {
    pub requests: Vec<LayerRequest>,
    /// Requests beyond the limit.
    pub left_out: u32,
}

/// Limit for the requests of an answer.
const MAX_REQUESTS: usize = 64;
/// Limit for the requests among which children of one are searched.
const MAX_SEARCHED: usize = 200_000;

/// Answers `requestLayers`.
pub fn request_layers(view: View, query: &RequestLayersQuery) -> Result<RequestLayers, BadQuery> {
    let store = view.store;
    let row = query.row as usize;
    if query.row < 0.0 || row >= store.requests.len() {
        return Err(BadQuery(format!("request {} does not exist", query.row)));
    }
    let mut answer = RequestLayers::default();
    let Some(parents) = store.parents.as_deref() else {
        return Ok(answer);
    };
    let mut tops = Vec::new();
    parents.tops(store, row, &mut tops);
    let top = tops.first().map_or(row, |&top| top as usize);
    let tree = Tree { view, parents };
    if !tree.is_layered(top) {
        return Ok(answer);
    }
    tree.add(&mut answer, top, LayerRole::Top, 0);
    if let Some(flush) = tree.next_flush(top) {
        tree.add(&mut answer, flush, LayerRole::NextFlush, 0);
    }
    Ok(answer)
}

struct Tree<'a> {
    view: View<'a>,
    parents: &'a Parents,
}

impl Tree<'_> {
    fn request(&self, row: usize) -> RequestRow<'_> {
        self.view.store.requests.row(row)
    }

    /// The devices below that of a row.
    fn below(&self, row: usize) -> &[u32] {
        let device = self.request(row).device();
        let layer = self.parents.layers().iter().find(|l| l.device == device);
        layer.map_or(&[], |layer| &layer.below)
    }

    fn is_layered(&self, row: usize) -> bool {
        !self.below(row).is_empty()
    }

    /// Adds a row and all below it. The depth is bounded, since parents form no circle.
    fn add(&self, answer: &mut RequestLayers, row: usize, role: LayerRole, depth: u32) {
        if answer.requests.len() >= MAX_REQUESTS {
            answer.left_out += 1;
            return;
        }
        let mut found = FoundBelow::default();
        if self.is_layered(row) {
            self.search_below(row, &mut found);
        }
        let place = answer.requests.len();
        answer
            .requests
            .push(self.describe(row, role, depth, &found));
        for child in found.children {
            self.add(answer, child, LayerRole::Member, depth + 1);
        }
        for flush in found.flushes {
            self.add(answer, flush, LayerRole::MemberFlush, depth + 1);
        }
        if let Some(request) = answer.requests.get_mut(place) {
            request.other_parents = self.parents.direct(row).len().saturating_sub(1) as u32;
        }
    }

    fn search_below(&self, row: usize, found: &mut FoundBelow) {
        let request = self.request(row);
        let from = request.queued().unwrap_or(request.start());
        let to = request.completed().unwrap_or(u64::MAX);
        let below = self.below(row);
        let span = TimeRange {
            t0: from as f64,
            t1: to as f64 + 1.0,
        };
        let mut internal = Vec::new();
        for child in self.view.starting(span).take(MAX_SEARCHED) {
            let member = self.request(child);
            if !below.contains(&member.device()) {
                continue;
            }
            let direct = self.parents.direct(child);
            if direct.binary_search(&(row as u32)).is_ok() {
                found.children.push(child);
            } else if member.op() == Op::Flush {
                if flushes(request) && self.is_only_flush(row, member.start()) {
                    found.flushes.push(child);
                }
            } else if let (true, Some(done)) = (direct.is_empty(), member.completed()) {
                internal.push((member.queued().unwrap_or(member.start()), done));
            }
        }
        let queued = |child: &usize| {
            let member = self.request(*child);
            member.queued().unwrap_or(member.start())
        };
        found.children.sort_short_by_key(queued);
        let first = found.children.first().map(queued);
        found.internal = internal
            .iter()
            .filter(|(begin, done)| *begin >= from && first.is_some_and(|first| *done <= first))
            .count() as u32;
    }

    /// Whether no other request of the device of a row flushes at a time.
    fn is_only_flush(&self, row: usize, time: u64) -> bool {
        let device = self.request(row).device();
        let span = TimeRange {
            t0: time as f64,
            t1: time as f64,
        };
        let mut others = 0;
        self.view.each_alive(span, |other| {
            others += u32::from(other.row != row && other.device() == device && flushes(other));
        });
        others == 0
    }

    /// The next request that the task of a row sends to its device after the row is complete, if
    /// that is a flush.
    fn next_flush(&self, row: usize) -> Option<usize> {
        let request = self.request(row);
        let completed = request.completed()?;
        if request.op() != Op::Write {
            return None;
        }
        let (device, process) = (request.device(), request.process());
        let span = TimeRange {
            t0: completed as f64,
            t1: f64::MAX,
        };
        let next = self.view.starting(span).take(MAX_SEARCHED).find(|&other| {
            let other = self.request(other);
            other.device() == device && other.process() == process
        })?;
        (self.request(next).op() == Op::Flush).then_some(next)
    }

    fn describe(
        &self,
        row: usize,
        role: LayerRole,
        depth: u32,
        found: &FoundBelow,
    ) -> LayerRequest {
        let request = self.request(row);
        let process = self.view.store.processes.get(request.process() as usize);
        let all = || found.children.iter().chain(&found.flushes);
        let members = || all().map(|&child| self.request(child));
        LayerRequest {
            role,
            depth,
            row,
            device: request.device(),
            op: request.op(),
            rwbs: request.flags().rwbs(request.bytes()),
            sector: request.sector(),
            sectors: request.sectors(),
            pid: process.map_or(0, |process| process.pid),
            process: self.view.process_name(request.process()),
            submit_cpu: request.submit_cpu(),
            queued: request.queued(),
            issued: request.issued(),
            completed: request.completed(),
            below_from: members()
                .map(|member| member.queued().unwrap_or(member.start()))
                .min(),
            below_to: members().filter_map(RequestRow::completed).max(),
            internal: found.internal,
            other_parents: 0,
        }
    }
}

/// What is below a request.
#[derive(Default)]
struct FoundBelow {
    children: Vec<usize>,
    flushes: Vec<usize>,
    internal: u32,
}

/// Whether a request makes its device flush, before or instead of writing.
fn flushes(request: RequestRow) -> bool {
    request.op() == Op::Flush || request.flags().has(Flags::FLUSH)
}
