# SPDX-License-Identifier: GPL-2.0-or-later
#
# order.sh - functions for scripts that test evtlog remote in the guest: the key, a logger, and
# checks of a command's output. Sourced by busybox sh.
. ./logd-in-guest.sh

key=/etc/evtlog/remote.key

# said TEXT - the last command printed it
said() {
	grep -qF -- "$1" /tmp/out || {
		cat /tmp/out /tmp/err
		die "not said: $1"
	}
}
complained() {
	grep -qF -- "$1" /tmp/err || {
		cat /tmp/out /tmp/err
		die "not complained: $1"
	}
}
# remote STATUS ARGUMENT... - runs evtlog remote through the command $from
from=
remote() {
	wanted=$1
	shift
	$from evtlog remote "$@" >/tmp/out 2>/tmp/err
	got=$?
	[ $got = "$wanted" ] || {
		cat /tmp/out /tmp/err
		die "exit $got instead of $wanted: evtlog remote $*"
	}
}
# await_hearing - waits until all hosts answer: after a new key they ignore older messages for 5 s
await_hearing() {
	until_true 60 evtlog remote status --retries 0 --timeout 200ms 'node[1-2]' >/tmp/out 2>&1 || {
		date
		grep remote_ /proc/evtlog/status
		die "not all hear: $(cat /tmp/out)"
	}
}

mkdir -p /etc/evtlog
cp /script/remote.key $key
chmod 600 $key
logd -q -d /tmp/log &
logger=$!
claim "the logger is there" until_true 60 logger_is $logger
