# SPDX-License-Identifier: GPL-2.0-or-later
#
# remote.sh - what the tests of control messages share on the host: what
# the oracles have, and more. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../support/in-guest.sh"

remote=$top/tests/remote
files+=(--file "$remote/control-guest.sh")
