"""Answers questions about Parquet files with Spark, as lists of rows in JSON on standard output. The file that is named has {"views": {name: path},
"queries": [SQL], "frames": [{"name", "view", "where", "args"}]}: the last are functions of examples/spark/queries.py."""

import json
import os
import sys

from pyspark.sql import SparkSession

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/spark"))
import queries as frames  # noqa: E402

with open(sys.argv[1], encoding="utf-8") as file:
    asked = json.load(file)
spark = SparkSession.builder.appName("seekscope queries").getOrCreate()
# A kernel 6.10 in the name of a folder is no number.
spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
for name, path in asked["views"].items():
    spark.read.parquet(path).createOrReplaceTempView(name)


def rows_of(frame):
    return [row.asDict() for row in frame.collect()]


answers = [rows_of(spark.sql(text)) for text in asked["queries"]]
found = []
for one in asked["frames"]:
    runs = frames.compared_runs(spark.table(one["view"]), one.get("where"))
    found.append(rows_of(getattr(frames, one["name"])(runs, *one["args"])))
print("ANSWERS " + json.dumps({"queries": answers, "frames": found}, default=float))
spark.stop()
