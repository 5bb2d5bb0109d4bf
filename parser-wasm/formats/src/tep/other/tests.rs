use super::*;

const COMMON: &str = "format:\n\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

/// The text of a sample: fields of 8 bytes behind the common ones.
fn printed(system: &[u8], name: &str, fields: &[(&str, u64)]) -> Option<String> {
    let mut format = format!("name: {name}\nID: 7\n{COMMON}");
    let mut sample = vec![7, 0, 0, 0, 9, 0, 0, 0];
    for (declaration, value) in fields {
        let offset = sample.len();
        format += &format!("\tfield:{declaration};\toffset:{offset};\tsize:8;\tsigned:0;\n");
        sample.extend(value.to_le_bytes());
    }
    let mut formats = OtherFormats::default();
    formats.add(system, format.as_bytes());
    formats.add_symbols(b"0 d zero_buf_ops\nffffffff824688c0 d xfs_agi_buf_ops\t[xfs]\nx\n");
    let found = formats.find(&sample, false)?;
    assert_eq!((found.pid, found.name), (9, name));
    let mut text = String::new();
    found.write(&sample, false, &mut text);
    // A truncated sample prints what is left of it.
    for length in 0..sample.len() {
        if let Some(found) = formats.find(&sample[..length], false) {
            found.write(&sample[..length], false, &mut String::new());
        }
    }
    Some(text)
}

#[test]
fn samples_are_printed_as_by_the_kernel() {
    let map = [
        ("dev_t dev", 254 << 20 | 1),
        ("ino_t ino", 62),
        ("unsigned int flags", 1),
        ("ext4_fsblk_t pblk", 2138),
        ("ext4_lblk_t lblk", 3),
        ("unsigned int len", 2),
        ("unsigned int mflags", 0x30),
        ("int ret", 2),
    ];
    let text = printed(b"ext4", "ext4_ext_map_blocks_exit", &map);
    let line = "dev 254,1 ino 62 flags CREATE lblk 3 pblk 2138 len 2 mflags NM ret 2";
    assert_eq!(text.as_deref(), Some(line));
    let buffer = [
        ("dev_t dev", 8 << 20),
        ("xfs_daddr_t bno", 2),
        ("int nblks", 1),
        ("const void * buf_ops", 0xffff_ffff_8246_88c0),
    ];
    let text = printed(b"xfs", "xfs_buf_submit", &buffer);
    let line = "dev 8,0 daddr 0x2 bbcount 0x1 bufops xfs_agi_buf_ops";
    assert_eq!(text.as_deref(), Some(line));
    let free = [
        ("dev_t dev", 8 << 20),
        ("ino_t ino", 5),
        ("__u64 block", 9),
        ("unsigned long count", 1),
        ("int flags", 0x11),
        ("__u16 mode", 0o100_644),
    ];
    let text = printed(b"ext4", "ext4_free_blocks", &free);
    let line = "dev 8,0 ino 5 mode 0100644 block 9 count 1 flags METADATA|0x10";
    assert_eq!(text.as_deref(), Some(line));
}

#[test]
fn calls_print_their_arguments() {
    let write = [
        ("int __syscall_nr", 18),
        ("unsigned int fd", 3),
        ("size_t count", 4096),
    ];
    let text = printed(b"syscalls", "sys_enter_pwrite64", &write);
    assert_eq!(text.as_deref(), Some("fd: 0x3, count: 0x1000"));
    let raw = [("long id", 18), ("unsigned long args[6]", 3)];
    let text = printed(b"raw_syscalls", "sys_enter", &raw);
    assert_eq!(text.as_deref(), Some("NR 18 (3)"));
    let text = printed(b"syscalls", "sys_exit_pwrite64", &[("long ret", 4096)]);
    assert_eq!(text.as_deref(), Some("0x1000"));
}

#[test]
fn other_events_are_left() {
    assert_eq!(printed(b"ext4", "ext4_da_update_reserve_space", &[]), None);
    assert_eq!(printed(b"net", "ext4_unlink_enter", &[]), None);
}
