#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""shares.py DIRECTORY MATCHED ATTRIBUTED [lossy | host] - a report explains almost all samples

At least MATCHED and ATTRIBUTED percent must be matched and attributed. lossy: records must be lost,
and the report must show this; otherwise no record may be lost. host: the host also stopped the
guest, so the shares are those of samples that contain an interruption, and of time that is in any
row, recorded or inferred. Prints each comparison; exits with 1 if one fails.
"""
import csv
import json
import os
import sys

from claims import claim, finish

directory, mode = sys.argv[1], sys.argv[4:]
least_matched, least_attributed = map(float, sys.argv[2:4])
with open(os.path.join(directory, "report.json")) as file:
    report = json.load(file)
with open(os.path.join(directory, "status")) as file:
    status = int(file.read())
with open(os.path.join(directory, "samples.csv"), newline="") as file:
    samples = [row for row in csv.DictReader(file) if row["excluded"] == "0"]
lost = sum(cpu["lost_records"] for cpu in report["cpus"])
excluded = report["excluded_samples"]
inferred = sum(row["total_ns"] for row in report["sources"] if row["inferred"])
matched, attributed = report["matched_share"], report["attributed_share"]
claim(len(samples) > 100, f"{len(samples)} samples over the threshold")
if "host" in mode:
    print(f"      all samples: {100 * matched:.3f} % matched, {100 * attributed:.3f} % attributed")
    matched *= len(samples) / sum(row["interruptions"] != "0" for row in samples)
    attributed += inferred / report["noise_ns"]
claim(100 * matched >= least_matched, f"{100 * matched:.3f} % are matched")
claim(100 * attributed >= least_attributed, f"{100 * attributed:.3f} % are attributed")
if "lossy" in mode:
    claim(lost and excluded and status == 4, f"{lost} records were lost, {excluded} samples are "
          f"excluded, the report's status is {status}")
else:
    claim(not lost and not excluded and not status,
          f"{lost} records were lost, the report's status is {status}")
claim(not report["missed_interruptions"], f"{report['missed_interruptions']} interruptions that a "
      "sample should have shown have none")
print(f"      largest residual {report['max_residual_ns']} ns; "
      f"crossing {[cpu['crossing_each_ns'] for cpu in report['cpus']]} ns")
print(f"      {report['noise_ns'] - report['recorded_ns']:.0f} ns are not in records, "
      f"{inferred:.0f} ns of them in inferred rows")
finish()
