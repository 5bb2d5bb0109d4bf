//! The figures of a block with the same properties, and which of them one table can have.

use crate::line::Place;
use crate::observation::{LatencyDistribution, NamedValue, Observation};
use crate::recognise::{Block, Content};
use crate::structure::context::Context;
use seekscope_trace::sorting::set_of;
use std::collections::{BTreeMap, BTreeSet};

/// Limit for the sets of metrics that rows of a table may have.
const MAX_KINDS: usize = 64;

/// Figures with the same properties, of one block.
pub struct Item<'a> {
    pub file: usize,
    /// Number of its block, over all files.
    pub block: usize,
    pub part: usize,
    pub quotes: u32,
    pub context: &'a Context,
    pub above: &'a [(usize, String)],
    pub tool: &'static str,
    pub dimensions: Vec<NamedValue>,
    pub repeat: Option<String>,
    pub observations: Vec<&'a Observation>,
    pub distributions: &'a [LatencyDistribution],
    /// The deviations that its output has.
    pub deviations: &'a [(Place, f64)],
    /// What the output says of the complete measurement.
    pub facts: &'a [NamedValue],
    /// Name of the dimension of a table that is compared.
    pub side: Option<&'a str>,
    /// Name of the column of things that are compared where nothing else is.
    pub things: Option<&'a str>,
}

/// The items of a block: one for each set of dimensions and each repeat.
pub fn items<'a>(file: usize, block: usize, found: &'a Block) -> Vec<Item<'a>> {
    let mut groups: Vec<Item> = Vec::new();
    let mut groups_by_key: BTreeMap<(&[NamedValue], Option<&str>), usize> = BTreeMap::new();
    let (tool, observations, side, things) = match &found.content {
        Content::Output(output) => (output.tool, &output.observations, output.side, None),
        Content::Table(table) => {
            let names = (table.side.as_deref(), table.things.as_deref());
            ("table", &table.observations, names.0, names.1)
        }
    };
    for observation in observations {
        let key = (
            observation.dimensions.as_slice(),
            observation.repeat.as_deref(),
        );
        let index = *groups_by_key.entry(key).or_insert_with(|| {
            groups.push(Item {
                file,
                block,
                part: found.part,
                quotes: found.quotes,
                context: &found.context,
                above: &found.above,
                tool,
                dimensions: observation.dimensions.clone(),
                repeat: observation.repeat.clone(),
                observations: Vec::new(),
                distributions: &[],
                deviations: &[],
                facts: &[],
                side,
                things,
            });
            groups.len() - 1
        });
        groups[index].observations.push(observation);
    }
    if let Content::Output(output) = &found.content {
        for item in &mut groups {
            item.facts = &output.facts;
            item.deviations = &output.deviations;
        }
        if groups.len() == output.distributions.len() {
            for (item, distribution) in groups.iter_mut().zip(output.distributions.chunks(1)) {
                item.distributions = distribution;
            }
        } else if let Some(first) = groups.first_mut() {
            first.distributions = &output.distributions;
        }
    }
    groups
}

/// Outputs of one program can be compared; tables if they have the same dimensions and metrics. A
/// row that has no figure of some metrics belongs to the rows that have all of them.
pub fn families_of(items: &[Item]) -> Vec<String> {
    let names: Vec<(BTreeSet<String>, BTreeSet<&str>)> = items
        .iter()
        .map(|item| {
            let keys = item.dimensions.iter().map(NamedValue::key);
            let metrics = item.observations.iter().map(|o| o.metric.key.as_str());
            (keys.collect(), metrics.collect())
        })
        .collect();
    let kinds: BTreeSet<_> = set_of(names.iter());
    items
        .iter()
        .zip(&names)
        .map(|(item, (keys, metrics))| {
            if item.tool != "table" {
                return item.tool.to_owned();
            }
            let fuller = kinds
                .iter()
                .take(MAX_KINDS)
                .filter(|(others, more)| others == keys && metrics.is_subset(more));
            let most = fuller.max_by_key(|(_, more)| more.len());
            let metrics = most.map_or(metrics, |(_, more)| more);
            format!("table {keys:?} {metrics:?}")
        })
        .collect()
}
