//! The stacks as a tree: each frame once below the one that called it.

use crate::frame::Frame;
use crate::mappings::Mappings;
use crate::symbols::Symbols;
use rustc_hash::FxHashMap;
use seekscope_trace::store::{CallStacks, NO_FRAME, StackFrame};

/// Names and addresses of a kernel that does I/O are a few hundred.
pub const MAX_FUNCTIONS: usize = 1 << 16;
pub const MAX_FRAMES: usize = 1 << 20;
/// Frames of a stack: the outermost ones are left out beyond. The kernel records up to 127.
pub const MAX_DEPTH: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum FunctionKey {
    Name(String),
    Address(u64),
}

/// Interns functions and stacks.
#[derive(Clone, Debug, Default)]
pub struct StackTree {
    functions: Vec<FunctionKey>,
    numbers: FxHashMap<FunctionKey, u32>,
    frames: Vec<StackFrame>,
    children: FxHashMap<StackFrame, u32>,
    /// What a text says of addresses: the number of a function, or that it is no part of the path.
    addresses: FxHashMap<u64, Option<u32>>,
    pub left_out: u64,
}

/// Whether a function is where the kernel is entered, or where its threads begin: of x86, arm64,
/// s390, powerpc and riscv.
fn is_entry_point(name: &str) -> bool {
    const BEGINNINGS: [&str; 17] = [
        "entry_",
        "asm_",
        "ret_from_",
        "__ret_from_",
        "ret_fast_",
        "ret_to_",
        "el0",
        "el1",
        "vectors",
        "system_call",
        "handle_exception",
        "handle_syscall",
        "kthread",
        "secondary_startup",
        "common_startup",
        "start_kernel",
        "common_interrupt",
    ];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin))
}

/// Whether a function is one that such a place calls.
fn follows_entry(name: &str) -> bool {
    const BEGINNINGS: [&str; 19] = [
        "do_syscall",
        "__do_syscall",
        "do_fast_syscall",
        "do_int80",
        "do_trap",
        "x64_sys_call",
        "__x64_sys",
        "__se_sys",
        "sys_",
        "system_call",
        "syscall_",
        "ret_from_",
        "kthread",
        "el0",
        "el1",
        "exc_",
        "sysvec_",
        "common_interrupt",
        "start_secondary",
    ];
    BEGINNINGS.iter().any(|begin| name.starts_with(begin))
}

impl StackTree {
    /// The number of the function of a frame; `None` for one that is no part of the path, or for
    /// which there is no room.
    pub fn function(&mut self, frame: Frame) -> Option<u32> {
        let key = match frame {
            Frame::Function(name) => FunctionKey::Name(name.to_owned()),
            Frame::Address(value) => FunctionKey::Address(value),
            Frame::Left => return None,
        };
        self.number(key)
    }

    /// As [`StackTree::function`], of a text that has addresses beside names: where another file
    /// has the addresses only, they have these names.
    pub fn function_at(&mut self, address: u64, frame: Frame) -> Option<u32> {
        let function = self.function(frame);
        if !matches!(frame, Frame::Address(_)) && self.addresses.len() < MAX_FUNCTIONS {
            self.addresses.insert(address, function);
        }
        function
    }

    fn number(&mut self, key: FunctionKey) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&key) {
            return Some(number);
        }
        if self.functions.len() >= MAX_FUNCTIONS {
            self.left_out += 1;
            return None;
        }
        let number = self.functions.len() as u32;
        self.functions.push(key.clone());
        self.numbers.insert(key, number);
        Some(number)
    }

    /// The innermost frame of a stack, whose functions are given from the innermost one outwards.
    pub fn stack(&mut self, functions: &[u32]) -> u32 {
        let mut parent = NO_FRAME;
        for &function in functions.iter().rev() {
            let frame = StackFrame { parent, function };
            if let Some(&number) = self.children.get(&frame) {
                parent = number;
                continue;
            }
            if self.frames.len() >= MAX_FRAMES {
                self.left_out += 1;
                return parent;
            }
            let number = self.frames.len() as u32;
            self.frames.push(frame);
            self.children.insert(frame, number);
            parent = number;
        }
        parent
    }

    /// Whether symbols are of the kernel of the stacks with these innermost frames. Nothing in them
    /// says so, and any address is in some function; but all stacks begin where the kernel is
    /// entered, and with the symbols of another one they do not. Two frames are looked at: the code
    /// of the first one is at the begin of the kernel, and at the same place in many builds.
    pub fn fits(
        &self,
        innermost: impl Iterator<Item = u32>,
        symbols: &Symbols,
        mappings: &Mappings,
    ) -> bool {
        if symbols.is_empty() || symbols.are_recorded {
            return true;
        }
        let moved = mappings.moved(symbols);
        let name = |frame: &StackFrame| match self.functions.get(frame.function as usize)? {
            FunctionKey::Address(value) if !self.addresses.contains_key(value) => {
                symbols.name(moved.address(*value)?)
            }
            _ => None,
        };
        // Frames are numbered from outside; the second one decides for those within it.
        let mut is_entry: Vec<Option<bool>> = Vec::with_capacity(self.frames.len());
        for frame in &self.frames {
            let outer = self.frames.get(frame.parent as usize);
            is_entry.push(match outer {
                None => None,
                Some(outer) if outer.parent == NO_FRAME => {
                    let names = name(outer).zip(name(frame));
                    names.map(|(outer, inner)| is_entry_point(outer) && follows_entry(inner))
                }
                Some(_) => is_entry.get(frame.parent as usize).copied().flatten(),
            });
        }
        let counts = innermost.filter_map(|frame| is_entry.get(frame as usize).copied().flatten());
        let (entries, all) = counts.fold((0, 0), |(entries, all): (u64, u64), is_entry| {
            (entries + u64::from(is_entry), all + 1)
        });
        entries * 2 >= all
    }

    /// The stacks with the names of functions, and for each frame the one that it has become: two
    /// addresses may be of one function.
    pub fn named(self, symbols: &Symbols, mappings: &Mappings) -> (CallStacks, Vec<u32>) {
        let mut named = StackTree::default();
        let mut frames: Vec<u32> = Vec::with_capacity(self.frames.len());
        let moved = mappings.moved(symbols);
        let numbers: Vec<Option<u32>> = self
            .functions
            .iter()
            .map(|key| {
                let FunctionKey::Address(value) = key else {
                    return named.number(key.clone());
                };
                if let Some(function) = self.addresses.get(value) {
                    let key = self.functions.get((*function)? as usize)?;
                    return named.number(key.clone());
                }
                let name = moved.address(*value).and_then(|value| symbols.name(value));
                match name.map(crate::frame::symbol) {
                    Some(frame) => named.function(frame),
                    None => named.number(key.clone()),
                }
            })
            .collect();
        for frame in &self.frames {
            let parent = frames.get(frame.parent as usize).copied();
            let parent = parent.unwrap_or(NO_FRAME);
            let number = numbers.get(frame.function as usize).copied().flatten();
            frames.push(match number {
                Some(function) => named.child(StackFrame { parent, function }),
                None => parent,
            });
        }
        let text = |key| match key {
            FunctionKey::Name(name) => name,
            FunctionKey::Address(value) => mappings.label(value),
        };
        let is_address = |key: &&FunctionKey| matches!(key, FunctionKey::Address(_));
        let stacks = CallStacks {
            addresses: named.functions.iter().filter(is_address).count() as u32,
            functions: named.functions.into_iter().map(text).collect(),
            frames: named.frames,
            left_out: self.left_out,
            ..CallStacks::default()
        };
        (stacks, frames)
    }

    fn child(&mut self, frame: StackFrame) -> u32 {
        let next = self.frames.len() as u32;
        let number = *self.children.entry(frame).or_insert(next);
        if number == next {
            self.frames.push(frame);
        }
        number
    }
}
