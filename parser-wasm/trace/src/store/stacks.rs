//! The paths through the kernel by which requests were submitted and issued, where call stacks were
//! recorded with the events of the block layer.
//!
//! Stacks are a tree, so that each begin of a path is there once: from the entry into the kernel
//! inwards.

/// A request without a stack, and the parent of an outermost frame.
pub const NO_FRAME: u32 = u32::MAX;

/// A function in the place that it has on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StackFrame {
    /// The frame that called it; it has a smaller number. [`NO_FRAME`] for an outermost one.
    pub parent: u32,
    /// Index of [`CallStacks::functions`].
    pub function: u32,
}

/// The event whose stack is that of a request's submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StackEvent {
    /// No stack fits.
    #[default]
    None,
    /// A bio was queued: always by its submitter.
    Queue,
    /// A request was inserted into a scheduler, which may be later than its bios.
    Insert,
    /// A request was issued, perhaps by another task.
    Issue,
}

/// The stacks of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestStacks {
    /// Innermost frame of its submission, or [`NO_FRAME`].
    pub submitted: u32,
    /// Where that comes from.
    pub event: StackEvent,
    /// Innermost frame of its issue, or [`NO_FRAME`].
    pub issued: u32,
}

impl RequestStacks {
    pub const NONE: RequestStacks = RequestStacks {
        submitted: NO_FRAME,
        event: StackEvent::None,
        issued: NO_FRAME,
    };
}

/// The call stacks of all requests of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallStacks {
    /// Names without offsets and without what the compiler adds. A function of which only the
    /// address is known has that.
    pub functions: Vec<String>,
    pub frames: Vec<StackFrame>,
    /// By request row.
    pub rows: Vec<RequestStacks>,
    /// Frames, stacks and events that found no room.
    pub left_out: u64,
    /// Events of files whose clock is not that of the trace, and cannot be aligned with it.
    pub other_clock: u64,
    /// Symbols were there, but of another kernel: they were not used.
    pub other_symbols: bool,
    /// How many functions are addresses.
    pub addresses: u32,
}

impl CallStacks {
    pub fn of_row(&self, row: usize) -> RequestStacks {
        self.rows.get(row).copied().unwrap_or(RequestStacks::NONE)
    }

    /// The frames of a stack, the innermost one first.
    pub fn path(&self, innermost: u32) -> impl Iterator<Item = u32> {
        let frame = |frame: u32| ((frame as usize) < self.frames.len()).then_some(frame);
        std::iter::successors(frame(innermost), move |&inner| {
            let parent = self.frames.get(inner as usize)?.parent;
            // Frames are numbered from outside: what breaks that would be a circle.
            (parent < inner).then_some(parent)
        })
    }

    /// The name of the function of a frame.
    pub fn name(&self, frame: u32) -> &str {
        let function = self.frames.get(frame as usize).map(|frame| frame.function);
        function
            .and_then(|function| self.functions.get(function as usize))
            .map_or("", String::as_str)
    }

    /// The names of a stack, the outermost one first.
    pub fn names(&self, innermost: u32) -> Vec<&str> {
        let mut names: Vec<&str> = self.path(innermost).map(|frame| self.name(frame)).collect();
        names.reverse();
        names
    }

    /// Memory of the tables, bytes; texts are estimated.
    pub fn memory(&self) -> usize {
        self.frames.len() * size_of::<StackFrame>()
            + self.rows.len() * size_of::<RequestStacks>()
            + self.functions.len() * (size_of::<String>() + 24)
    }
}
