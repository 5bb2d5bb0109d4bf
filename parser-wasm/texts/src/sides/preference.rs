//! The preference of readings: which evidence names the sides where no person chose it.

use super::evidence::{Candidate, Source, commands};
use super::figures::{is_only_disk, shares_figures};
use super::item_evidence::{ItemEvidence, own_dimensions};
use super::{Item, SEQUENCES};
use seekscope_trace::sorting::{map_of, set_of};
use std::collections::{BTreeMap, BTreeSet};

/// What prints the times of any program: these are tests of what they ran.
const TIMES: &str = "time";

/// Decides which evidence names the sides; `None` if nothing compares the items.
///
/// The order is the preference, and the first evidence that fits is taken. In another order, a
/// text that names its sides would be compared by the programs that it ran, or by the order of its
/// outputs.
pub fn preferred_side(evidence: &ItemEvidence) -> Option<Candidate> {
    let sides = side_candidates(evidence);
    strongest(evidence, &sides)
        .or_else(|| with_other_disks(evidence, &sides))
        .or_else(|| tests_of_programs(evidence))
        .cloned()
        .or_else(|| sequence(evidence.items).filter(|_| !are_repeats(evidence.items)))
        .or_else(|| {
            let things = things(evidence.items, &evidence.inner);
            things.filter(|things| evidence.overlaps(things))
        })
}

/// Evidence that can name the sides, with what its preference depends on.
struct SideCandidate<'a> {
    candidate: &'a Candidate,
    /// Its values are names of tests.
    names_tests: bool,
}

impl SideCandidate<'_> {
    fn is_argument(&self) -> bool {
        self.candidate.source == Source::Argument
    }

    fn is_output(&self) -> bool {
        matches!(self.candidate.source, Source::Output(_))
    }

    fn is_above(&self) -> bool {
        matches!(self.candidate.source, Source::Above(_))
    }

    fn is_column(&self) -> bool {
        matches!(self.candidate.source, Source::Column(_))
    }

    /// Whether it is around the outputs and not in them, and does not name what was measured.
    fn is_titled(&self) -> bool {
        !self.is_output() && !self.names_tests
    }
}

/// Decides which candidates can name the sides. Commands of several programs cannot: they are of
/// different things. Lines that are only above do not say that two outputs are repeats, so each
/// block must have its own.
fn side_candidates<'a>(evidence: &'a ItemEvidence) -> Vec<SideCandidate<'a>> {
    let is_distinct = |candidate: &Candidate| {
        !matches!(candidate.source, Source::Above(_)) || is_of_blocks(evidence.items, candidate)
    };
    evidence
        .varying()
        .filter(|candidate| !is_test(candidate) && is_distinct(candidate))
        .map(|candidate| SideCandidate {
            candidate,
            names_tests: candidate.names_tests(),
        })
        .collect()
}

/// Decides which candidate is the strongest of those whose sides have the same figures. A rule is
/// tried with all candidates before the next one is: later rules accept what earlier ones do, so in
/// another order any title would be taken where another one names a kernel.
fn strongest<'a>(evidence: &ItemEvidence, sides: &[SideCandidate<'a>]) -> Option<&'a Candidate> {
    let rules: [&dyn Fn(&SideCandidate) -> bool; 8] = [
        // A person gave two paths to have them compared.
        &|side| side.is_argument(),
        &|side| side.is_titled() && side.candidate.names_sides(),
        &|side| side.is_column(),
        &|side| side.is_titled() && !side.is_above(),
        // What an output says comes before lines above only if it is the name of a side.
        &|side| side.is_output() && side.candidate.names_sides(),
        &|side| side.is_titled(),
        &|side| side.is_output(),
        // Titles of tests are no sides where anything else is.
        &|_| true,
    ];
    rules.iter().find_map(|rule| {
        let fits = |side: &&SideCandidate| rule(side) && evidence.overlaps(side.candidate);
        sides.iter().find(fits).map(|side| side.candidate)
    })
}

/// Decides whether sides have the same figures once the name of their only disk is left out: a
/// guest calls it otherwise than its host. This is after all that needs no such guess: it would
/// compare the disks of one machine.
fn with_other_disks<'a>(
    evidence: &ItemEvidence,
    sides: &[SideCandidate<'a>],
) -> Option<&'a Candidate> {
    let candidates = sides.iter().map(|side| side.candidate);
    candidates.filter(|side| side.is_complete()).find(|side| {
        let (disks, others): (Vec<Candidate>, Vec<Candidate>) = evidence
            .inner
            .iter()
            .cloned()
            .partition(|dimension| is_only_disk(side, dimension));
        !disks.is_empty() && shares_figures(evidence.items, side, &others, &evidence.tabled)
    })
}

/// Decides whether the commands of several programs are the sides: those that print the same are
/// wrappers of one program, but `time` prints the same for whatever it ran. The names of the
/// programs are tried before their complete commands.
fn tests_of_programs<'a>(evidence: &'a ItemEvidence) -> Option<&'a Candidate> {
    let is_printed = evidence.items.iter().all(|item| item.tool != TIMES);
    let tests = evidence.varying().filter(|test| is_test(test)).rev();
    let mut tests = tests.filter(|test| is_printed && is_of_blocks(evidence.items, test));
    tests.find(|test| evidence.overlaps(test))
}

/// Whether all outputs are of one loop of a shell that runs the same command again and again.
fn are_repeats(items: &[Item]) -> bool {
    let mut found = items.iter().map(|item| item.context.command.as_deref());
    let first = found.next().flatten();
    first.is_some_and(commands::repeats) && found.all(|command| command == first)
}

fn is_test(candidate: &Candidate) -> bool {
    matches!(candidate.source, Source::Test(_))
}

/// Whether each block has a value of its own.
fn is_of_blocks(items: &[Item], candidate: &Candidate) -> bool {
    let blocks: BTreeSet<usize> = set_of(items.iter().map(|item| item.block));
    candidate.distinct() == blocks.len()
}

/// The rows of a table whose only labels are things.
fn things(items: &[Item], inner: &[Candidate]) -> Option<Candidate> {
    let name = items.first()?.things?;
    let is_same = items.iter().all(|item| item.things == Some(name));
    let mut columns = inner.iter();
    let column =
        columns.find(|column| matches!(&column.source, Source::Column(other) if other == name))?;
    (is_same && column.distinct() > 1).then(|| column.clone())
}

/// Outputs without any label, one after the other, are runs of their own, or rounds of several
/// settings.
pub fn sequence(items: &[Item]) -> Option<Candidate> {
    let tables = items.iter().all(|item| item.tool == "table");
    let blocks: Vec<usize> = set_of(items.iter().map(|item| item.block))
        .into_iter()
        .collect();
    let inner = own_dimensions(items);
    let in_order = || (1..=blocks.len()).collect();
    let (word, numbers) = match rounds(items, &inner) {
        Some(rounds) if !tables => (SEQUENCES[2], rounds),
        _ => (SEQUENCES[usize::from(tables)], in_order()),
    };
    let number_of: BTreeMap<usize, usize> = map_of(blocks.iter().copied().zip(numbers));
    let candidate = Candidate {
        source: Source::Name(word.to_owned()),
        values: items
            .iter()
            .map(|item| format!("{word} {}", number_of[&item.block]))
            .collect(),
    };
    (blocks.len() > 1 && shares_figures(items, &candidate, &inner, &[])).then_some(candidate)
}

/// The round of each block, from 1, where the same settings were measured several times: with 1, 8
/// and 64 clients, then again with these. Outputs of different settings are not compared with each
/// other then. Absent if there is one setting alone, or one was measured more often than another.
fn rounds(items: &[Item], inner: &[Candidate]) -> Option<Vec<usize>> {
    let mut settings: BTreeMap<usize, BTreeSet<Vec<&str>>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let values: Vec<&str> = inner.iter().map(|c| c.values[index].as_str()).collect();
        settings.entry(item.block).or_default().insert(values);
    }
    let mut counts: BTreeMap<&BTreeSet<Vec<&str>>, usize> = BTreeMap::new();
    let rounds = settings.values().map(|settings| {
        let count = counts.entry(settings).or_default();
        *count += 1;
        *count
    });
    let rounds: Vec<usize> = rounds.collect();
    let count = *counts.values().next()?;
    let is_even = counts.len() > 1 && counts.values().all(|other| *other == count);
    (is_even && count > 1).then_some(rounds)
}
