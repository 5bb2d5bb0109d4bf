//! The seek map: requests by time and sector, and what is drawn on it.

pub mod band_rows;
pub mod bands;
pub mod class;
mod drawn_rows;
pub mod failures;
pub mod hit;
mod seek_grid;
pub mod seekmap;
pub mod zones;
