//! What held requests back before they were issued.

pub mod allocation;
pub mod held;
pub mod starved;
pub mod throttled;
pub mod unplug_timer;
