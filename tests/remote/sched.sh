# SPDX-License-Identifier: GPL-2.0-or-later
# sched.sh - settings of the tests of remote scheduling, on the host. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/remote.sh"

files+=(--file "$remote/sched-guest.sh")
programs remote/{members,inherit,send}
