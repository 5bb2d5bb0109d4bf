//! Splits the engine in parts, because a browser has to fetch and compile it before it can show
//! anything. The first part has the functions that the first picture of a trace enters, the second
//! those that comparisons and links enter, the last all others. (A part for what both enter made
//! links lighter by 340 KB, and the command line 5 % slower.)
//!
//! Constant data are in the part whose functions refer to them ([`data`]).
//!
//! All parts have one memory, one table of functions and the same globals, which the later parts
//! import from the exports of the first. A function of a later part has a stub in the first where
//! another part refers to it: the stub calls [`LOAD`], a function of JavaScript that instantiates
//! its part, unless that has happened; then it calls the function through its slot in the table,
//! which its part fills. So it does not matter for correctness which functions were entered: a
//! wrong guess costs time.
//!
//! Which functions these are is measured: [`instrument`] makes each function set a global of its
//! own, and `scripts/lib/entered.mjs` runs that engine on recordings.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use walrus::ir::{self, Value, Visitor};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId,
    FunctionKind, GlobalId, GlobalKind, ImportId, ImportKind, ImportedFunction, LocalFunction,
    Module, ModuleConfig, TableId, ValType,
};

use crate::data::{self, Run, Symbol};

/// Name of the exported global of a function in an instrumented engine, before its index.
pub const ENTERED: &str = "entered";
/// Part of the name of the imported function that instantiates a later part, by its number.
const LOAD: &str = "loadPart";
/// The exported global that says whether a part was instantiated, 0 or 1, before its number.
const LOADED: &str = "loaded";
/// Name of the module that later parts import from.
const FIRST: &str = "first";
/// Names of the memory and the table of functions among the exports of the first part.
const MEMORY: &str = "memory";
const TABLE: &str = "table";
/// A function of so few instructions is not larger than its stub: it stays in the first part.
const MAX_STUB_SIZE: u64 = 16;
/// A function of at most so many instructions belongs to the earliest part that calls it.
const MAX_CALLEE_SIZE: u64 = 100;

/// The engine with an exported global per function, [`ENTERED`] and its index, which the function
/// sets to 1 when it is entered.
pub fn instrument(engine: &[u8]) -> Result<Vec<u8>, String> {
    let mut module = parse(engine)?;
    for (index, id) in local_functions(&module).into_iter().enumerate() {
        let zero = ConstExpr::Value(Value::I32(0));
        let entered = module.globals.add_local(ValType::I32, true, false, zero);
        module.exports.add(&format!("{ENTERED}{index}"), entered);
        body(&mut module, id)
            .builder_mut()
            .func_body()
            .const_at(0, Value::I32(1))
            .global_set_at(1, entered);
    }
    Ok(module.emit_wasm())
}

/// Splits the engine; `entered` has the indices of the functions of each part but the last; the
/// first set with a function counts. Returns the modules of the parts.
pub fn split(engine: &[u8], entered: &[HashSet<usize>]) -> Result<Vec<Vec<u8>>, String> {
    let plan = Plan::new(&parse(engine)?, entered, &symbols(engine)?)?;
    let mut shared = BTreeSet::new();
    let mut parts = vec![Vec::new()];
    for part in 1..=entered.len() {
        parts.push(later_part(parse(engine)?, part, &plan, &mut shared));
    }
    parts[0] = first_part(parse(engine)?, entered.len(), &plan, &shared)?;
    Ok(parts)
}

fn parse(engine: &[u8]) -> Result<Module, String> {
    let mut config = ModuleConfig::new();
    config
        .generate_name_section(false)
        .generate_producers_section(false);
    let mut module = config
        .parse(engine)
        .map_err(|error| format!("cannot read the engine: {error:#}"))?;
    module.customs.remove_raw(data::SECTION);
    Ok(module)
}

/// The symbols of the data of an engine ([`data::annotate`]); none if it was built with names.
fn symbols(engine: &[u8]) -> Result<Vec<Symbol>, String> {
    let module = Module::from_buffer(engine);
    let module = module.map_err(|error| format!("cannot read the engine: {error:#}"));
    let Some(section) = module?.customs.remove_raw(data::SECTION) else {
        return Ok(Vec::new());
    };
    Symbol::read(&section.data).ok_or_else(|| format!("{} is damaged", data::SECTION))
}

/// Ids of the functions with a body. The same bytes have the same order in every [`parse`], so
/// that an index stands for the same function in all parts.
fn local_functions(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter_local().map(|(id, _)| id).collect()
}

fn body(module: &mut Module, id: FunctionId) -> &mut LocalFunction {
    module.funcs.get_mut(id).kind.unwrap_local_mut()
}

/// Where functions go, by index of [`local_functions`].
struct Plan {
    /// Number of the part of each function; 0: the first.
    parts: Vec<usize>,
    /// Slots in the table of the functions of later parts that other parts refer to.
    slots: HashMap<usize, u32>,
    /// Number of slots that the table needs.
    table_size: u32,
    /// Data of each part.
    data: Vec<Vec<Run>>,
}

impl Plan {
    fn new(
        module: &Module,
        entered: &[HashSet<usize>],
        symbols: &[Symbol],
    ) -> Result<Plan, String> {
        let functions = local_functions(module);
        let indices: HashMap<FunctionId, usize> = functions
            .iter()
            .enumerate()
            .map(|(index, &id)| (id, index))
            .collect();
        let table = main_table(module)?;
        let bodies: Vec<References> = functions
            .iter()
            .map(|&id| references(module.funcs.get(id).kind.unwrap_local()))
            .collect();
        let mut parts: Vec<usize> = functions
            .iter()
            .enumerate()
            .map(|(index, &id)| {
                let size = module.funcs.get(id).kind.unwrap_local().size();
                let is_bound = bodies[index].needs_first(table) || module.start == Some(id);
                if is_bound || size <= MAX_STUB_SIZE {
                    return 0;
                }
                let part = entered.iter().position(|entered| entered.contains(&index));
                part.unwrap_or(entered.len())
            })
            .collect();
        add_callees(&mut parts, &bodies, &indices, |index| {
            module
                .funcs
                .get(functions[index])
                .kind
                .unwrap_local()
                .size()
        });

        // A function that already has a slot keeps it.
        let mut slots: HashMap<usize, u32> = HashMap::new();
        let in_table = table_entries(module, table)?;
        for (slot, function) in &in_table {
            if let Some(&index) = indices.get(function).filter(|&&index| parts[index] > 0) {
                slots.entry(index).or_insert(*slot);
            }
        }
        let exported = module
            .exports
            .iter()
            .filter_map(|export| match export.item {
                ExportItem::Function(id) => indices.get(&id).map(|&index| (0, index)),
                _ => None,
            });
        let called = bodies.iter().enumerate().flat_map(|(caller, body)| {
            let functions = body.functions.iter().filter_map(|id| indices.get(id));
            let parts = &parts;
            functions.map(move |&index| (parts[caller], index))
        });
        let mut table_size = u32::try_from(module.tables.get(table).initial)
            .map_err(|_| "the table of functions is too large")?;
        let mut needed: Vec<usize> = exported
            .chain(called)
            .filter(|&(caller, index)| parts[index] > 0 && parts[index] != caller)
            .map(|(_, index)| index)
            .collect();
        needed.sort_unstable();
        needed.dedup();
        for index in needed {
            slots.entry(index).or_insert_with(|| {
                table_size += 1;
                table_size - 1
            });
        }
        Ok(Plan {
            data: data::divide(&segments(module)?, symbols, &parts),
            parts,
            slots,
            table_size,
        })
    }
}

/// The data of the engine that a module begins with.
fn segments(module: &Module) -> Result<Vec<Run>, String> {
    let segments = module.data.iter().map(|data| match data.kind {
        DataKind::Active {
            offset: ConstExpr::Value(Value::I32(address)),
            ..
        } => Ok(Run {
            address: address.cast_unsigned(),
            bytes: data.value.clone(),
        }),
        _ => Err("data of the engine have no constant address".into()),
    });
    segments.collect()
}

/// Replaces the data of a module.
fn set_data(module: &mut Module, runs: &[Run]) {
    for data in module.data.iter().map(|data| data.id()).collect::<Vec<_>>() {
        module.data.delete(data);
    }
    let Some(memory) = module.memories.iter().next().map(|memory| memory.id()) else {
        return;
    };
    module.memories.get_mut(memory).data_segments.clear();
    for run in runs {
        let offset = ConstExpr::Value(Value::I32(run.address.cast_signed()));
        let kind = DataKind::Active { memory, offset };
        let data = module.data.add(kind, run.bytes.clone());
        module.memories.get_mut(memory).data_segments.insert(data);
    }
}

/// Moves small functions to the earliest part that calls them: a function that was not entered in
/// the samples is often the rare path of one that was, as the growth of a table is.
fn add_callees(
    parts: &mut [usize],
    bodies: &[References],
    indices: &HashMap<FunctionId, usize>,
    size: impl Fn(usize) -> u64,
) {
    let last = parts.iter().copied().max().unwrap_or(0);
    let entered = parts.to_vec();
    for part in (0..last).rev() {
        let callers = (0..entered.len()).filter(|&index| entered[index] == part);
        for id in callers.flat_map(|caller| &bodies[caller].functions) {
            let Some(&index) = indices.get(id) else {
                continue;
            };
            if entered[index] > part && size(index) <= MAX_CALLEE_SIZE {
                parts[index] = part;
            }
        }
    }
}

/// What a function refers to.
#[derive(Default)]
struct References {
    functions: Vec<FunctionId>,
    tables: HashSet<TableId>,
    /// Whether it copies or drops passive data, which only the first part has.
    uses_data: bool,
}

impl References {
    /// Whether the function has to be in the first part: others share only the table of functions.
    fn needs_first(&self, table: TableId) -> bool {
        self.uses_data || self.tables.iter().any(|&other| other != table)
    }
}

impl Visitor<'_> for References {
    fn visit_function_id(&mut self, function: &FunctionId) {
        self.functions.push(*function);
    }

    fn visit_table_id(&mut self, table: &TableId) {
        self.tables.insert(*table);
    }

    fn visit_data_id(&mut self, _: &walrus::DataId) {
        self.uses_data = true;
    }
}

fn references(function: &LocalFunction) -> References {
    let mut references = References::default();
    ir::dfs_in_order(&mut references, function, function.entry_block());
    references
}

fn main_table(module: &Module) -> Result<TableId, String> {
    let table = module.tables.main_function_table();
    table
        .map_err(|error| format!("{error:#}"))?
        .ok_or_else(|| "the engine has no table of functions".into())
}

/// Slots of the table with their functions.
fn table_entries(module: &Module, main: TableId) -> Result<Vec<(u32, FunctionId)>, String> {
    let mut entries = Vec::new();
    for element in module.elements.iter() {
        let ElementKind::Active { table, offset } = &element.kind else {
            continue;
        };
        if *table != main {
            continue;
        }
        let (ConstExpr::Value(Value::I32(offset)), ElementItems::Functions(functions)) =
            (offset, &element.items)
        else {
            return Err("the table of functions is not filled from constants".into());
        };
        entries.extend((*offset as u32..).zip(functions.iter().copied()));
    }
    Ok(entries)
}

/// Something of the first part that later parts import, by its index in the engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    /// A function with a body, or the stub of one.
    Function(usize),
    /// A function of JavaScript.
    Script(usize),
    Global(usize),
}

impl Shared {
    /// Short, because there are a thousand of them.
    fn name(self) -> String {
        match self {
            Shared::Function(index) => format!("f{index:x}"),
            Shared::Script(index) => format!("i{index:x}"),
            Shared::Global(index) => format!("g{index:x}"),
        }
    }
}

/// Ids of the functions of JavaScript.
fn imported_functions(module: &Module) -> Vec<FunctionId> {
    let imports = module.imports.iter();
    imports
        .filter_map(|import| match import.kind {
            ImportKind::Function(id) => Some(id),
            _ => None,
        })
        .collect()
}

/// The functions of a part, with all else as imports, which are added to `shared`.
fn later_part(
    mut module: Module,
    part: usize,
    plan: &Plan,
    shared: &mut BTreeSet<Shared>,
) -> Vec<u8> {
    let functions = local_functions(&module);
    let scripts = imported_functions(&module);
    let globals: Vec<GlobalId> = module.globals.iter().map(|global| global.id()).collect();
    let table = main_table(&module).expect("was found for the plan");
    let slots = filled_slots(&module, part, plan, &functions, table);
    clear(&mut module);

    for memory in module
        .memories
        .iter()
        .map(|memory| memory.id())
        .collect::<Vec<_>>()
    {
        let import = module.imports.add(FIRST, MEMORY, memory);
        module.memories.get_mut(memory).import = Some(import);
    }
    set_data(&mut module, &plan.data[part]);
    let import = module.imports.add(FIRST, TABLE, table);
    let main = module.tables.get_mut(table);
    main.import = Some(import);
    main.elem_segments.clear();
    main.initial = u64::from(plan.table_size);
    main.maximum = None;
    for run in slots.chunk_by(|(slot, _), (next, _)| slot + 1 == *next) {
        let offset = ConstExpr::Value(Value::I32(run[0].0.cast_signed()));
        let items = ElementItems::Functions(run.iter().map(|&(_, id)| id).collect());
        let kind = ElementKind::Active { table, offset };
        let element = module.elements.add(kind, items);
        module.tables.get_mut(table).elem_segments.insert(element);
    }

    let mut imported: HashMap<ImportId, Shared> = HashMap::new();
    for (index, &id) in globals.iter().enumerate() {
        let name = Shared::Global(index).name();
        let import = module.imports.add(FIRST, &name, id);
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
        imported.insert(import, Shared::Global(index));
    }
    for (index, &id) in functions.iter().enumerate() {
        if plan.parts[index] != part {
            let name = Shared::Function(index).name();
            let import = module.imports.add(FIRST, &name, id);
            let function = module.funcs.get_mut(id);
            let ty = function.ty();
            function.kind = FunctionKind::Import(ImportedFunction { import, ty });
            imported.insert(import, Shared::Function(index));
        }
    }
    for (index, &id) in scripts.iter().enumerate() {
        let import = module.imports.get_imported_func(id).expect("is imported");
        let id = import.id();
        let import = module.imports.get_mut(id);
        import.module = FIRST.into();
        import.name = Shared::Script(index).name();
        imported.insert(id, Shared::Script(index));
    }
    walrus::passes::gc::run(&mut module);
    shared.extend(
        module
            .imports
            .iter()
            .filter_map(|import| imported.get(&import.id())),
    );
    module.emit_wasm()
}

/// Removes what only the first part has: exports and the contents of the table.
fn clear(module: &mut Module) {
    for export in module
        .exports
        .iter()
        .map(|export| export.id())
        .collect::<Vec<_>>()
    {
        module.exports.delete(export);
    }
    for element in module
        .elements
        .iter()
        .map(|element| element.id())
        .collect::<Vec<_>>()
    {
        module.elements.delete(element);
    }
    module.start = None;
}

/// Slots that a part fills, in order: those of stubs, and those that its functions have in the
/// engine, so that a call through the table no longer takes the way through a stub.
fn filled_slots(
    module: &Module,
    part: usize,
    plan: &Plan,
    functions: &[FunctionId],
    table: TableId,
) -> Vec<(u32, FunctionId)> {
    let is_here = |index: usize| plan.parts[index] == part;
    let here: HashSet<FunctionId> = (0..functions.len())
        .filter(|&index| is_here(index))
        .map(|index| functions[index])
        .collect();
    let entries = table_entries(module, table).expect("were read for the plan");
    let entries = entries
        .into_iter()
        .filter(|(_, function)| here.contains(function));
    let stubs = plan.slots.iter().filter(|(index, _)| is_here(**index));
    let stubs = stubs.map(|(&index, &slot)| (slot, functions[index]));
    let slots: BTreeMap<u32, FunctionId> = entries.chain(stubs).collect();
    slots.into_iter().collect()
}

/// The functions of the first part, and stubs of others; it exports what is shared.
fn first_part(
    mut module: Module,
    later_parts: usize,
    plan: &Plan,
    shared: &BTreeSet<Shared>,
) -> Result<Vec<u8>, String> {
    let functions = local_functions(&module);
    let scripts = imported_functions(&module);
    let globals: Vec<GlobalId> = module.globals.iter().map(|global| global.id()).collect();
    let table = main_table(&module)?;
    let load = scripts.iter().copied().find(|&id| {
        let import = module.imports.get_imported_func(id);
        import.is_some_and(|import| import.name.contains(LOAD))
    });
    let load = load.ok_or_else(|| format!("the engine does not import {LOAD}"))?;
    let ensure: Vec<FunctionId> = (1..=later_parts)
        .map(|part| {
            let zero = ConstExpr::Value(Value::I32(0));
            let loaded = module.globals.add_local(ValType::I32, true, false, zero);
            module.exports.add(&format!("{LOADED}{part}"), loaded);
            ensure_loaded(&mut module, part, loaded, load)
        })
        .collect();
    for (&index, &slot) in &plan.slots {
        let id = functions[index];
        let stub = stub(&mut module, id, slot, ensure[plan.parts[index] - 1], table);
        module.funcs.get_mut(id).kind = FunctionKind::Local(stub);
    }
    set_data(&mut module, &plan.data[0]);
    let main = module.tables.get_mut(table);
    main.initial = u64::from(plan.table_size);
    main.maximum = main.maximum.map(|maximum| maximum.max(main.initial));
    module.exports.add(TABLE, table);
    if !module.exports.iter().any(|export| export.name == MEMORY) {
        return Err("the engine does not export its memory".into());
    }
    for item in shared {
        match *item {
            Shared::Function(index) => module.exports.add(&item.name(), functions[index]),
            Shared::Script(index) => module.exports.add(&item.name(), scripts[index]),
            Shared::Global(index) => module.exports.add(&item.name(), globals[index]),
        };
    }
    walrus::passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

/// A function that takes a slot and returns it once the part is instantiated.
fn ensure_loaded(
    module: &mut Module,
    part: usize,
    loaded: GlobalId,
    load: FunctionId,
) -> FunctionId {
    let number = i32::try_from(part).expect("there are few parts");
    let slot = module.locals.add(ValType::I32);
    let mut ensure = FunctionBuilder::new(&mut module.types, &[ValType::I32], &[ValType::I32]);
    ensure
        .func_body()
        .global_get(loaded)
        .unop(ir::UnaryOp::I32Eqz)
        .if_else(
            None,
            |missing| {
                missing.i32_const(number).call(load);
            },
            |_| {},
        )
        .local_get(slot);
    ensure.finish(vec![slot], &mut module.funcs)
}

/// A function of the same type that calls the one in a slot of the table.
fn stub(
    module: &mut Module,
    id: FunctionId,
    slot: u32,
    ensure: FunctionId,
    table: TableId,
) -> LocalFunction {
    let ty = module.funcs.get(id).ty();
    let (params, results) = module.types.params_results(ty);
    let (params, results) = (params.to_vec(), results.to_vec());
    let args: Vec<_> = params.iter().map(|&ty| module.locals.add(ty)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
    let mut body = builder.func_body();
    for &arg in &args {
        body.local_get(arg);
    }
    body.i32_const(slot.cast_signed())
        .call(ensure)
        .call_indirect(ty, table);
    builder.local_func(args)
}
