//! The stacks of binary traces.

use crate::event::BlockEvent;
use crate::frame::Frame;
use crate::join::Recorded;
use seekscope_formats::stacks::{KernelMapping, StackSink, StackedEvent};
use seekscope_trace::event::Action;
use seekscope_trace::store::StackEvent;

/// Puts what a trace has into what was recorded.
pub struct BinaryStacks<'a> {
    recorded: &'a mut Recorded,
    functions: Vec<u32>,
}

impl BinaryStacks<'_> {
    pub fn new(recorded: &mut Recorded) -> BinaryStacks<'_> {
        BinaryStacks {
            recorded,
            functions: Vec::new(),
        }
    }
}

impl StackSink for BinaryStacks<'_> {
    fn symbols(&mut self, text: &[u8]) {
        self.recorded.symbols.text(text);
        self.recorded.symbols.are_recorded |= !text.is_empty();
    }

    fn mapping(&mut self, mapping: &KernelMapping) {
        self.recorded.mappings.add(mapping);
    }

    fn stack(&mut self, event: &StackedEvent, addresses: &[u64]) {
        let Some(event) = block_event(event) else {
            return;
        };
        let tree = &mut self.recorded.tree;
        let functions = addresses
            .iter()
            .filter_map(|&address| tree.function(Frame::Address(address)));
        self.functions.clear();
        self.functions.extend(functions);
        if !self.functions.is_empty() {
            self.recorded.add(event, &self.functions);
        }
    }
}

fn block_event(event: &StackedEvent) -> Option<BlockEvent> {
    let sectors = u32::try_from(event.sectors).ok()?;
    Some(BlockEvent {
        event: match event.action {
            Action::Queue => StackEvent::Queue,
            Action::Insert => StackEvent::Insert,
            Action::Issue => StackEvent::Issue,
            _ => return None,
        },
        time: event.time,
        device: event.device.0,
        // A flush has no place: sector 0, or -1.
        sector: if sectors == 0 { 0 } else { event.sector },
        sectors,
    })
}
