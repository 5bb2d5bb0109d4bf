use super::read;
use crate::readers::samples::{outputs, value};
use crate::recognise::Output;

fn fio(text: &str) -> Vec<Output> {
    outputs(text, read)
}

fn dimension<'a>(output: &'a Output, key: &str, name: &str) -> Option<&'a str> {
    let found = output.observations.iter().find(|o| o.metric.key == key)?;
    let named = found.dimensions.iter().find(|d| d.name == name)?;
    Some(&named.value)
}

fn fact<'a>(output: &'a Output, name: &str) -> Option<&'a str> {
    let found = output.facts.iter().find(|fact| fact.name == name)?;
    Some(&found.value)
}

const FIO_1: &str = "\
randread: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=libaio, iodepth=32
fio 1.59
Starting 1 process
Jobs: 1 (f=1): [r] [100.0% done] [42124K/0K /s] [10.3K/0  iops] [eta 00m:00s]
randread: (groupid=0, jobs=1): err= 0: pid=2471
  read : io=1,024MB, bw=42,124KB/s, iops=10,531 , runt= 24892msec
    slat (usec): min=3, max=1,412, avg=11.20, stdev= 9.73
    clat (usec): min=88, max=20,198, avg=3,021.55, stdev=1,412.51
     lat (usec): min=95, max=20,205, avg=3,033.02, stdev=1,412.44
    bw (KB/s) : min=37360, max=45896, per=100.07%, avg=42152.84, stdev=1894.32
  cpu          : usr=4.02%, sys=15.91%, ctx=241093, majf=0, minf=58
  IO depths    : 1=0.1%, 2=0.1%, 4=0.1%, 8=0.1%, 16=0.1%, 32=100.0%, >=64=0.0%
     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%
     issued r/w/d: total=262144/0/0, short=0/0/0
     lat (usec): 100=0.01%, 250=0.02%, 500=0.41%, 750=2.01%, 1000=5.31%
     lat (msec): 2=31.02%, 4=41.20%, 10=20.02%

Run status group 0 (all jobs):
   READ: io=1,024MB, aggrb=42,124KB/s, minb=43,135KB/s, maxb=43,135KB/s, mint=24892msec, maxt=24892msec

Disk stats (read/write):
  sda: ios=260112/12, merge=0/3, ticks=770112/104, in_queue=770201, util=99.52%
";

#[test]
fn kb_of_fio_1_are_1024_bytes_and_commas_stand_between_thousands() {
    let found = fio(FIO_1);
    let [output] = found.as_slice() else {
        panic!("{} outputs", found.len());
    };
    assert_eq!(output.end, FIO_1.lines().count());
    let figure = |key| value(output, key, &["randread", "4k"]);
    assert_eq!(figure("read.iops"), Some(10_531.0));
    assert_eq!(figure("read.bw"), Some(42_124.0 * 1024.0));
    assert_eq!(figure("read.clat_max"), Some(20_198e3));
    assert_eq!(figure("read.clat_mean"), Some(3_021_550.0));
    assert_eq!(fact(output, "fio"), Some("1.59"));
    assert_eq!(fact(output, "iodepth"), Some("32"));
    assert!(dimension(output, "read.iops", "job").is_none(), "one job");
}

/// A job of fio 3 with its closing lines.
fn job(name: &str, group: u32, pid: u32, clock: &str, iops: u32) -> String {
    format!(
        "{name}: (groupid={group}, jobs=1): err= 0: pid={pid}: Thu Nov 26 {clock} 2026
  write: IOPS={iops}, BW={kib}KiB/s (1kB/s)(2000KiB/1002msec); 0 zone resets
    clat (nsec): min=1667, max=2010.6k, avg={iops}.00, stdev=107854.35
     issued rwts: total=0,{iops},0,0 short=0,0,0,0 dropped=0,0,0,0
",
        kib = 4 * iops,
    )
}

fn head(name: &str, group: u32) -> String {
    format!(
        "{name}: (g={group}): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, \
         ioengine=psync, iodepth=1\n"
    )
}

fn group(id: u32, kib: u32) -> String {
    format!(
        "\nRun status group {id} (all jobs):\n  WRITE: bw={kib}KiB/s (1kB/s), 1KiB/s-2KiB/s (1kB/s-2kB/s), \
         io=1MiB (1MB), run=1-1msec\n"
    )
}

#[test]
fn clones_add_up_and_other_jobs_of_a_group_do_not() {
    let text = format!(
        "{}...\n{}fio-3.33\nStarting 3 processes\n\n{}{}{}{}",
        head("w", 0),
        head("x", 0),
        job("w", 0, 1, "05:13:58", 100),
        job("w", 0, 2, "05:13:59", 300),
        job("x", 0, 3, "05:13:58", 50),
        group(0, 1801),
    );
    let found = fio(&text);
    let [output] = found.as_slice() else {
        panic!("{} outputs", found.len());
    };
    assert_eq!(value(output, "write.iops", &["w", "2"]), Some(400.0));
    assert_eq!(value(output, "write.bw", &["w"]), Some(1600.0 * 1024.0));
    // 100 I/Os of 100 ns and 300 of 300 ns.
    assert_eq!(value(output, "write.clat_mean", &["w"]), Some(250.0));
    assert_eq!(value(output, "write.iops", &["x", "1"]), Some(50.0));
    let all = value(output, "write.bw", &["all jobs"]);
    assert_eq!(all, Some(1801.0 * 1024.0));
    assert_eq!(value(output, "write.iops", &["all jobs"]), None);
}

#[test]
fn the_sum_of_clones_is_what_fio_prints_for_their_group() {
    let jobs: String = (1..=3)
        .map(|pid| job("w", 0, pid, "05:13:58", 100))
        .collect();
    let found = fio(&format!("{jobs}{}", group(0, 1205)));
    assert_eq!(found.len(), 1);
    assert_eq!(value(&found[0], "write.bw", &[]), Some(1205.0 * 1024.0));
    assert_eq!(value(&found[0], "write.iops", &[]), Some(300.0));
}

#[test]
fn a_second_begin_is_a_second_output() {
    let first = job("w", 0, 10, "05:13:58", 100);
    let later = job("w", 0, 20, "05:23:58", 200);
    let heads = format!("{}fio-3.33\nStarting 1 process\n\n", head("w", 0));
    let started = format!("Starting 1 process\n\n{}", job("w", 0, 11, "05:13:58", 100));
    for (text, count) in [
        (format!("{first}{later}"), 2),
        (format!("{first}{}{later}", group(0, 400)), 2),
        (format!("{heads}{first}{heads}{later}"), 2),
        (format!("{first}\nWith the patch:\n{later}"), 2),
        (format!("{started}{first}"), 2),
        (format!("{first}{first}"), 2),
        (format!("{first}{}", job("w", 0, 11, "05:13:59", 7)), 1),
    ] {
        assert_eq!(fio(&text).len(), count, "{text}");
    }
    let found = fio(
        "  read: IOPS=16.1k, BW=62.9MiB/s (65.9MB/s)(3MiB/6msec)\n\n  read: IOPS=12k, BW=46.9MiB/s\n",
    );
    let iops: Vec<_> = found.iter().map(|o| value(o, "read.iops", &[])).collect();
    assert_eq!(iops, [Some(16_100.0), Some(12_000.0)]);
}

#[test]
fn reports_before_the_end_are_replaced() {
    let text = format!(
        "{}fio-3.33\nStarting 1 process\n\n{}{}\n{}{}",
        head("a", 0),
        job("a", 0, 7, "08:04:44", 100),
        group(0, 400),
        job("a", 0, 7, "08:04:54", 90),
        group(0, 360),
    );
    let found = fio(&text);
    assert_eq!(found.len(), 1);
    assert_eq!(value(&found[0], "write.iops", &[]), Some(90.0));
    assert_eq!(value(&found[0], "write.bw", &[]), Some(360.0 * 1024.0));
}

const CLIENTS: &str = "\
hostname=a, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.33, flags=1
<a> w: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
<b> w: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
<a> Starting 1 process
<b> Starting 1 process
Jobs: 2 (f=2), 0-2000 IOPS<a>
";

#[test]
fn machines_are_told_apart_or_are_part_of_the_sum() {
    let sum = "All clients: (groupid=0, jobs=2): err= 0: pid=0: Thu Nov 26 05:13:58 2026
  write: IOPS=300, BW=1200Ki (1228k)(3996KiB/1015msec); 0 zone resets
";
    let text = |second: &str| {
        format!(
            "{CLIENTS}<a>\n{}{}\nDisk stats (read/write):\n  vda: ios=1/2, merge=0/0, ticks=1/2\n<{second}>\n{}{}{sum}",
            job("w", 0, 5, "05:13:58", 100),
            group(0, 400),
            job("w", 0, 6, "05:13:58", 200),
            group(0, 800),
        )
    };
    let found = fio(&text("b"));
    assert_eq!(found.len(), 1);
    assert_eq!(value(&found[0], "write.iops", &["a"]), Some(100.0));
    assert_eq!(value(&found[0], "write.iops", &["b"]), Some(200.0));
    let all = value(&found[0], "write.bw", &["All clients", "randwrite"]);
    assert_eq!(all, Some(1200.0 * 1024.0));
    // Two clients on one machine: only the sum can be named.
    let found = fio(&text("a"));
    assert_eq!(found.len(), 1);
    let iops = |o: &&crate::observation::Observation| o.metric.key == "write.iops";
    assert_eq!(found[0].observations.iter().filter(iops).count(), 1);
    assert_eq!(value(&found[0], "write.iops", &[]), Some(300.0));
}

#[test]
fn excerpts_need_no_first_line() {
    let found = fio("
   READ: bw=1517MiB/s (1590MB/s), 1517MiB/s-1517MiB/s (1590MB/s-1590MB/s), io=88.9GiB (95.4GB), run=60001-60001msec
  WRITE: bw=650kB/s (635KiB/s)
");
    assert_eq!(found.len(), 1);
    assert_eq!(value(&found[0], "read.bw", &[]), Some(1517.0 * 1_048_576.0));
    assert_eq!(value(&found[0], "write.bw", &[]), Some(650e3));
    let found = fio("   READ: io=10991MB, aggrb=187558KB/s, minb=187558KB/s, maxb=187558KB/s\n");
    assert_eq!(value(&found[0], "read.bw", &[]), Some(187_558.0 * 1024.0));
    let found = fio("    clat percentiles (usec):\n     |  1.00th=[   58], 99.90th=[ 3982]\n");
    assert_eq!(value(&found[0], "clat_p999", &[]), Some(3_982_000.0));
}

#[test]
fn samples_are_figures_where_their_operation_is_missing() {
    let samples = |rate: &str| {
        format!(
            "   bw (  {rate}): min=398112, max=421004, per=100.00%, avg=1024.5, samples=20
   iops        : min=99528, max=105251, avg=102975.8, stdev=1255.28, samples=20
"
        )
    };
    let figures_of = |text: &str| {
        let figures = |output: &Output| {
            let figures = output.observations.iter();
            figures
                .map(|o| (o.metric.key.clone(), o.value))
                .collect::<Vec<_>>()
        };
        fio(text).iter().map(figures).collect::<Vec<_>>()
    };
    let expected = |rate: f64| {
        vec![
            ("bw_mean".to_owned(), rate),
            ("iops_mean".to_owned(), 102_975.8),
        ]
    };
    let (kib, mib) = (1024.5 * 1024.0, 1024.5 * 1024.0 * 1024.0);
    assert_eq!(figures_of(&samples("KiB/s")), [expected(kib)]);
    assert_eq!(figures_of(&samples("KB  /s")), [expected(kib)], "fio 2");
    let two = samples("KiB/s") + &samples("MiB/s");
    assert_eq!(figures_of(&two), [expected(kib), expected(mib)]);
    let complete = format!("  write: IOPS=104k, BW=406MiB/s\n{}", samples("KiB/s"));
    let keys = figures_of(&complete)[0].clone();
    let keys: Vec<&str> = keys.iter().map(|figure| figure.0.as_str()).collect();
    assert_eq!(keys, ["write.iops", "write.bw"]);
}

#[test]
fn a_job_and_its_group_have_one_rate() {
    // A mailer wrapped the first line of the job within its date, and the options of the job.
    let name = "random-read-of-the-old-disk";
    let wrapped = FIO_1
        .replace("randread:", &format!("{name}:"))
        .replace("4K-4K, ioengine", "4K-4K,\nioengine")
        .replace("pid=2471", "pid=2471: Tue Mar\n4 10:11:12 2014");
    let found = fio(&wrapped);
    let [output] = found.as_slice() else {
        panic!("{} outputs", found.len());
    };
    assert_eq!(fact(output, "job"), Some(name));
    assert_eq!(fact(output, "iodepth"), Some("32"));
    // An excerpt without the first line of the job names no group.
    let begin = FIO_1.find("  read :").expect("an operation");
    for text in [wrapped.as_str(), &FIO_1[begin..]] {
        let found = fio(text);
        let rates = found[0]
            .observations
            .iter()
            .filter(|o| o.metric.key == "read.bw");
        assert_eq!((found.len(), rates.count()), (1, 1), "{text}");
    }
}

#[test]
fn wrapped_lines_belong_together() {
    let text = "\
w: (g=0): rw=randwrite, bs=(R) 16.0KiB-16.0KiB, (W) 16.0KiB-16.0KiB, (T)
16.0KiB-16.0KiB, ioengine=libaio, iodepth=2
fio-3.33
Starting 1 thread

w: (groupid=0, jobs=1): err= 0: pid=6223: Thu Nov 26 05:13:58
2026
  write: IOPS=699, BW=10.9MiB/s (11.5MB/s)(21.9MiB/2001msec); 0 zone
resets
    clat (nsec): min=640, max=5455.0k, avg=235388.59,
stdev=343238.89
    clat percentiles (usec):
     |  1.00th=[    1],  5.00th=[    6], 10.00th=[   63], 20.00th=[
94], 30.00th=[  120],
     | 99.99th=[ 5473]
   bw (  KiB/s): min=11177, max=11232, per=25.04%, avg=11213.67,
stdev=31.75, samples=3

Run status group 0 (all jobs):
  WRITE: bw=43.7MiB/s (45.9MB/s), 10.9MiB/s-10.9MiB/s
(11.5MB/s-11.5MB/s), io=87.5MiB (91.8MB), run=2001-2001msec
After:
";
    let found = fio(text);
    let [output] = found.as_slice() else {
        panic!("{} outputs", found.len());
    };
    assert_eq!(output.end, text.lines().count() - 1);
    assert_eq!(dimension(output, "write.iops", "bs"), Some("16k"));
    assert_eq!(value(output, "write.clat_stdev", &[]), Some(343_238.89));
    assert_eq!(value(output, "write.clat_p30", &[]), Some(120e3));
    assert_eq!(value(output, "write.clat_p9999", &[]), Some(5_473e3));
}

#[test]
fn syncs_and_priorities_do_not_mix_with_reads() {
    let text = "\
  read: IOPS=500, BW=2000KiB/s (2048kB/s)(2000KiB/1000msec)
    clat (usec): min=1, max=20, avg=7.5, stdev=2.0
    clat prio 0/0 (usec): min=1, max=90, avg=70.5, stdev=2.0
    clat percentiles (usec):
     | 99.00th=[   12]
    clat prio 1/0 (10.00% of IOs) percentiles (usec):
     | 50.00th=[   99], 99.00th=[  120]
  lat (usec)   : 2=7.91%, 4=25.33%
  fsync/fdatasync/sync_file_range:
    sync (msec): min=22, max=38, avg=32.5, stdev=4.7
    sync percentiles (usec):
     | 99.00th=[38536]
  cpu          : usr=11.00%, sys=2.20%, ctx=713, majf=0, minf=16
";
    let found = fio(text);
    assert_eq!(found.len(), 1);
    let figure = |key| value(&found[0], key, &[]);
    assert_eq!(figure("read.clat_max"), Some(20e3));
    assert_eq!(figure("read.clat_p99"), Some(12e3));
    assert_eq!(figure("read.clat_p50"), None);
    assert_eq!(figure("sync.lat_mean"), Some(32.5e6));
    assert_eq!(figure("sync.lat_p99"), Some(38_536e3));
}

#[test]
fn failed_jobs_say_so() {
    let text = "w: (groupid=0, jobs=1): err= 5 (file:io_u.c:1745, func=io_u error, \
        error=Input/output error): pid=9: Thu Nov 26 05:13:58 2026
  write: IOPS=699, BW=10.9MiB/s (11.5MB/s)(21.9MiB/2001msec); 0 zone resets\n";
    assert_eq!(fact(&fio(text)[0], "error"), Some("Input/output error"));
}

#[test]
fn other_texts_are_no_outputs() {
    for text in [
        "fio-3.33",
        "fio-3.16\n  the version that I use",
        "Starting 1 process\nthen nothing",
        "read: iops are fine",
        "read: 12 of 13 tests passed",
        "READ: the manual",
        "cpu          : usr=11.00%, sys=2.20%",
        "  sda: ios=260112/12, merge=0/3, ticks=770112/104",
        "lat (usec)   : 2=7.91%",
        "latency (msec): see below",
        "job: (g=0): no",
        "...",
        "<box>",
    ] {
        assert_eq!(fio(text).len(), 0, "{text}");
    }
}

#[test]
fn both_forms_of_one_run_are_one_output() {
    let json = "{\n\"fio version\" : \"fio-3.33\", \"timestamp\": 100, \"jobs\": [{\"jobname\": \"w\", \
        \"groupid\": 0, \"elapsed\": 3,\n\"write\": {\"iops\": 99.7, \"bw_bytes\": 408371, \"total_ios\": 9,\
        \n\"clat_ns\": {\"max\": 9, \"mean\": 5.5, \"percentile\": {\"99.000000\": 8}}}}]}\n";
    let normal = job("w", 0, 10, "05:13:58", 100);
    let heads = format!("{}fio-3.33\nStarting 1 process\n", head("w", 0));
    for text in [
        format!("{heads}{json}\n{normal}"),
        format!("{json}{heads}{normal}"),
        format!("{heads}{json}"),
    ] {
        let found = fio(&text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].end, text.lines().count(), "{text}");
        assert_eq!(value(&found[0], "write.iops", &["4k"]), Some(99.7));
        assert_eq!(value(&found[0], "write.clat_p99", &[]), Some(8.0));
        assert_eq!(value(&found[0], "write.lat_p99", &[]), None);
    }
    // Another result is another run.
    let other = job("w", 0, 10, "05:13:58", 150);
    assert_eq!(fio(&format!("{json}{other}")).len(), 2);
    let later = json.replace("100", "107").replace(": 3", ": 10");
    assert_eq!(fio(&format!("{json}{later}")).len(), 1, "--status-interval");
    let again = json.replace("100", "107");
    assert_eq!(fio(&format!("{json}{again}")).len(), 2, "another run");
}
