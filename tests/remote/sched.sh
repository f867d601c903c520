# SPDX-License-Identifier: GPL-2.0-or-later
#
# sched.sh - what the tests of remote scheduling share on the host: the groups and the
# senders, made for the guest. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/remote.sh"

files+=(--file "$remote/sched-guest.sh")
programs remote/members remote/inherit
senders send
