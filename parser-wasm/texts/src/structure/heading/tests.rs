use super::*;

#[test]
fn titles_of_all_kinds_are_found() {
    let cases = [
        ("## Kernel 5.15", "", Some((2, "Kernel 5.15"))),
        ("data=ordered", "------------", Some((2, "data=ordered"))),
        ("#### bfq ####", "", Some((7, "bfq"))),
        ("=== none ===", "", Some((7, "none"))),
        ("[host]", "", Some((7, "host"))),
        ("**old firmware**", "", Some((7, "old firmware"))),
        ("*FIO on XFS:*", "", Some((7, "FIO on XFS"))),
        ("* a * b *", "", None),
        ("<summary>5.15</summary>", "", Some((7, "5.15"))),
        ("On 6.12:", "", Some((8, "6.12"))),
        ("With \"bfq\":", "", Some((8, "With \"bfq\""))),
        ("\"bfq\":", "", Some((8, "bfq"))),
        ("| *Kernel 6.1* |", "|---|", Some((7, "Kernel 6.1"))),
        ("||6.1||", "", Some((7, "6.1"))),
        ("8<------ bfq ------", "", Some((7, "bfq"))),
        ("---> bfq", "", Some((7, "bfq"))),
        ("* bfq", "*****", Some((7, "bfq"))),
        ("old.txt", "::::::::::::::", Some((7, "old"))),
        ("File: old.log", "", Some((7, "old"))),
        ("<6.1>", "", Some((7, "6.1"))),
        ("</6.1>", "", None),
        ("<div>", "", None),
        ("----- start of bfq -----", "", Some((7, "bfq"))),
        ("----- end of bfq -----", "", None),
        ("== End results ==", "", Some((7, "End results"))),
        ("[1] bfq:", "", Some((9, "bfq"))),
        ("For bfq I see:", "", Some((8, "bfq"))),
        ("| read |", "", None),
        ("| 6.1 | 512 |", "", None),
        ("Results for RAID5:", "", Some((8, "RAID5"))),
        ("2) seeks:", "", Some((9, "seeks"))),
        ("commit 1a2b3c4d5e6f:", "", Some((8, "1a2b3c4d5e6f"))),
        (
            "The numbers were measured on the same machine, and then compared:",
            "",
            None,
        ),
        ("I ran it twice.", "", None),
    ];
    for (text, next, expected) in cases {
        assert_eq!(titled(text, next), expected, "{text}");
    }
    assert_eq!(bare("4.4.0-31-generic"), Some("4.4.0-31-generic"));
    assert_eq!(bare("Hi,"), None);
    assert_eq!(bare("END varmail-ext4"), None);
    let side = "after the log moved to two fast disks";
    assert_eq!(bare_side(side), Some(side));
    assert_eq!(bare_side("the log moved to two disks"), None);
    let title = "With \"Undo \"queue: fix the lock\"\"";
    assert_eq!(numbered(&format!("2. {title}")), Some(title));
    assert_eq!(numbered(title), None);
    assert_eq!(bare("The disk is the same."), None);
}
