"""Questions about a fleet as DataFrames, the same as the SQL of docs/at-scale.md: what a kernel changed, the noise of repeats, a sweep, slow requests.

    spark-submit queries.py DIGESTS [--where SQL] [--kernels A B] [--sweep A B]

DIGESTS is a table of digests as Parquet: of `seekscope digest`, `seekscope fleet`, or of fleet.py. The functions take the rows of the devices that a
comparison takes (`compared_runs`), and can be imported into a notebook.
"""

import argparse

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# The mark of a repeat at the end of a label.
REPEAT = "-run[0-9]+$"
# Causes of slow requests that are shown, of the columns `tail_...`.
CAUSES = "plugged other_process held queued ahead overtaken".split()


def compared_runs(digests, where=None):
    runs = digests.where("compared")
    return runs.where(where) if where else runs


def median(column):
    return F.expr(f"percentile(`{column}`, 0.5)")


def kernels(runs, a, b):
    """Which kernel changed what on which model of disk: ratios of medians."""
    in_label = F.regexp_extract("run", "^k([0-9.]+)", 1)
    named = runs.withColumns({"disk": F.coalesce("model", "device"), "kernel": F.coalesce("kernel", in_label)})
    figures = {"iops": "iops", "q2c_p99": "p99", "depth_mean": "depth"}
    medians = named.groupBy("disk", "kernel").agg(F.count("*").alias("runs"), *[median(name).alias(short) for name, short in figures.items()])
    sides = [medians.where(F.col("kernel") == kernel).alias(side) for side, kernel in (("a", a), ("b", b))]
    ratios = [
        F.round(F.col(f"b.{short}") / F.col(f"a.{short}"), 2).alias("depth" if short == "depth" else name) for name, short in figures.items()
    ]
    names = [F.col(f"{side}.{name}").alias(f"{name}_{side}") for name in ("kernel", "runs") for side in "ab"]
    return sides[0].join(sides[1], F.col("a.disk") == F.col("b.disk")).select("a.disk", *names, *ratios).orderBy("disk")


def repeats(runs):
    """What repeats of a measurement differ by, in percent: a difference below it is noise."""

    def noise(column):
        return F.round(100 * F.stddev_samp(F.log(column)), 1)

    measurement = F.regexp_replace("run", REPEAT, "").alias("measurement")
    return (
        runs.where(F.col("run").rlike(REPEAT))
        .groupBy("source", measurement)
        .agg(
            F.count("*").alias("runs"),
            F.round(F.exp(F.avg(F.log("iops"))), 1).alias("iops"),
            noise("iops").alias("iops_noise"),
            noise("q2c_p99").alias("p99_noise"),
        )
        .where("runs > 1")
        .orderBy("source", "measurement")
    )


def sweep(runs, a, b):
    """The same jobs with A and with B, named at the begin of the labels as in `ext4-osync`: cell by cell, then all cells together."""
    cells = runs.select(F.split("run", "-")[0].alias("variant"), F.expr("substr(run, position('-' IN run) + 1)").alias("job"), "iops", "q2c_p99")
    sides = [cells.where(F.col("variant") == variant).alias(side) for side, variant in (("a", a), ("b", b))]
    both = sides[0].join(sides[1], F.col("a.job") == F.col("b.job"))
    iops, p99 = (F.log(F.col(f"b.{name}") / F.col(f"a.{name}")) for name in ("iops", "q2c_p99"))
    return (
        both.select(F.col("a.job").alias("job"), iops.alias("iops"), p99.alias("q2c_p99"))
        .rollup("job")
        .agg(
            F.count("*").alias("cells"),
            F.sum((F.col("iops") > 0).cast("bigint")).alias("more_iops"),
            F.round(F.exp(F.avg("iops")), 2).alias("iops"),
            F.round(F.exp(F.avg("q2c_p99")), 2).alias("q2c_p99"),
        )
        .withColumn("job", F.coalesce("job", F.lit("all cells")))
        .orderBy("job")
    )


def slowest(runs):
    """What the time of the slowest percent of the requests went to, in percent by cause."""
    shares = [F.round(100 * F.col(f"tail_{cause}"), 1).alias(cause) for cause in CAUSES]
    above = F.round(F.col("tail_threshold_ns") / 1e6, 1).alias("above_ms")
    return runs.orderBy("source", "run").select("run", F.col("tail_requests").alias("slow"), above, *shares)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("digests")
    parser.add_argument("--where", help="a condition of SQL for the rows that are read")
    parser.add_argument("--kernels", nargs=2, metavar=("A", "B"))
    parser.add_argument("--sweep", nargs=2, metavar=("A", "B"))
    given = parser.parse_args()

    spark = SparkSession.builder.appName("seekscope queries").getOrCreate()
    # A kernel 6.10 in the name of a folder is no number.
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    runs = compared_runs(spark.read.parquet(given.digests), given.where)
    if given.kernels:
        kernels(runs, *given.kernels).show(200, truncate=False)
    if given.sweep:
        sweep(runs, *given.sweep).show(200, truncate=False)
    repeats(runs).show(200, truncate=False)
    slowest(runs).show(200, truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
