# SPDX-License-Identifier: GPL-2.0-or-later
#
# in-guest.sh - functions for host tests that record in a guest: choose the guest's programs,
# boot it, build modules for its kernel. Sourced, not run.

. "$(dirname "${BASH_SOURCE[0]}")/test.sh"
support=$top/tests/support
oracle=$top/tests/oracle
PYTHONPATH+=:$oracle

# programs NAME... - adds --file options for guest programs to $files. NAME is a
# program of tests/oracle or of the test's folder, or FOLDER/NAME.
files=(--file "$oracle/guest.sh")
programs() {
	local name program built=${BUILD:-$top/build}/guest-programs own=${here#"$top/tests/"}

	for name; do
		for program in "$built"/{oracle,"$own","$own/programs",}/"$name" ''; do
			[ ! -f "$program" ] || break
		done
		[ "$program" ] || fail "guest program $name is not built: add it to GUEST_PROGRAMS in build.mk"
		files+=(--file "$program")
	done
}

# guest OUT-NAME RUN-ARGUMENT... - boots a guest; its files are then in
# $scratch/OUT-NAME/node1
guest() {
	local name=$1 status=0
	shift

	"$top/tests/vm/run" --out "$scratch/$name" "${files[@]}" "$@" </dev/null ||
		status=$?
	[ "$status" != 77 ] || exit 77
	[ "$status" = 0 ] || fail "guest $name: exit status $status"
}

# guest_kernel - prints the directory of the kernel: $VM_KERNEL (a variant or a directory), by
# default the variant guest
guest_kernel() {
	if [ -d "${VM_KERNEL:-}" ]; then
		echo "$VM_KERNEL"
	else
		"$top/tests/kernel/build" --variant "${VM_KERNEL:-guest}"
	fi
}

# module DIRECTORY KERNEL - builds a module for KERNEL, a directory of tests/kernel/build, and
# adds it to $files. DIRECTORY is in tests/oracle, or an absolute path.
module() {
	local source=$oracle/$1 copy=$scratch/${1##*/} objects

	[ "${1#/}" = "$1" ] || source=$1
	# All kernels of a variant are built in one tree, which may contain a newer kernel now.
	objects=$(readlink -f "$2/build")
	if ! cmp -s "$2/vmlinux" "$objects/vmlinux"; then
		rm -f "$2/complete"
		"$top/tests/kernel/build" --variant "$(basename "$(dirname "$objects")")" >/dev/null ||
			fail "module $1: the tree $objects has another kernel than $2, and tests/kernel/build failed"
	fi
	cp -r "$source" "$copy"
	make -C "$2/build" M="$copy" modules >"$scratch/module.log" 2>&1 ||
		fail "module $1: make failed: $(tail -n 20 "$scratch/module.log")"
	files+=(--file "$(echo "$copy"/*.ko)")
}

# put_module KERNEL - builds tests/oracle/put_module for KERNEL and adds it to $files
put_module() {
	module put_module "$1"
}
