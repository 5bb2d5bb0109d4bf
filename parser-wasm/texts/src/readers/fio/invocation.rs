//! One invocation of fio, whatever the form of its report: its jobs, and what they measured.
//!
//! Jobs are clones if they have the same name and group: fio ran them at the same time as one job
//! (`numjobs`), and their rates add up. Nothing else is added.

use super::clones::joined;
use super::figures::{Measured, Operation, metric};
use super::options::Options;
use super::sums::{ALL_CLIENTS, ALL_JOBS};
use crate::observation::{Fact, LatencyDistribution, NamedValue, Observation};
use crate::recognise::Output;
use seekscope_trace::sorting::set_of;
use std::collections::BTreeSet;

/// Jobs of one invocation; others are another one.
pub const MAX_JOBS: usize = 2000;
#[derive(Clone, Debug, Default)]
pub struct Job {
    pub name: String,
    pub group: Option<u32>,
    /// Machine of a test with several of them.
    pub host: Option<String>,
    /// Number of the client of that test, from 0.
    pub client: usize,
    /// Number of processes that this job stands for.
    pub processes: Option<u32>,
    pub options: Options,
    pub measured: Vec<Measured>,
    /// Words of the error that ended it.
    pub error: Option<String>,
    /// The other statements of the report, for people.
    pub remarks: Vec<Fact>,
}

impl Job {
    fn is_clone(&self, other: &Job) -> bool {
        self.name == other.name
            && self.group == other.group
            && self.host == other.host
            && self.client == other.client
    }
}

/// The closing lines of a group: rates of all its jobs.
#[derive(Clone, Debug, Default)]
pub struct Group {
    pub id: Option<u32>,
    pub client: usize,
    pub measured: Vec<Measured>,
}

#[derive(Clone, Debug, Default)]
pub struct Invocation {
    pub version: Option<String>,
    pub jobs: Vec<Job>,
    pub groups: Vec<Group>,
    /// The names and options of the jobs, as fio prints them before they run.
    pub announced: Vec<Job>,
    /// When it ran, as the report says it.
    pub time: Option<String>,
}

impl Invocation {
    pub fn is_empty(&self) -> bool {
        let measured = self.jobs.iter().flat_map(|job| &job.measured);
        let groups = self.groups.iter().flat_map(|group| &group.measured);
        measured.chain(groups).all(|m| m.figures.is_empty())
    }

    /// Number of processes whose results were printed.
    pub fn processes(&self) -> u32 {
        self.jobs
            .iter()
            .map(|job| job.processes.unwrap_or(1))
            .fold(0, u32::saturating_add)
    }

    /// The job that the lines belong to; one without a name in an excerpt.
    pub fn last_job(&mut self) -> &mut Job {
        let jobs = &mut self.jobs;
        if jobs.is_empty() {
            jobs.push(Job::default());
        }
        let last = jobs.len() - 1;
        &mut jobs[last]
    }

    pub fn last_measured(&mut self) -> &mut Measured {
        let measured = &mut self.last_job().measured;
        if measured.is_empty() {
            measured.push(Measured::default());
        }
        let last = measured.len() - 1;
        &mut measured[last]
    }

    pub fn last_group(&mut self, client: usize) -> &mut Group {
        let groups = &mut self.groups;
        if groups.is_empty() {
            groups.push(Group {
                client,
                ..Group::default()
            });
        }
        let last = groups.len() - 1;
        &mut groups[last]
    }

    pub fn add_counts(&mut self, counts: [Option<f64>; 4]) {
        let operations = [
            Operation::Read,
            Operation::Write,
            Operation::Trim,
            Operation::Sync,
        ];
        let Some(job) = self.jobs.last_mut() else {
            return;
        };
        for (operation, count) in operations.into_iter().zip(counts) {
            for measured in &mut job.measured {
                if measured.operation == Some(operation) {
                    measured.count = count;
                }
            }
        }
    }

    /// The job that was announced, if there is only one.
    pub fn only_announced(&self) -> Option<&Job> {
        let (first, others) = self.announced.split_first()?;
        let same = |other: &Job| other.name == first.name && other.options == first.options;
        others.iter().all(same).then_some(first)
    }

    /// Gives jobs the options that were announced, here or in another form of the report.
    pub fn take_options(&mut self, announced: &[Job]) {
        for job in &mut self.jobs {
            let exact = announced.iter().find(|announced_job| {
                announced_job.name == job.name && announced_job.group == job.group
            });
            let named = || {
                announced
                    .iter()
                    .find(|announced_job| announced_job.name == job.name)
            };
            if let Some(announced_job) = exact.or_else(named)
                && job.options.pattern.is_none()
            {
                job.options = announced_job.options.clone();
            }
        }
    }

    /// The output with the figures; `end` is the line behind it.
    pub fn output(mut self, end: usize) -> Output {
        self.complete_sums();
        self.join_clones();
        let mut output = Output {
            tool: "fio",
            end,
            ..Output::default()
        };
        let names = Names::new(&self);
        for job in &self.jobs {
            for measured in &job.measured {
                let dimensions = names.dimensions(job, measured.operation);
                add(measured, &dimensions, &mut output.observations);
            }
        }
        for group in &self.groups {
            self.add_group(group, &names, &mut output.observations);
        }
        self.add_sums(&names, &mut output.sums);
        let time = self.time.iter();
        output.remarks = time
            .map(|time| Fact::text("recorded_at", "Recorded at", time))
            .chain(self.jobs.iter_mut().flat_map(|job| job.remarks.drain(..)))
            .collect();
        if let [job] = self.jobs.as_slice() {
            output.distributions = job.measured.iter().filter_map(distribution).collect();
        }
        output.facts = names.facts;
        if let Some(version) = &self.version {
            output.facts.push(NamedValue::new("fio", version));
        }
        if let Some(error) = self.jobs.iter().find_map(|job| job.error.as_deref()) {
            output.facts.push(NamedValue::new("error", error));
        }
        output
    }

    /// Sums over clients have the options of their jobs, if those are the same.
    fn complete_sums(&mut self) {
        let is_sum = |job: &&mut Job| job.name == ALL_CLIENTS;
        let mut parts = self.jobs.iter().filter(|job| job.name != ALL_CLIENTS);
        let Some(options) = parts.next().map(|job| job.options.clone()) else {
            return;
        };
        if parts.all(|job| job.options == options) {
            for job in self.jobs.iter_mut().filter(is_sum) {
                job.options = options.clone();
            }
        }
    }

    /// Joins clones into one job.
    fn join_clones(&mut self) {
        let mut sets: Vec<Vec<Job>> = Vec::new();
        for job in std::mem::take(&mut self.jobs) {
            match sets.iter_mut().find(|set| set[0].is_clone(&job)) {
                Some(set) => set.push(job),
                None => sets.push(vec![job]),
            }
        }
        // The machines of a test are distinguished by their names. Those that have none, or the
        // same one, are part of the sum that fio prints.
        let summed = sets.iter().any(|set| set[0].name == ALL_CLIENTS);
        let shadowed = |set: &[Job], other: &[Job]| {
            let (job, other) = (&set[0], &other[0]);
            job.client != other.client && job.name == other.name && job.host == other.host
        };
        let dropped: Vec<bool> = sets
            .iter()
            .map(|set| summed && sets.iter().any(|other| shadowed(set, other)))
            .collect();
        let mut dropped = dropped.into_iter();
        sets.retain(|_| dropped.next() != Some(true));
        self.jobs = sets
            .into_iter()
            .map(|set| joined(set, &self.groups))
            .collect();
    }

    /// The sum of a group, unless one of its jobs is the same.
    fn add_group(&self, group: &Group, names: &Names, observations: &mut Vec<Observation>) {
        // Groups of several machines have the same numbers.
        if self.groups.iter().any(|other| other.client != group.client) {
            return;
        }
        for measured in &group.measured {
            // The lines of an excerpt have no first line that would name the group.
            let is_member =
                |job: &&Job| job.group == group.id || group.id.is_none() || job.group.is_none();
            let members = self.jobs.iter().filter(is_member);
            let doing = members
                .filter(|job| {
                    job.measured
                        .iter()
                        .any(|m| m.operation == measured.operation)
                })
                .count();
            if doing != 1 {
                let dimensions = names.group_dimensions(group, doing > 1);
                add(measured, &dimensions, observations);
            }
        }
    }
}

fn add(measured: &Measured, dimensions: &[NamedValue], observations: &mut Vec<Observation>) {
    observations.extend(measured.figures.iter().map(|figure| Observation {
        metric: metric(measured.operation, figure.quantity),
        value: figure.value,
        place: figure.place,
        dimensions: dimensions.to_vec(),
        repeat: None,
    }));
}

fn distribution(measured: &Measured) -> Option<LatencyDistribution> {
    let operation = measured.operation?;
    (!measured.bins.is_empty()).then(|| LatencyDistribution {
        operation: operation.name().to_owned(),
        bins: measured
            .bins
            .iter()
            .map(|(ns, count)| (*ns as f64, *count))
            .collect(),
    })
}

/// The dimensions that distinguish the jobs of an invocation.
pub(super) struct Names {
    /// Names of the dimensions that jobs have different values of.
    varying: Vec<&'static str>,
    /// The values that all jobs have in common.
    facts: Vec<NamedValue>,
    /// The job of an excerpt that has only the lines of its group.
    only: Option<Job>,
    several_groups: bool,
}

/// Properties of a job besides its operations.
fn properties(job: &Job) -> [(&'static str, Option<String>); 7] {
    [
        (
            "job",
            Some(job.name.clone()).filter(|name| !name.is_empty()),
        ),
        ("host", job.host.clone()),
        ("group", job.group.map(|id| id.to_string())),
        ("client", Some(job.client.to_string())),
        ("iodepth", job.options.depth.clone()),
        (
            "numjobs",
            job.processes
                .max(job.options.clones)
                .map(|count| count.to_string()),
        ),
        ("ioengine", job.options.engine.clone()),
    ]
}

impl Names {
    fn new(invocation: &Invocation) -> Names {
        let all: Vec<_> = invocation
            .jobs
            .iter()
            .filter(|job| !job.measured.is_empty())
            .map(properties)
            .collect();
        let mut names = Names {
            varying: Vec::new(),
            facts: Vec::new(),
            only: None,
            several_groups: invocation
                .groups
                .iter()
                .any(|group| group.id != invocation.groups[0].id),
        };
        names.only = match invocation.jobs.as_slice() {
            [job] => Some(job.clone()),
            [] => invocation.only_announced().cloned(),
            _ => None,
        };
        let Some(first) = all.first() else {
            return names;
        };
        for (index, (name, value)) in first.iter().enumerate() {
            if all.iter().any(|other| other[index].1 != *value) {
                names.varying.push(name);
            } else if let Some(value) = value
                && !matches!(*name, "group" | "client")
            {
                names.facts.push(NamedValue::new(name, value));
            }
        }
        // A group or a client is named only where jobs cannot be distinguished without it.
        for name in ["group", "client"] {
            let rest: Vec<&str> = names
                .varying
                .iter()
                .copied()
                .filter(|other| *other != name)
                .collect();
            let values = |job: &[(&'static str, Option<String>)]| -> Vec<Option<String>> {
                let remaining = job.iter().filter(|(name, _)| rest.contains(name));
                remaining.map(|(_, value)| value.clone()).collect()
            };
            let distinct: BTreeSet<_> = set_of(all.iter().map(|job| values(job)));
            if distinct.len() == all.len() {
                names.varying.retain(|other| *other != name);
            }
        }
        names
    }

    fn dimensions(&self, job: &Job, operation: Option<Operation>) -> Vec<NamedValue> {
        let mut dimensions = Vec::new();
        for (name, value) in properties(job) {
            if let Some(value) = value.filter(|_| self.varying.contains(&name)) {
                dimensions.push(NamedValue::new(name, &value));
            }
        }
        if let Some(pattern) = &job.options.pattern {
            dimensions.push(NamedValue::new("rw", pattern));
        }
        let sizes = &job.options.block_sizes;
        let size = match operation {
            Some(Operation::Read) => sizes[0].as_deref(),
            Some(Operation::Write) => sizes[1].as_deref(),
            Some(Operation::Trim) => sizes[2].as_deref(),
            _ => job.options.common_block_size().or(sizes[1].as_deref()),
        };
        if let Some(size) = size {
            dimensions.push(NamedValue::new("bs", size));
        }
        dimensions
    }

    /// The dimensions of the sum of a group: of several jobs, or of jobs that the text does not
    /// show.
    pub(super) fn group_dimensions(&self, group: &Group, several: bool) -> Vec<NamedValue> {
        let mut dimensions = match &self.only {
            Some(job) if !several => self.dimensions(job, None),
            _ if several => vec![NamedValue::new("job", ALL_JOBS)],
            _ => Vec::new(),
        };
        if let Some(id) = group.id.filter(|_| self.several_groups) {
            dimensions.push(NamedValue::new("group", &id.to_string()));
        }
        dimensions
    }
}
