//! fio's normal output: from its first line to the last one that belongs to the same invocation.
//! People cut outputs: each part may be missing, and an excerpt may be a single line.

use super::figures::{Measured, Operation, Quantity, Stage, Statistic};
use super::invocation::{Group, Invocation, Job, MAX_JOBS};
use super::job_end::{JobEnd, apart};
use super::lines::{self, FioLine};
use super::sums::ALL_CLIENTS;
use super::words::Shown;
use super::wrapped::unwrapped;
use crate::line::Line;
use crate::recognise::Cursor;
use crate::structure::heading;

/// Lines that fio does not know, between the first line of a job and its results.
const MAX_UNKNOWN: usize = 2;

/// The result of one invocation.
pub struct NormalOutput {
    pub invocation: Invocation,
    /// Offset of the line behind it.
    pub end: usize,
}

/// The output that begins at an offset.
pub fn read(cursor: Cursor, offset: usize) -> Option<NormalOutput> {
    if !begins(cursor, offset) {
        return None;
    }
    let mut reading = Reading::new(cursor, offset);
    while reading.step() {}
    reading.finish();
    (reading.end > offset).then_some(NormalOutput {
        invocation: reading.invocation,
        end: reading.end,
    })
}

/// Whether fio's output may begin at a line. A version alone is a label of what is below it unless
/// fio continues there.
fn begins(cursor: Cursor, offset: usize) -> bool {
    let line = without_host(cursor.text(offset));
    match lines::read(line) {
        Some(FioLine::Version(_) | FioLine::Starting(_)) => {
            let next = (offset + 1..offset + 4).find(|&i| !cursor.text(i).trim().is_empty());
            let next = next.and_then(|next| lines::read(without_host(cursor.text(next))));
            matches!(
                next,
                Some(FioLine::Starting(_) | FioLine::Job { .. } | FioLine::Other)
            )
        }
        Some(FioLine::PercentileRow(entries)) => !entries.is_empty(),
        Some(FioLine::Other | FioLine::DiskStats | FioLine::Issued(_) | FioLine::Host(_)) => false,
        Some(_) => true,
        None => false,
    }
}

fn without_host(text: &str) -> &str {
    lines::host(text).map_or(
        text,
        |(_, rest)| if rest.trim().is_empty() { text } else { rest },
    )
}

/// The parts of an output, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Head,
    Jobs,
    Groups,
}

struct Reading<'a> {
    cursor: Cursor<'a>,
    offset: usize,
    end: usize,
    section: Section,
    invocation: Invocation,
    /// Processes and ends of all jobs, to tell clones from a second invocation.
    started: u32,
    ended: Vec<JobEnd>,
    /// Whether there are clients, of which each has its own closing lines.
    clients: bool,
    client: usize,
    host: Option<String>,
    /// The stage and the factor of the percentiles that follow.
    percentiles: Option<(Stage, f64)>,
    unknown: usize,
}

impl<'a> Reading<'a> {
    fn new(cursor: Cursor<'a>, offset: usize) -> Reading<'a> {
        Reading {
            cursor,
            offset,
            end: offset,
            section: Section::Head,
            invocation: Invocation::default(),
            started: 0,
            ended: Vec::new(),
            clients: false,
            client: 0,
            host: None,
            percentiles: None,
            unknown: 0,
        }
    }

    /// Reads a line; `false` behind the last one.
    fn step(&mut self) -> bool {
        let Some((line, next)) = unwrapped(self.cursor, self.offset) else {
            return false;
        };
        if line.is_blank() {
            self.offset = next;
            return true;
        }
        let text = line.text();
        let (host, text) = match lines::host(text) {
            Some((host, rest)) => (Some(host), if rest.trim().is_empty() { text } else { rest }),
            None => (None, text),
        };
        let Some(read) = lines::read(text) else {
            return self.skip_unknown();
        };
        if let Some(host) = host {
            self.clients = true;
            self.host = Some(host.to_owned());
        }
        if !self.take(read, &line) {
            return false;
        }
        self.unknown = 0;
        self.offset = next;
        self.end = next;
        true
    }

    /// Skips a message of fio or of a program between the first lines and the results.
    fn skip_unknown(&mut self) -> bool {
        let text = self.cursor.text(self.offset);
        let next = self.cursor.text(self.offset + 1);
        let title = heading::titled(text, next).is_some() || heading::bare(text).is_some();
        let open = self.section == Section::Head && !self.invocation.announced.is_empty();
        self.unknown += 1;
        let skipped =
            open && !title && self.unknown <= MAX_UNKNOWN && !text.trim().starts_with('{');
        self.offset += usize::from(skipped);
        skipped
    }

    /// Adds what a line says; `false` if it begins a second invocation.
    #[expect(
        clippy::too_many_lines,
        reason = "a table: one arm per line of the output of fio"
    )]
    fn take(&mut self, read: FioLine, line: &Line) -> bool {
        match read {
            FioLine::Announced {
                name,
                group,
                options,
            } => {
                if self.section != Section::Head || self.invocation.announced.len() >= MAX_JOBS {
                    return false;
                }
                self.invocation.announced.push(Job {
                    name: name.to_owned(),
                    group,
                    options,
                    ..Job::default()
                });
            }
            FioLine::Version(version) => {
                if self.section != Section::Head || self.invocation.version.is_some() {
                    return false;
                }
                self.invocation.version = Some(version.to_owned());
            }
            FioLine::Starting(count) => {
                if self.section != Section::Head || self.started > 0 && !self.clients {
                    return false;
                }
                self.started = self.started.saturating_add(count);
            }
            FioLine::Client => {
                if self.section != Section::Head {
                    return false;
                }
                self.clients = true;
            }
            FioLine::Job {
                name,
                group,
                processes,
                error,
                pid,
                date,
            } => {
                let end = JobEnd {
                    name: name.to_owned(),
                    group,
                    pid,
                    date: date.to_owned(),
                };
                if !self.begin_job(end) {
                    return false;
                }
                let job = Job {
                    name: name.to_owned(),
                    group,
                    processes,
                    host: self.host.clone().filter(|_| name != ALL_CLIENTS),
                    client: self.client,
                    error: error.map(str::to_owned),
                    ..Job::default()
                };
                self.invocation.jobs.push(job);
            }
            FioLine::Operation { operation, figures } => {
                if !self.enter_jobs() {
                    return false;
                }
                let job = self.invocation.last_job();
                if job.measured.iter().any(|m| m.operation == Some(operation)) {
                    return false;
                }
                job.measured.push(Measured::new(operation));
                self.add_figures(figures, line);
            }
            FioLine::Sync => {
                if !self.enter_jobs() {
                    return false;
                }
                self.invocation
                    .last_job()
                    .measured
                    .push(Measured::new(Operation::Sync));
            }
            FioLine::Latency { stage, figures } => {
                if !self.enter_jobs() {
                    return false;
                }
                if self.invocation.last_measured().has_stage(stage) {
                    return false;
                }
                self.add_figures(figures, line);
            }
            FioLine::Samples(quantity, mean) => {
                if !self.enter_jobs() {
                    return false;
                }
                let measured = self.invocation.last_measured();
                if measured.operation.is_none() {
                    if measured.figure(quantity).is_some() {
                        return false;
                    }
                    self.add_figures([(quantity, mean)], line);
                }
            }
            FioLine::Percentiles(stage) => {
                if !self.enter_jobs() {
                    return false;
                }
                self.percentiles = stage;
            }
            FioLine::PercentileRow(entries) => {
                if self.section == Section::Groups {
                    return false;
                }
                if let Some((stage, factor)) = self.percentiles {
                    let figures = entries.into_iter().map(|(percent, (word, value))| {
                        let statistic = Statistic::Percentile(percent);
                        (Quantity::Latency(stage, statistic), (word, value * factor))
                    });
                    self.add_figures(figures, line);
                }
            }
            FioLine::Issued(counts) => self.invocation.add_counts(counts),
            FioLine::Group(id) => {
                if self.repeats_group(id) || self.invocation.groups.len() >= MAX_JOBS {
                    return false;
                }
                self.section = Section::Groups;
                self.invocation.groups.push(Group {
                    id,
                    client: self.client,
                    measured: Vec::new(),
                });
            }
            FioLine::GroupRate { operation, rate } => {
                self.section = Section::Groups;
                let group = self.invocation.last_group(self.client);
                if group
                    .measured
                    .iter()
                    .any(|m| m.operation == Some(operation))
                {
                    return false;
                }
                let mut measured = Measured::new(operation);
                measured.add(Quantity::Rate, rate.1, line.place_of(rate.0));
                group.measured.push(measured);
            }
            FioLine::DiskStats => self.section = Section::Groups,
            FioLine::Host(_) | FioLine::Other => {}
        }
        true
    }

    /// Goes on with figures of a job; `false` behind the closing lines of a group.
    fn enter_jobs(&mut self) -> bool {
        let open = self.section != Section::Groups;
        if open {
            self.section = Section::Jobs;
            self.percentiles = None;
        }
        open
    }

    /// Whether a job is part of this invocation; forgets reports before its end
    /// (`--status-interval`).
    fn begin_job(&mut self, end: JobEnd) -> bool {
        if self.ended.len() >= MAX_JOBS {
            return false;
        }
        self.percentiles = None;
        let again = |earlier: &JobEnd| earlier.name == end.name && earlier.group == end.group;
        if self.section == Section::Groups && self.clients {
            // The next client has closing lines of its own.
            self.client += 1;
        } else if self.section == Section::Groups {
            let update = self.ended.iter().any(|earlier| {
                again(earlier)
                    && earlier.pid == end.pid
                    && end.pid.is_some()
                    && apart(earlier, &end)
            });
            if !update {
                return false;
            }
            self.invocation.jobs.clear();
            self.invocation.groups.clear();
            self.ended.clear();
        } else if !self.clients {
            let full = self.started > 0 && self.invocation.processes() >= self.started;
            let second = self.ended.iter().any(|earlier| {
                again(earlier)
                    && (earlier.pid == end.pid && end.pid.is_some() || apart(earlier, &end))
            });
            if full || second {
                return false;
            }
        }
        self.section = Section::Jobs;
        self.ended.push(end);
        true
    }

    fn add_figures<'t>(
        &mut self,
        figures: impl IntoIterator<Item = (Quantity, Shown<'t>)>,
        line: &Line,
    ) {
        let measured = self.invocation.last_measured();
        for (quantity, (word, value)) in figures {
            measured.add(quantity, value, line.place_of(word));
        }
    }

    /// Whether the closing lines of a group were read before.
    fn repeats_group(&self, id: Option<u32>) -> bool {
        self.invocation
            .groups
            .iter()
            .any(|group| group.id == id && group.client == self.client)
    }

    /// Gives jobs the options that were announced; the lines of an excerpt have no name of a job.
    fn finish(&mut self) {
        let announced = self.invocation.announced.clone();
        if let Some(only) = self.invocation.only_announced().cloned() {
            for job in &mut self.invocation.jobs {
                if job.name.is_empty() {
                    job.name.clone_from(&only.name);
                }
            }
        }
        self.invocation.take_options(&announced);
    }
}
