//! Figures and findings of real recordings.

mod failed;
mod figures;
mod limiters;
mod mail;
mod mask_table;
mod masks;
mod members;
mod pictures;
mod results;
mod settings;
mod tail;
mod zones;
