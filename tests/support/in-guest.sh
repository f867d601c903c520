# SPDX-License-Identifier: GPL-2.0-or-later
#
# in-guest.sh - what tests that log in a guest share on the host: the guest's programs, a
# guest that logs. Sourced, not run.

. "$(dirname "${BASH_SOURCE[0]}")/test.sh"
support=$top/tests/support
oracle=$top/tests/oracle
PYTHONPATH+=:$oracle

# programs NAME... - compiles the guest's helpers, of the oracles, the test's own directory or
# FOLDER/NAME of tests; --file options in $files
files=(--file "$oracle/guest.sh")
programs() {
	local name source

	for name; do
		for source in {"$oracle","$here","$here/programs","$top/tests"}/"$name.c"; do
			[ ! -f "$source" ] || break
		done
		name=${name##*/}
		# In two steps: ccache knows objects.
		gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -Wmissing-prototypes \
			-O2 -I"$top/include" -I"$support" -I"$top/tests/jitter/programs" -c \
			-o "$scratch/$name.o" "$source" &&
			gcc -static -pthread -o "$scratch/$name" "$scratch/$name.o" ||
			fail "$name.c: does not compile"
		files+=(--file "$scratch/$name")
	done
	# The guest needs logd and evtlog; make makes them only if they are old.
	make --no-print-directory -s -C "$top" guest >"$scratch/make.log" 2>&1 ||
		fail "make guest: $(tail -n 20 "$scratch/make.log")"
}

# with_library NAME... - as programs, of the test's own directory, with libevtlog
with_library() {
	local name source build=${BUILD:-$top/build}

	make --no-print-directory -s -C "$top" "$build/tools/libevtlog.a" || fail "libevtlog.a"
	for name; do
		source=$here/$name.c
		[ -f "$source" ] || source=$here/programs/$name.c
		gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter -O2 -static \
			-I"$top/include" -I"$support" -o "$scratch/$name" "$source" \
			"$build/tools/libevtlog.a" -lz -lm -lpthread || fail "$name.c: does not compile"
		files+=(--file "$scratch/$name")
	done
}

# guest OUT-NAME RUN-ARGUMENT... - boots a guest; what it leaves is in
# $scratch/OUT-NAME/node1
guest() {
	local name=$1 status=0
	shift

	"$top/tests/vm/run" --out "$scratch/$name" "${files[@]}" "$@" </dev/null ||
		status=$?
	[ "$status" != 77 ] || exit 77
	[ "$status" = 0 ] || fail "$name: the guest ended with $status"
}

# guest_kernel - $VM_KERNEL, a variant or a directory; else the guest's
guest_kernel() {
	if [ -d "${VM_KERNEL:-}" ]; then
		echo "$VM_KERNEL"
	else
		"$top/tests/kernel/build" --variant "${VM_KERNEL:-guest}"
	fi
}

# module DIRECTORY KERNEL - builds a module, of tests/oracle or of an absolute path, for a
# kernel of tests/kernel/build, and names it to the guest
module() {
	local source=$oracle/$1 copy=$scratch/${1##*/} objects

	[ "${1#/}" = "$1" ] || source=$1
	# The tree is the kernel's own builder's; it may have built another since.
	objects=$(readlink -f "$2/build")
	if ! cmp -s "$2/vmlinux" "$objects/vmlinux"; then
		rm -f "$2/complete"
		"$top/tests/kernel/build" --variant "$(basename "$(dirname "$objects")")" >/dev/null ||
			fail "the kernel's tree is another kernel's, and could not be built again"
	fi
	cp -r "$source" "$copy"
	make -C "$2/build" M="$copy" modules >"$scratch/module.log" 2>&1 ||
		fail "$1: $(tail -n 20 "$scratch/module.log")"
	files+=(--file "$(echo "$copy"/*.ko)")
}

# put_module KERNEL
put_module() {
	module put_module "$1"
}
