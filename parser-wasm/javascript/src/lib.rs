//! What crosses to JavaScript, for the crates that become WASM modules: documents, answers and
//! errors as values. All data are copied in and out; nothing points into WASM memory.

pub mod js;
pub mod value;
