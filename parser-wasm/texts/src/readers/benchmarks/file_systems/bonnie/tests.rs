use super::*;
use crate::readers::benchmarks::collect::testing::{assert_has, figures, outputs};

const OLD: &str = "\
Version 1.03e       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
2.6.24          16G 61022  97 98233  12 44012   8 58221  94 92311   9 312.5   1
2.6.26          16G 60012  97 93121  12 +++++ +++ 57801  94 83020   9 287.5   1
                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
                 16 27210  92 +++++ +++ 31521  95 27311  93 +++++ +++ 30210  95
";

#[test]
fn machines_are_told_apart() {
    let found = figures(read, OLD);
    assert_has(
        &found,
        &[
            "machine=2.6.24 size=16G op=write per chr rate 62486530",
            "machine=2.6.24 size=16G op=seeks ops 312.5",
            "machine=2.6.24 size=16G op=seeks cpu 0.01",
            "machine=2.6.26 size=16G op=read block rate 85012480",
            "machine=2.6.26 size=16G op=sequential create ops 27210",
            "machine=2.6.26 size=16G op=random delete ops 30210",
        ],
    );
    assert!(
        !found
            .iter()
            .any(|line| line.starts_with("machine=2.6.26 size=16G op=rewrite"))
    );
    assert_eq!(outputs(read, OLD).len(), 1);
    assert_eq!(outputs(read, &format!("{OLD}\n{OLD}")).len(), 2);
    assert_eq!(outputs(read, OLD)[0].side, Some("machine"));
}

#[test]
fn columns_that_were_not_tested_are_empty() {
    let text = "\
Version 2.00a       ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
vm               4M            180m  23   80m  12            210m  14 +++++ +++
Latency                       11750us      25us                 6us   35750us
1.98,2.00a,vm,1,1795668923,4M,,8192,5,,,184320,23,81920,12,,,215040,14,+++++,+++,1,,,,,1000,20,\
+++++,+++,+++++,+++,1325,24,+++++,+++,+++++,+++,,11750us,25us,,6us,35750us,61750us,44us,211us,\
55250us,15us,571us
";
    let found = figures(read, text);
    assert_has(
        &found,
        &[
            "machine=vm size=4M op=write block rate 188743700",
            "machine=vm size=4M op=read block rate 220201000",
            "machine=vm size=4M op=write block latency.max 11750000",
            "machine=vm size=4M op=seeks latency.max 35750000",
            "machine=vm size=4M op=random create ops 1325",
            "machine=vm size=4M op=random delete latency.max 571000",
        ],
    );
    assert_eq!(outputs(read, text).len(), 1);
}

#[test]
fn lines_of_csv_are_read_alone() {
    let old = "box,16G,61022,97,98233,12,44012,8,58221,94,92311,9,312.5,1,16,27210,92,+++++,+++,\
        31521,95,27311,93,+++++,+++,30210,95\n";
    let found = figures(read, old);
    assert_has(
        &found,
        &[
            "machine=box size=16G op=read block rate 94526460",
            "machine=box size=16G op=random create ops 27311",
        ],
    );
    let new = "1.97,1.97,box,1,1367415632,16G,,812,97,101233,12,44012,8,1822,94,142311,9,312.5,9,\
        ,,,,,,,,,,,,,,,,,15083us,203ms,1193ms,32215us,110ms,365ms,,,,,,\n";
    assert_has(
        &figures(read, new),
        &[
            "machine=box size=16G op=write per chr rate 831488",
            "machine=box size=16G op=seeks ops 312.5",
            "machine=box size=16G op=seeks latency.max 365000000",
        ],
    );
    assert!(figures(read, "1.5,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n").is_empty());
    assert!(figures(read, "a,b,c,d,e,f,g,h,i,j,k,l,m,n\n").is_empty());
}
