# SPDX-License-Identifier: GPL-2.0-or-later
# sched-guest.sh - functions for scripts about remote scheduling in the guest: groups, and messages
# that boost them. Sourced, not run.
. /script/control-guest.sh
pgid=1 sid=2 cgroup=3
[ "${NODES:-1}" != 1 ] || me=127.0.0.1

# above PRIORITY ARGUMENT... - restarts the script with this priority; boosted groups have 48
above() {
	[ -z "${ABOVE:-}" ] || return 0
	export ABOVE=$1
	shift
	exec members run fifo "$ABOVE" /bin/sh "$0" "$@"
}

# group group|session MEMBER... - starts a group (see members.c); sets $group to its number
group() {
	: >/tmp/group
	members "$@" >/tmp/group &
	tries=300
	until grep -q . /tmp/group; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || die "members $*: no group"
		sleep 0.1
	done
	group=$(cat /tmp/group)
}

# boost RESULT KIND NUMBER NS [OPTION]... - sends a message and checks the answer
boost() {
	ask "$1" "kind=$2" "group=$3" "for=$4" "${5:-reply=1}" $me $me sched
}

# ended - is no task boosted?
ended() {
	[ "$(status_of boost_active)" = 0 ] && [ "$(status_of boost_tasks)" = 0 ]
}

# policies NUMBER - the policies of all tasks of a session
policies() {
	members policies session "$1" | sort
}

# same FILE FILE WHAT - fails with WHAT if the files differ
same() {
	cmp -s "$1" "$2" || {
		diff "$1" "$2" || true
		die "$3"
	}
}
