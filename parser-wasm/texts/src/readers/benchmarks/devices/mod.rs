//! Programs that read and write a device, a file or a pool of objects.

pub mod cryptsetup;
pub mod dd;
pub mod disk_mark;
pub mod hdparm;
pub mod io_uring;
pub mod ioping;
pub mod pveperf;
pub mod rados;
pub mod transfer;
pub mod vdbench;
pub mod xfs_io;
