//! Number of requests per value that can be hidden.

use super::answer::{Answer, BadQuery};
use super::kinds::FilterKind;
use super::query::{Filter, TimeRange};
use super::select::{ALIGNMENT, FLAGS, OPS, Selection, flag_bits};
use super::view::View;
use crate::measure::alignment::misaligned_4k;
use crate::store::rows;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

/// Parameters of `facets`.
#[derive(Clone, Debug, Deserialize)]
pub struct FacetsQuery {
    /// Its hide lists are ignored.
    pub filter: Filter,
    /// Requests that start in it; absent: all.
    pub range: Option<TimeRange>,
}

#[derive(Default)]
struct FacetCounts {
    ops: [u64; 4],
    flags: [u64; 6],
    alignment: [u64; 4],
    misaligned4k: u64,
    cpus: Vec<u64>,
    processes: Vec<u64>,
}

/// Answers `facets`.
pub fn facets(view: View, query: &FacetsQuery) -> Result<Answer, BadQuery> {
    let selection = Selection::new(view, &query.filter)?;
    let r = &view.store.requests;
    let mut counts = FacetCounts::default();
    let range = view.starting(query.range.unwrap_or(TimeRange::ALL));
    if let Some(kinds) = selection.kinds_in_scope()
        && selection.geometry.is_none()
    {
        let found = kinds.list().iter().zip(kinds.count(range)).filter(|(kind, n)| *n > 0 && selection.has_device(kind.device));
        found.for_each(|(kind, n)| counts.add(kind, n, view.store.processes.len()));
        return Ok(Answer::Json(counts.json(false)));
    }
    rows::each(range, |row| {
        if !selection.in_scope(row) {
            return;
        }
        counts.ops[r.op(row) as usize] += 1;
        let bits = flag_bits(r.flags(row), r.bytes(row));
        for (bit, n) in counts.flags.iter_mut().enumerate() {
            *n += u64::from(bits >> bit & 1);
        }
        if let Some(class) = selection.alignment(row) {
            counts.alignment[class as usize] += 1;
        }
        counts.misaligned4k += u64::from(misaligned_4k(r.sector(row), r.sectors(row)));
        add(&mut counts.cpus, r.submit_cpu(row), CPUS, 1);
        add(&mut counts.processes, r.process(row), view.store.processes.len(), 1);
    });
    Ok(Answer::Json(counts.json(selection.geometry.is_some())))
}

const CPUS: usize = 1 << 16;

fn add(counts: &mut Vec<u64>, at: u32, limit: usize, n: u64) {
    let at = at as usize;
    if at < limit {
        if counts.len() <= at {
            counts.resize(at + 1, 0);
        }
        counts[at] += n;
    }
}

impl FacetCounts {
    fn add(&mut self, kind: &FilterKind, n: u64, processes: usize) {
        self.ops[kind.op as usize] += n;
        for (bit, count) in self.flags.iter_mut().enumerate() {
            *count += n * u64::from(kind.flags >> bit & 1);
        }
        self.misaligned4k += n * u64::from(kind.off_4k);
        add(&mut self.cpus, kind.cpu, CPUS, n);
        add(&mut self.processes, kind.process, processes, n);
    }

    fn json(&self, with_alignment: bool) -> Json {
        let named = |names: &[&str], counts: &[u64]| -> Json {
            names.iter().zip(counts).map(|(name, n)| ((*name).to_owned(), Json::from(*n))).collect::<Map<_, _>>().into()
        };
        let listed = |key: &str, counts: &[u64]| -> Json {
            counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(i, n)| json!({ key: i, "n": n })).collect()
        };
        let mut facets = json!({
            "ops": named(&OPS, &self.ops),
            "flags": named(&FLAGS, &self.flags),
            "cpus": listed("cpu", &self.cpus),
            "processes": listed("index", &self.processes),
            "misaligned4k": self.misaligned4k,
        });
        if with_alignment {
            facets["alignment"] = named(&ALIGNMENT, &self.alignment);
        }
        facets
    }
}
