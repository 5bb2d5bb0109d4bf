//! Programs that measure file systems.

pub mod blogbench;
pub mod bonnie;
pub mod compilebench;
pub mod dbench;
pub mod elbencho;
pub mod filebench;
pub mod fs_mark;
pub mod ior;
pub mod iozone;
pub mod mdtest;
pub mod postmark;
pub mod smallfile;
pub mod tiobench;
pub mod tiotest;
