//! Commands of a shell between outputs, and what they tell of these.

use super::Scan;
use crate::structure::context::{HOST, Heading, SessionFact, level};
use crate::structure::heading;
use crate::structure::prompt::{self, Prompt};
use crate::structure::revealed::{self, Revealed};
use std::rc::Rc;

impl Scan<'_> {
    /// Keeps what a command reveals; the line behind what was used of its output.
    pub(super) fn add_command(&mut self, index: usize, prompt: Prompt) -> usize {
        let line = &self.lines[index];
        let Prompt { host, command } = prompt;
        let place = line.place_of(command);
        if let Some(host) = host {
            self.context_mut().add_fact(SessionFact {
                key: HOST.to_owned(),
                value: host.to_owned(),
                place: line.place_of(host),
            });
        }
        self.context_mut().command = Some(command.to_owned());
        let mut end = index + 1;
        let revealed = revealed::revealed(command);
        // A command that prints nothing sets something: `tuned-adm profile powersave`.
        let next = self.lines.get(end).filter(|next| !next.is_blank());
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
                        key: "file".to_owned(),
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
                    self.nesting.add(context, level::BARE, heading);
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
