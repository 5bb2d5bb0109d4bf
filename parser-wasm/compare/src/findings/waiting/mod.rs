//! Rules about time that is lost before requests reach the device.

pub mod depth;
pub mod held;
pub mod idle;
pub mod layer;
pub mod other_process;
pub mod scheduler;
pub mod stalled;
pub mod starved;
pub mod tags;
pub mod throttled;
pub mod timer;
pub mod writes;
