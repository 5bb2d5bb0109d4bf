//! The seek map: requests by time and sector, and what is drawn on it.

pub mod band_rows;
pub mod bands;
pub mod class;
pub mod failures;
pub mod hit;
pub mod seekmap;
pub mod zones;
