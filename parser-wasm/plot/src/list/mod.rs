//! Rows of events and requests, page by page, and all of one request.

mod entries;
mod event_filter;
pub mod events;
pub mod layers;
pub mod life;
pub mod lists;
mod matches;
pub mod table;
