//! Commands of a shell between outputs, and what they tell of these.

use super::{Block, Content, Scan};
use crate::structure::context::{FILE, FOLDER, HOST, Heading, SessionFact, level};
use crate::structure::heading;
use crate::structure::prompt::{self, Prompt};
use crate::structure::revealed::{self, Revealed};
use std::rc::Rc;

impl Scan<'_> {
    /// Whether a line is the name that `grep` printed before the line behind it.
    pub(super) fn is_file_name(&self, index: usize) -> bool {
        let next = self.lines.get(index + 1);
        next.is_some_and(|next| self.lines[index].is_front_of(next))
    }

    /// Keeps the name of the file that the lines below are from; the line behind it. It is no
    /// heading: the same files may be below several.
    pub(super) fn add_file_name(&mut self, index: usize) -> usize {
        let line = &self.lines[index];
        let name = line.text().trim_end_matches([':', '-']).to_owned();
        let fact = SessionFact {
            key: FILE.to_owned(),
            value: name.clone(),
            place: line.place(0..name.len()),
        };
        self.context_mut().add_fact(fact);
        self.grepped = Some(name);
        index + 1
    }

    /// Forgets the name that `grep` printed, at a title or a command that is not from its file.
    pub(super) fn leave_file(&mut self, index: usize) {
        let front = self.lines[index].front();
        if let Some(name) = self.grepped.take_if(|name| !front.contains(name.as_str())) {
            let is_left = |fact: &SessionFact| fact.key == FILE && fact.value == name;
            self.context_mut().facts.retain(|fact| !is_left(fact));
        }
    }

    /// Leaves the part of the last command that has printed its times.
    pub(super) fn pass_command(&mut self) {
        let is_time = |block: &Block| match &block.content {
            Content::Output(output) => output.tool == "time",
            Content::Table(_) => false,
        };
        let command = self.context.command.as_deref();
        let rest = command.and_then(behind_timed).map(str::to_owned);
        if rest.is_some() && self.found.last().is_some_and(is_time) {
            self.context_mut().command = rest;
        }
    }

    /// Keeps what a command reveals; the line behind what was used of its output.
    pub(super) fn add_command(&mut self, index: usize, prompt: Prompt) -> usize {
        self.leave_file(index);
        let line = &self.lines[index];
        let Prompt {
            host,
            folder,
            command,
        } = prompt;
        let place = line.place_of(command);
        for (key, value) in [(HOST, host), (FOLDER, folder)] {
            let Some(value) = value else { continue };
            self.context_mut().add_fact(SessionFact {
                key: key.to_owned(),
                value: value.to_owned(),
                place: line.place_of(value),
            });
        }
        self.context_mut().command = Some(command.to_owned());
        let mut end = index + 1;
        let revealed = revealed::revealed(command);
        // A command that prints nothing sets something: `tuned-adm profile powersave`.
        let next = self.lines[end..].iter().find(|next| !next.is_blank());
        let is_silent = next.is_some_and(|next| prompt::prompt(next.text()).is_some());
        if let Some((program, rest)) = command
            .split_once(' ')
            .filter(|_| is_silent && revealed.is_empty())
        {
            self.context_mut().add_fact(SessionFact {
                key: program.rsplit('/').next().unwrap_or(program).to_owned(),
                value: rest.trim().to_owned(),
                place,
            });
        }
        for revealed in revealed {
            match revealed {
                Revealed::Fact { key, value } => {
                    self.context_mut()
                        .add_fact(SessionFact { key, value, place })
                }
                Revealed::File(path) => {
                    self.context_mut().add_fact(SessionFact {
                        key: FILE.to_owned(),
                        value: path,
                        place,
                    });
                }
                Revealed::Title(title) => {
                    let label = heading::titled(&title, "")
                        .map_or(title.as_str(), |(_, label)| label)
                        .to_owned();
                    let heading = Heading {
                        level: level::BARE,
                        label,
                        place,
                    };
                    let context = Rc::make_mut(&mut self.context);
                    self.nesting.add(context, level::BARE, heading, false);
                    // The output of `echo` is the title again.
                    if self
                        .lines
                        .get(end)
                        .is_some_and(|next| next.text().trim() == title.trim())
                    {
                        end += 1;
                    }
                }
                Revealed::Next { key, form } => {
                    let Some(next) = self.lines.get(end) else {
                        continue;
                    };
                    if let Some(value) = revealed::value_of(form, next.text()) {
                        let place = next.place(0..next.text().len());
                        self.context_mut()
                            .add_fact(SessionFact { key, value, place });
                        end += 1;
                    }
                }
                Revealed::Nothing => {}
            }
        }
        end
    }
}

/// The rest of a command of which one `time` has printed its times: `time sync` of
/// `time cp -a a b; time sync`.
pub(super) fn behind_timed(command: &str) -> Option<&str> {
    let (_, rest) = command.split_once("time ")?;
    let ends = [";", "&&"].iter().filter_map(|mark| rest.find(mark));
    let rest = rest[ends.min()?..].trim_start_matches([';', '&', ' ']);
    rest.starts_with("time ").then_some(rest)
}
