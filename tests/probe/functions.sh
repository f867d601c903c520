#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# functions.sh - probes functions of the kernel that share a name: by file or address; vmlinux:NAME
. /script/guest.sh

probes=$evtlog/probes
refused() {
	! evtlog probe add "$1" 2>/tmp/said || die "$1: taken"
	grep -q "$2" /tmp/said || die "$1: $(cat /tmp/said)"
	! grep -q '^probe' $probes || die "$1: a probe is left"
}
# hits NAME - prints the hits of a probe
hits() {
	sed -n "s/^probe $1 .* hits \([0-9]*\) .*/\1/p" $probes
}

mkdir -p /boot
mv /script/vmlinux "/boot/vmlinux-$(uname -r)"
grep -q ' s_next$' /proc/kallsyms || die "the kernel has no s_next"
refused s_next 'vmalloc\.c.*kallsyms\.c\|kallsyms\.c.*vmalloc\.c'
refused nowhere.c:s_next 'no function s_next in nowhere.c'
refused 0x12345 'no function begins'
refused vmlinux:no_such 'no function no_such in vmlinux'

evtlog probe add kallsyms.c:s_next mm/vmalloc.c:s_next vmlinux:vfs_read || die "by file"
# The addresses of the probes
read -r kallsyms vmalloc <<END
$(evtlog probe add --show kallsyms.c:s_next vmalloc.c:s_next | xargs)
END
kallsyms=${kallsyms#+} vmalloc=${vmalloc#+}
case "$kallsyms $vmalloc" in s_next@0x*\ s_next@0x*) ;; *) die "names: $kallsyms $vmalloc" ;; esac
before=$(hits "$kallsyms")
cat /proc/vmallocinfo >/dev/null
[ "$(hits "$vmalloc")" -gt 0 ] || die "vmalloc.c has no hits: $(cat $probes)"
[ "$(hits "$kallsyms")" = "$before" ] || die "kallsyms.c was hit: $(cat $probes)"
of_vmalloc=$(hits "$vmalloc")
head -n 1000 /proc/kallsyms >/dev/null
[ "$(hits "$kallsyms")" -gt "$before" ] || die "kallsyms.c has no hits: $(cat $probes)"
[ "$(hits "$vmalloc")" = "$of_vmalloc" ] || die "vmalloc.c was hit: $(cat $probes)"
[ "$(hits vfs_read)" -gt 0 ] || die "vfs_read has no hits: $(cat $probes)"
evtlog probe del kallsyms.c:s_next vmalloc.c:s_next vfs_read || die "del"
[ -z "$(cat $probes)" ] || die "some are left: $(cat $probes)"

evtlog probe add "${vmalloc#s_next@}(arg1)" || die "by address"
grep -q "^probe $vmalloc " $probes || die "by address: $(cat $probes)"
evtlog probe del "${vmalloc#s_next@}" || die "del by address"
# Without the file of symbols, only addresses select functions; BTF may describe another function.
mv /boot/vmlinux-* /tmp
refused vmalloc.c:s_next 'vmlinux'
refused s_next "$vmalloc"
refused "$vmalloc(m)" 'no BTF'
! echo '+s_next@0x12345' >$probes 2>/dev/null || die "no address: taken"
! echo '+s_next' >$probes 2>/dev/null || die "any of them: taken"
