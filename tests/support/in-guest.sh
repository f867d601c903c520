# SPDX-License-Identifier: GPL-2.0-or-later
#
# in-guest.sh - what tests that log in a guest share on the host: the guest's programs, a
# guest that logs. Sourced, not run.

. "$(dirname "${BASH_SOURCE[0]}")/test.sh"
support=$top/tests/support
oracle=$top/tests/oracle
PYTHONPATH+=:$oracle

# programs NAME... - the guest's helpers, of tests/oracle, the test's own folder, or
# FOLDER/NAME, as make test-programs has built them; --file options in $files
files=(--file "$oracle/guest.sh")
programs() {
	local name program built=${BUILD:-$top/build}/guest-programs own=${here#"$top/tests/"}

	for name; do
		for program in "$built"/{oracle,"$own","$own/programs",}/"$name" ''; do
			[ ! -f "$program" ] || break
		done
		[ "$program" ] || fail "$name: not built: run make test-programs"
		files+=(--file "$program")
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
