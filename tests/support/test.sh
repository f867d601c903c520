# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# test.sh - what all tests in shell share on the host: they run in the tree's root, have a
# directory of their own, draw at random from $seed, and say why they fail or skip. Sourced,
# by bash and by sh.

set -eu
# shellcheck disable=SC3040 # what only bash has
[ -z "${BASH_VERSION:-}" ] || set -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cd "$top"
build=${BUILD:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SEED="${SEED:-1}" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$top/tests/support"
seed=$SEED

# fail TEXT - ends the test, with what is in the file $said if it is set
fail() {
	echo "FAIL: $* (SEED=$seed)" >&2
	[ ! -s "${said:-}" ] || sed 's/^/    | /' "$said" >&2
	exit 1
}

skip() {
	echo "$*"
	exit 77
}

[ -f "$build/test-programs" ] || fail "not built: run make test-programs"
