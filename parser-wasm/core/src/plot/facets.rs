//! Number of requests per value that can be hidden.

use super::answer::{Answer, BadQuery};
use super::query::{Filter, TimeRange};
use super::select::{ALIGNMENT, FLAGS, OPS, Selection, flag_bits};
use super::view::View;
use crate::measure::alignment::misaligned_4k;
use crate::store::RequestKind;
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
    // Of each kind: the requests that begin with a block of 4 KiB, and the others.
    let mut of_kinds = vec![[0u64; 2]; r.kinds()];
    let (by_row, aligned) = (!selection.fits_kinds(), selection.geometry.is_some());
    r.pieces(range, |piece| {
        for row in piece.filter(|row| !by_row || selection.in_scope(*row)) {
            of_kinds[row.kind_number() as usize][usize::from(misaligned_4k(row.sector(), 8))] += 1;
            if aligned
                && let Some(class) = selection.alignment(row)
                && selection.has_kind_in_scope(row.kind())
            {
                counts.alignment[class as usize] += 1;
            }
        }
    });
    for (kind, [on, off]) in r.each_kind().zip(of_kinds) {
        if on + off > 0 && selection.has_kind_in_scope(kind) {
            counts.add(kind, on + off, off, view.store.processes.len());
        }
    }
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
    /// Adds `n` requests of a kind; `off` of them begin within a block of 4 KiB.
    fn add(&mut self, kind: &RequestKind, n: u64, off: u64, processes: usize) {
        self.ops[kind.op() as usize] += n;
        let bits = flag_bits(kind.flags, kind.bytes);
        for (bit, count) in self.flags.iter_mut().enumerate() {
            *count += n * u64::from(bits >> bit & 1);
        }
        self.misaligned4k += match kind.sectors() {
            0 => 0,
            sectors if sectors.is_multiple_of(8) => off,
            _ => n,
        };
        add(&mut self.cpus, kind.submit_cpu, CPUS, n);
        add(&mut self.processes, kind.process, processes, n);
    }

    fn json(&self, with_alignment: bool) -> Json {
        let named = |names: &[&str], counts: &[u64]| -> Json {
            names
                .iter()
                .zip(counts)
                .map(|(name, n)| ((*name).to_owned(), Json::from(*n)))
                .collect::<Map<_, _>>()
                .into()
        };
        let listed = |key: &str, counts: &[u64]| -> Json {
            counts
                .iter()
                .enumerate()
                .filter(|(_, n)| **n > 0)
                .map(|(i, n)| json!({ key: i, "n": n }))
                .collect()
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
