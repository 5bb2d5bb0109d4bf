"""Digests and requests of many recordings with Spark.

    spark-submit fleet.py INPUT... --output FOLDER [--seekscope COMMAND] [--requests]

INPUT are folders or globs of archives (tar, zip, compressed files) on anything Spark reads. Each archive goes to a process of `seekscope digest -`
on an executor, as it is read from Spark; its rows become `FOLDER/digests`, partitioned by kernel and device, those of `seekscope requests -`
`FOLDER/requests`, and what could not be read `FOLDER/errors`. Node and Seekscope must be installed on the executors.
"""

import argparse
import csv
import io
import json
import re
import shlex
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# Columns of docs/at-scale.md that are no figures; figures are numbers, and lists of them over time.
TEXTS = set(
    "run trace sha256 kernel scheduler workload repeat_group folder device dev role model findings settings bench sizes digest source".split()
)
INTEGERS = set(
    "schema position events lost_events truncated_bytes window_from_ns window_to_ns first_queued_ns last_completed_ns bin_ns"
    " tail_threshold_ns tail_requests".split()
)
REQUEST_TEXTS = "source run trace device dev role op rwbs alignment process".split()
REQUEST_INTEGERS = (
    "sector sectors bytes pid submit_cpu complete_cpu bios error queued_ns allocated_ns inserted_ns issued_ns completed_ns"
    " q2c_ns d2c_ns q2d_ns q2g_ns g2i_ns i2d_ns g2d_ns"
).split()

# `seekscope: FILE: code: text` on standard error: what an input lacks, or why it could not be read.
COMPLAINT = re.compile(r"^seekscope: (?P<file>.*?): (?P<code>[a-z][a-z0-9-]*): (?P<message>.*)$")


def run(command, content):
    """Standard output, and problems: standard error goes to a file, so that neither pipe waits for the other."""
    with tempfile.TemporaryFile() as complaints:
        try:
            done = subprocess.run(command, input=content, stdout=subprocess.PIPE, stderr=complaints, timeout=3600)
        except (OSError, subprocess.TimeoutExpired) as error:
            return "", [{"file": "", "code": "not-run", "message": str(error)}]
        complaints.seek(0)
        text = complaints.read().decode("utf-8", "replace")
    problems = [found.groupdict() for found in map(COMPLAINT.match, text.splitlines()) if found]
    if done.returncode != 0 and not problems:
        problems = [{"file": "", "code": "exit-%d" % done.returncode, "message": text[-500:]}]
    return done.stdout.decode("utf-8"), problems


def read(command, wants_requests):
    """A function for partitions of (path, content): rows of three tables as (table, JSON)."""

    def of(archives):
        for path, content in archives:
            digests, problems = run([*command, "digest", "-"], bytes(content))
            for line in digests.split("\n"):
                if line:
                    yield "digests", json.dumps({**json.loads(line), "source": path})
            if wants_requests and digests:
                table, more = run([*command, "requests", "--raw", "-"], bytes(content))
                for row in csv.DictReader(io.StringIO(table, newline="")):
                    yield "requests", json.dumps({**{name: cell for name, cell in row.items() if cell != ""}, "source": path})
                problems += [problem for problem in more if problem not in problems]
            for problem in problems:
                yield "errors", json.dumps({**problem, "source": path})

    return of


def type_of(column):
    if column in TEXTS:
        return "string"
    if column == "compared":
        return "boolean"
    if column in INTEGERS:
        return "bigint"
    return "array<double>" if column.endswith("_bins") else "double"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--output", required=True)
    parser.add_argument("--seekscope", default="npx seekscope", help="how executors start it (default: npx seekscope)")
    parser.add_argument("--requests", action="store_true", help="also write every request")
    given = parser.parse_args()

    spark = SparkSession.builder.appName("seekscope").getOrCreate()
    archives = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(given.inputs).select("path", "content")
    tasks = max(1, spark.sparkContext.defaultParallelism * 4)
    rows = archives.repartition(tasks, "path").rdd.mapPartitions(read(shlex.split(given.seekscope), given.requests)).cache()

    def table(name):
        return rows.filter(lambda row: row[0] == name).map(lambda row: row[1])

    columns = sorted(table("digests").flatMap(lambda text: list(json.loads(text))).distinct().collect())
    names = sorted({*columns, "kernel", "device"})
    digests = spark.read.schema(", ".join(f"`{name}` {type_of(name)}" for name in names)).json(table("digests"))
    digests.repartition("kernel", "device").write.mode("overwrite").partitionBy("kernel", "device").parquet(given.output + "/digests")
    errors = spark.read.schema("source string, file string, code string, message string").json(table("errors"))
    errors.coalesce(1).write.mode("overwrite").parquet(given.output + "/errors")
    if given.requests:
        # Cells of CSV are texts.
        cells = [*REQUEST_TEXTS, "passthrough", *REQUEST_INTEGERS]
        requests = spark.read.schema(", ".join(f"`{name}` string" for name in cells)).json(table("requests"))
        numbers = {name: F.col(name).cast("bigint") for name in REQUEST_INTEGERS}
        requests = requests.withColumns({**numbers, "passthrough": F.col("passthrough").cast("boolean")})
        requests.write.mode("overwrite").partitionBy("device").parquet(given.output + "/requests")
    print(f"{digests.count()} rows of digests, {errors.count()} problems", file=sys.stderr)
    spark.stop()


if __name__ == "__main__":
    main()
