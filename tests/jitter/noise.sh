# SPDX-License-Identifier: GPL-2.0-or-later
#
# noise.sh - what interrupts a benchmark in the guest, always the same. Sourced, not run.

# now_ns - CLOCK_MONOTONIC, to 10 ms. Without zeros at its begin: 089 would be octal, and none.
now_ns() {
	sed 's/ .*//; s/\.//; s/^0*//; s/$/0000000/' /proc/uptime
}

# start_noise CPU - daemons, processes that come and go, packets, and a disk where /mnt
# is one. What is not pinned to the CPU goes where the scheduler puts it.
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
