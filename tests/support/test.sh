# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# test.sh - all shell tests on the host begin with it: changes to the root of the tree, makes a
# temporary directory $scratch, sets $seed and $more for random inputs, and defines fail, skip and
# damage. Sourced by bash and by sh.

set -eu
# shellcheck disable=SC3040 # only bash has pipefail
[ -z "${BASH_VERSION:-}" ] || set -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cd "$top"
build=${BUILD:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SEED="${SEED:-1}" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$top/tests/support"
seed=$SEED
# Tests multiply the number of their random inputs by this factor; fuzz/longer.test sets it.
more=${MORE:-1}

# fail TEXT... - ends the test as failed; also prints the file $said, if this variable is set
fail() {
	echo "FAIL: $* (SEED=$seed)" >&2
	[ ! -s "${said:-}" ] || sed 's/^/    | /' "$said" >&2
	exit 1
}

# skip REASON... - ends the test as skipped
skip() {
	echo "$*"
	exit 77
}

# damage FILE SEVENTH... - overwrites three bytes of FILE at each of these sevenths of its length
damage() {
	damaged=$1
	shift
	for seventh; do
		printf '\377\376\375' | dd of="$damaged" bs=1 conv=notrunc status=none \
			seek=$(($(stat -c %s "$damaged") / 7 * seventh))
	done
}
