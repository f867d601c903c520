# SPDX-License-Identifier: GPL-2.0-or-later
# control-guest.sh - functions for scripts about control messages in the guest. Sourced, not run.
. /script/guest.sh

key=000102030405060708090a0b0c0d0e0f
me=10.99.0.${NODE:-1}

# set_key ID HEX [RIGHTS] - the key may schedule, unless RIGHTS is empty
set_key() {
	echo "$1 $2${3- +sched}" >$evtlog/remote_key || die "no key $1"
}

# A new key accepts only messages that are newer than the key by the window of 5 s.
age_key() {
	sleep 6
}

# status_of NAME - a line of /proc/evtlog/status
status_of() {
	sed -n "s/^$1 //p" $evtlog/status
}

# ask EXPECTED ARGUMENT... - sends a message, through the command $from. The answer in /tmp/answer
# must have the "result" EXPECTED; "none": no answer may come.
from=
ask() {
	expected=$1
	shift
	status=0
	$from send "$@" >/tmp/answer || status=$?
	if [ "$expected" = none ]; then
		[ $status = 3 ] || die "send $*: ended with $status: $(cat /tmp/answer)"
		return
	fi
	[ $status = 0 ] || die "send $*: ended with $status"
	grep -q "^result $expected " /tmp/answer ||
		die "send $*: wanted result $expected: $(cat /tmp/answer)"
}

# answered LINE - the last answer contains the line
answered() {
	grep -qx "$1" /tmp/answer || die "no '$1' in the answer: $(cat /tmp/answer)"
}
