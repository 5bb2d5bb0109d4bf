//! However a recording is read, it says the same.

mod live;
mod same_result;
mod sections;
mod window;
