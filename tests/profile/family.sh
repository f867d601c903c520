# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# family.sh - profiles of commands. Sourced by profile.sh.

status=0
evtlog profile run --json -o "$OUT/family.json" -- family 10 >"$OUT/family" || status=$?
echo $status >"$OUT/family.status"
evtlog profile --json -o "$OUT/outer.json" -- evtlog profile run --json -o "$OUT/inner.json" family 2 \
	>/dev/null || true
evtlog profile --json -o "$OUT/killed.json" -- sh -c 'kill $PPID; sleep 5' 2>"$OUT/killed.err" ||
	status=$?
echo $status >"$OUT/killed.status"
evtlog profile -- no-such-command 2>/dev/null || status=$?
echo $status >"$OUT/none.status"
evtlog profile --tree -- dd if=/dev/zero of=/dev/null count=10 2>"$OUT/tree"
cat "$OUT/tree"
head -n 1 $evtlog/profile/control >"$OUT/after"
