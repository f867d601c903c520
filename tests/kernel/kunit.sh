# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kunit.sh - checks the output of the KUnit suites on a kernel's console. Sourced.

. "$(dirname "${BASH_SOURCE[0]}")/../support/test.sh"
log=$scratch/console said=$log
# shellcheck disable=SC2034 - used by those who source this
kunit_parameters="audit=1 ring_kunit.seed=$seed remote_kunit.seed=$seed boost_kunit.seed=$seed packet_kunit.seed=$seed"

judge() {
	local told suite

	# Lines of a console may begin with a time.
	sed -i -E 's/\r$//; s/^\[ *[0-9.]+\] //' "$log"
	grep -E '^[[:space:]]*(not )?ok [0-9]+|^# (Subtest|Totals)|seed' "$log" || true
	! grep -qE '^[[:space:]]*not ok ' "$log" || fail "a case failed"
	# audit writes a name that is not plain text in hexadecimal digits.
	told=$(grep -oE 'op=evtlog-remote-.*' "$log" | sed 's/ request=[1-9][0-9]*/ request=N/' || true)
	[ "$told" = "$(sed 's/^/op=evtlog-remote-/' <<'END'
start src=10.99.0.1 key=7 request=N name="job1" errno=0 res=1
sched src=10.99.0.1 key=7 request=N group_kind=3 group=0 duration_ns=50000000 name=2F61206222207265733D31 errno=1 res=0
disarm src=10.99.0.2 key=8 request=N errno=0 res=1
cancel src=10.99.0.2 key=8 request=N errno=114 res=0
sched src=10.99.0.2 key=8 request=0 group_kind=0 group=0 duration_ns=0 errno=1 res=0
start src=10.99.0.2 key=8 request=N name="1" errno=22 res=0
sched src=10.99.0.2 key=8 request=N group_kind=0 group=0 duration_ns=0 errno=22 res=0
start src=10.99.0.2 key=8 request=N name="without" errno=0 res=1
stop src=10.99.0.2 key=8 request=N errno=0 res=1
cancel src=10.99.0.2 key=8 request=N errno=114 res=0
END
	)" ] || fail "audit was told: $told"
	! grep -qE 'cut here|BUG:|WARNING:|Kernel panic' "$log" || fail "the kernel complained"
	for suite in evtlog_ring evtlog_put evtlog_event evtlog_route evtlog_user evtlog_feature evtlog_remote evtlog_remote_keyring \
		evtlog_remote_execute evtlog_boost evtlog_lineage evtlog_sampler ${more_suites:-}; do
		grep -qE "^[[:space:]]*ok [0-9]+ -? ?$suite\$" "$log" || fail "$suite has not run"
	done
}
