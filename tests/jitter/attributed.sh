# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# attributed.sh - for tests that judge the library's attribution of a log. Sourced, not run.

# attributed DIR - the attribution of the samples in DIR, a directory of evtlog jitter run,
# must be what a naive reader finds in its log
attributed() {
	"$build/tests/jitter/engine-dump" "$1"/*.evl "$1/logged.samples" >"$scratch/dump" || fail "$1: engine-dump: $?"
	grep ^summary "$scratch/dump"
	python3 "$here/oracles/engine.py" "$1"/*.evl "$1/logged.samples" <"$scratch/dump" ||
		fail "$1: the attribution is not what the log says"
}
