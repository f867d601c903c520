# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a command with its output thrown away; prints CPU seconds and peak KiB."""
import resource
import subprocess
import sys

subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
