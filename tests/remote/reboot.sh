#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# reboot.sh BOOT - a message that was obeyed comes again: in the next boot, under a key that
# was taken away and given back, and after the clock was set back.
. /script/control-guest.sh

saved=$OUT/message
lo=127.0.0.1

# counts CAUSE NUMBER - are so many refused for it by now?
counts() {
	[ "$(status_of remote_refused_"$1")" = "$2" ]
}

# refused CAUSE FILE - sent again the message counts under the cause, and does nothing
refused() {
	before=$(status_of remote_refused_"$1")
	obeyed=$(status_of remote_obeyed)
	send load="$2"
	await 60 counts "$1" $((before + 1))
	[ "$(status_of remote_obeyed)" = "$obeyed" ] || die "$2 was obeyed again"
}

set_clock() {
	date -s "@$1" >/dev/null || die "date -s @$1"
}

case $1 in
1)
	set_key 1 $key
	age_key
	date +%s >"$OUT/sent"
	# Of the sender's clock some seconds ahead: it stays young longer.
	ask 0 ahead=4000000000 save="$saved" name=first $lo $lo start
	ask 0 ahead=4000000001 $lo $lo stop
	refused replay "$saved"

	echo "== the key taken away and given back"
	echo "1 -" >$evtlog/remote_key
	set_key 1 $key
	refused stale "$saved"

	echo "== the clock set back, too"
	echo "1 -" >$evtlog/remote_key
	sent=$(cat "$OUT/sent")
	set_clock $((sent - 4))
	set_key 1 $key
	# The message is from 4 s behind "sent", so in the window again from here on, and
	# younger than the key: only what is remembered of its sender refuses it.
	sleep 4.5
	refused replay "$saved"
	set_clock $((sent + 60))
	;;
2)
	# As fast as no machine boots: half a second behind the message.
	sent=$(sed -n 1p /script/sent)
	set_clock $((sent + 1))
	set_key 1 $key
	refused stale /script/message
	sleep 2
	refused stale /script/message

	echo "== the key was set before the clock was"
	echo "1 -" >$evtlog/remote_key
	set_clock 86400
	set_key 1 $key
	# The less passes here, the slower a guest may be: 5 s later it would be right.
	sleep 0.1
	set_clock $((sent + 1))
	refused stale /script/message
	echo "1 -" >$evtlog/remote_key
	set_clock $((sent + 100))
	set_key 1 $key
	age_key
	ask 0 name=second $lo $lo start
	ask 0 $lo $lo stop
	[ "$(status_of run)" = 1 ] || die "run $(status_of run)"
	;;
esac
