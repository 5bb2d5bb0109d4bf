//! Call stacks of block events: the event `kernel_stack` follows each one with the option
//! stacktrace (`trace-cmd record -T`).

use super::compression::unpack;
use super::file::{self, COMPRESSED, SymbolsPlace, TraceDatFile};
use super::read_samples;
use super::stream::StreamReport;
use crate::cursor::Cursor;
use crate::tep::{StackSink, StackedEvent};
use crate::unpack_budget::UnpackBudget;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Where stacks are recorded, each event has one: a file without any among its first samples has
/// none, and need not be read to its end.
const FIRST_SAMPLES: u32 = 10_000;

/// Gives the stacks of block events in the order of their times, and the symbols of the kernel
/// before the first one.
pub fn read_stacks(data: &[u8], sink: &mut dyn StackSink) {
    let Ok(contents) = file::read(data) else {
        return;
    };
    let (Some(layout), None, Some(stack)) = (
        contents.layout,
        &contents.unknown_method,
        contents.shapes.stack,
    ) else {
        return;
    };
    // The stack of an event is recorded on its CPU next.
    let mut last: FxHashMap<u32, StackedEvent> = FxHashMap::default();
    let mut addresses = Vec::new();
    let (mut samples, mut has_stacks) = (0_u32, false);
    let mut noticed = StreamReport::default();
    read_samples(data, &contents, layout, &mut noticed, |time, cpu, bytes| {
        if !stack.read(bytes, contents.big, &mut addresses) {
            match contents.shapes.stacked(time, bytes, contents.big) {
                Some(event) => last.insert(cpu, event),
                None => last.remove(&cpu),
            };
            samples = samples.saturating_add(1);
            return match !has_stacks && samples > FIRST_SAMPLES {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
        }
        if !std::mem::replace(&mut has_stacks, true) {
            sink.symbols(&symbols(data, &contents).unwrap_or_default());
        }
        if let Some(event) = last.remove(&cpu).filter(|_| !addresses.is_empty()) {
            sink.stack(&event, &addresses);
        }
        ControlFlow::Continue(())
    });
}

/// The text of the symbols.
fn symbols<'a>(data: &'a [u8], contents: &TraceDatFile) -> Option<Cow<'a, [u8]>> {
    let section = match contents.symbols? {
        SymbolsPlace::InFile(offset) => {
            let mut cursor = Cursor::new(data, offset, contents.big);
            let size = cursor.u32()?;
            return cursor.take(size as usize).map(Cow::Borrowed);
        }
        SymbolsPlace::Section(section) => section,
    };
    let bytes = section.bytes(data)?;
    let content = match section.flags & COMPRESSED {
        0 => Cow::Borrowed(bytes),
        _ => {
            let mut packed = Cursor::new(bytes, 0, contents.big);
            let budget = UnpackBudget::for_file(data.len());
            Cow::Owned(unpack(&mut packed, contents.method, &budget)?)
        }
    };
    Some(match content {
        Cow::Borrowed(bytes) => Cow::Borrowed(bytes.get(4..)?),
        Cow::Owned(mut bytes) => {
            bytes.drain(..bytes.len().min(4));
            Cow::Owned(bytes)
        }
    })
}
