//! Decides which titles of one form are below which others. `before:` may be followed by `read:`
//! and `write:`, or `read:` by `before:` and `after:`; only their meaning and their order show it.

use super::context::{Context, Heading, level};
use super::heading::{self, TitleKind};
use seekscope_trace::sorting::SortShort;
use std::collections::BTreeMap;

/// Limit for the depth of titles of one form.
pub const DEPTHS: u8 = 8;
/// Depth of the first kind of titles of a form: others may come to be above them.
const FIRST_DEPTH: u8 = 3;

/// What a title names, and whether the text has it more than once: `disk A:` and `disk B:` are each
/// above `first pass:`.
type Kind = (TitleKind, bool);

/// The depths of the titles of a text.
#[derive(Clone, Debug, Default)]
pub struct Nesting {
    depths: BTreeMap<(u8, Kind), u8>,
    /// Form and kind of the last title, if no block is below it.
    last: Option<(u8, Kind)>,
    /// Forms whose titles are below those of a weaker form: `# rm` below `5.4`.
    demoted: BTreeMap<u8, u8>,
}

impl Nesting {
    /// A block is below the titles so far.
    pub fn close(&mut self) {
        self.last = None;
    }

    /// Adds a title of a form (see [`level`](super::context::level)) to a context. It takes the
    /// place of titles of its depth and below.
    pub fn add(&mut self, context: &mut Context, form: u8, heading: Heading, is_repeated: bool) {
        let kind = (heading::kind(&heading.label), is_repeated);
        let form = self.form_of(form, kind.0);
        let above = self
            .last
            .filter(|(last, other)| *last == form && *other != kind);
        let depth_of = |depths: &BTreeMap<_, u8>, kind| depths.get(&(form, kind)).copied();
        let outer = above.and_then(|(_, other)| depth_of(&self.depths, other));
        let depth = match (depth_of(&self.depths, kind), outer) {
            // The title directly above is one of those that this kind is below.
            (Some(depth), Some(outer)) if outer >= depth && depth > 0 => {
                if let Some((_, other)) = above {
                    self.depths.insert((form, other), depth - 1);
                    let from = form * DEPTHS + outer;
                    let moved = context
                        .headings
                        .iter_mut()
                        .find(|title| title.level == from);
                    if let Some(moved) = moved {
                        moved.level = form * DEPTHS + depth - 1;
                    }
                    context.headings.sort_short_by_key(|heading| heading.level);
                }
                depth
            }
            (Some(depth), _) => depth,
            (None, Some(outer)) => (outer + 1).min(DEPTHS - 1),
            (None, None) => self.first_depth(context, form, kind),
        };
        self.depths.insert((form, kind), depth);
        self.last = Some((form, kind));
        let level = form * DEPTHS + depth;
        context.headings.retain(|other| other.level < level);
        context.headings.push(Heading { level, ..heading });
    }

    /// The form as which a title counts: a test, or a caption, directly below a side is below it,
    /// however strong its own form is.
    fn form_of(&mut self, form: u8, kind: TitleKind) -> u8 {
        let is_part = kind == TitleKind::Test || kind == TitleKind::Other && form >= level::CAPTION;
        let below = |last: &(u8, Kind)| last.0 > form && last.1.0 == TitleKind::Side;
        if let Some((weaker, _)) = self.last.filter(below).filter(|_| is_part) {
            self.demoted.entry(form).or_insert(weaker);
        }
        match self.demoted.get(&form) {
            Some(weaker) if kind != TitleKind::Side => *weaker,
            _ => form,
        }
    }

    /// Tests between blocks of a side are parts of it; any other title replaces those of its form.
    fn first_depth(&self, context: &Context, form: u8, kind: Kind) -> u8 {
        let is_open = |depth: &u8| {
            let level = form * DEPTHS + depth;
            context
                .headings
                .iter()
                .any(|heading| heading.level == level)
        };
        let sides = [false, true].map(|is_repeated| (form, (TitleKind::Side, is_repeated)));
        let depths = sides.iter().filter_map(|side| self.depths.get(side));
        match depths.copied().find(is_open) {
            Some(depth) if kind.0 == TitleKind::Test => depth + 1,
            // It takes the place of the title that is nearest.
            _ => {
                let same = context.headings.iter().filter(|h| h.level / DEPTHS == form);
                same.map(|heading| heading.level % DEPTHS)
                    .max()
                    .unwrap_or(FIRST_DEPTH)
            }
        }
    }
}
