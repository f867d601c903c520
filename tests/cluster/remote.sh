# SPDX-License-Identifier: GPL-2.0-or-later
#
# remote.sh - functions for the host's tests of evtlog remote. Sourced, not run.
. "$(dirname "${BASH_SOURCE[0]}")/../support/logd.sh"

evtlog=$build/tools/evtlog
"$evtlog" remote key make --sched "$scratch/remote.key" >/dev/null

# guest RUN-ARGUMENT... - runs the guest; its files are in $scratch/out
guest() {
	tests/vm/run --mem 256 --out "$scratch/out" --file tests/cluster/order.sh \
		--file tests/support/logd-in-guest.sh --file "$build/tests/logd/without" \
		--file "$scratch/remote.key" "$@"
}

# was_ordered RUN NODE ORDER... - the run's file is complete, and has its name and the operation and
# broadcast of each request
was_ordered() {
	local file=$scratch/out/node$2/node$2-$1.evl orders

	[ -f "$file" ] || fail "no $(basename "$file"): $(ls "$scratch/out/node$2")"
	"$evtlog" check -q "$file" || fail "$(basename "$file")"
	[ "$("$evtlog" info --json "$file" | jq -r .run_name)" = "$1" ] || fail "$file: name"
	"$evtlog" info "$file" | grep -q '^requested  ' || fail "$file: when was it ordered?"
	orders=$("$evtlog" dump --type remote --json "$file" |
		jq -r 'select(.event == "remote").fields | "\(.operation)/\(.broadcast)"' | xargs)
	[ "$orders" = "${*:3}" ] || fail "run $1 on node $2: '$orders', not '${*:3}'"
}
