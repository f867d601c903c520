#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# self.sh READS - threads read their own pages; see selfread.c and others.c
. /script/guest.sh

cp "$(command -v selfread)" /tmp/secret || die "no room for a copy"
chmod 4755 /tmp/secret
echo 1 >$evtlog/profile/control || die "profiles cannot be started"
selfread "$1" || die "a claim was wrong"
others || die "a claim was wrong"
library || die "a claim was wrong"
