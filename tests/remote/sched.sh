# SPDX-License-Identifier: GPL-2.0-or-later
#
# sched.sh - what the tests of remote scheduling share on the host: the groups and the
# senders, made for the guest. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/remote.sh"

files+=(--file "$remote/sched-guest.sh")
for name in members inherit; do
	gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter \
		-Wmissing-prototypes -O2 -static -pthread -o "$scratch/$name" \
		"$remote/$name.c" || fail "$name.c: does not compile"
	files+=(--file "$scratch/$name")
done
programs
senders send
