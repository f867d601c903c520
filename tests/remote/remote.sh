# SPDX-License-Identifier: GPL-2.0-or-later
# remote.sh - settings of the tests of control messages, on the host. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../support/in-guest.sh"

remote=$top/tests/remote
files+=(--file "$remote/control-guest.sh")
