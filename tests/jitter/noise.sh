# SPDX-License-Identifier: GPL-2.0-or-later
#
# noise.sh - the same noise for each benchmark in the guest. Sourced, not run.

# now_ns - prints CLOCK_MONOTONIC, to 10 ms, without leading zeros: 089 is not a valid octal number.
now_ns() {
	sed 's/ .*//; s/\.//; s/^0*//; s/$/0000000/' /proc/uptime
}

# start_noise CPU - starts daemons, short processes, packets, and disk writes if /mnt is a disk. The
# scheduler chooses a CPU for all that is not pinned to CPU.
start_noise() {
	daemon tick "$1" 0 20000 300 100000 &
	noise_pids=$!
	daemon tock "$1" 0 33000 120 100000 &
	noise_pids="$noise_pids $!"
	(while sleep 0.05; do :; done) &
	noise_pids="$noise_pids $!"
	ping -q -i 0.03 127.0.0.1 >/dev/null &
	noise_pids="$noise_pids $!"
	! grep -q " /mnt " /proc/mounts || {
		(while dd if=/dev/zero of=/mnt/file bs=16k count=4 conv=fsync 2>/dev/null; do
			sleep 0.04
		done) &
		noise_pids="$noise_pids $!"
	}
	sleep 0.7
}

end_noise() {
	kill -9 $noise_pids
	wait $noise_pids 2>/dev/null || true
}
