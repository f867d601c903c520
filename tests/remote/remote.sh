# SPDX-License-Identifier: GPL-2.0-or-later
#
# remote.sh - what the tests of control messages share on the host: the senders,
# made for the guest, and what the oracles have. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../support/in-guest.sh"

remote=$top/tests/remote
files+=(--file "$remote/control-guest.sh")

# senders NAME... - compiles the guest's senders
senders() {
	local name

	echo '#include <sodium.h>' | gcc -E - >/dev/null 2>&1 ||
		skip "libsodium-dev: not installed; run tests/depend check"
	for name; do
		gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wmissing-prototypes -O2 \
			-static -I"$top/include" -o "$scratch/$name" \
			"$remote/$name.c" "$remote/message.c" -lsodium ||
			fail "$name.c: does not compile"
		files+=(--file "$scratch/$name")
	done
}
