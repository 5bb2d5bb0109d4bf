//! Sums of the jobs of a group, where the report does not print them. They join the run of a trace,
//! and no table.

use super::figures::{Figure, Measured, Operation, Quantity, metric};
use super::invocation::{Group, Invocation, Names};
use crate::observation::Observation;
use std::collections::BTreeMap;

/// Name of the job that is the sum of a group.
pub const ALL_JOBS: &str = "all jobs";
/// fio's own sum over the machines of a test.
pub const ALL_CLIENTS: &str = "All clients";

/// Whether a job is the sum of others.
pub fn is_sum(job: &str) -> bool {
    job == ALL_JOBS || job == ALL_CLIENTS
}

impl Invocation {
    /// The sums of jobs of one group, which ran at the same time, that the report does not print.
    pub(super) fn add_sums(&self, names: &Names, sums: &mut Vec<Observation>) {
        let is_one_client = self
            .jobs
            .iter()
            .all(|job| job.client == self.jobs[0].client);
        if !is_one_client || self.jobs.iter().any(|job| is_sum(&job.name)) {
            return;
        }
        let mut measured: BTreeMap<u32, Vec<&Measured>> = BTreeMap::new();
        for job in &self.jobs {
            if let Some(group) = job.group {
                measured.entry(group).or_default().extend(&job.measured);
            }
        }
        let mut printed: BTreeMap<u32, &Group> = BTreeMap::new();
        for group in &self.groups {
            if let Some(id) = group.id {
                printed.entry(id).or_insert(group);
            }
        }
        for (id, measured) in measured {
            let group = Group {
                id: Some(id),
                ..Group::default()
            };
            let dimensions = names.group_dimensions(&group, true);
            for operation in Operation::ALL.map(Some) {
                let parts: Vec<&Measured> = (measured.iter().copied())
                    .filter(|part| part.operation == operation)
                    .collect();
                let sum = (printed.get(&id))
                    .and_then(|group| group.measured.iter().find(|m| m.operation == operation));
                for quantity in [Quantity::Iops, Quantity::Rate] {
                    let is_printed = sum.and_then(|sum| sum.figure(quantity)).is_some();
                    if parts.len() > 1
                        && !is_printed
                        && let Some(figure) = sum_of(&parts, quantity)
                    {
                        sums.push(Observation {
                            metric: metric(operation, quantity),
                            value: figure.value,
                            place: figure.place,
                            dimensions: dimensions.clone(),
                            repeat: None,
                        });
                    }
                }
            }
        }
    }
}

/// The sum of a figure that all have; `None` if one is no measurement.
fn sum_of(parts: &[&Measured], quantity: Quantity) -> Option<Figure> {
    let figures: Option<Vec<Figure>> = parts.iter().map(|part| part.figure(quantity)).collect();
    let figures = figures.filter(|all| all.iter().all(|figure| figure.value >= 0.0))?;
    Some(Figure {
        value: figures.iter().map(|figure| figure.value).sum(),
        ..*figures.first()?
    })
}
