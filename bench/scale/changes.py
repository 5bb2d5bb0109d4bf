"""Change points by PELT of `ruptures`: for [[[value of a run, ...] per build] per series] in the file that is named, lists of the first builds after a change."""

import json
import sys

import numpy as np
import ruptures

with open(sys.argv[1], encoding="utf-8") as file:
    series = json.load(file)
found = []
for builds in series:
    values = np.median(np.log(np.array(builds)), axis=1)
    noise = np.median(np.abs(np.diff(values))) / (0.6745 * np.sqrt(2))
    # A penalty that hardly ever finds a change in noise.
    algorithm = ruptures.Pelt(model="l2", min_size=3, jump=1).fit(values / noise)
    found.append(algorithm.predict(pen=4 * np.log(len(values)))[:-1])
print("FOUND " + json.dumps(found))
