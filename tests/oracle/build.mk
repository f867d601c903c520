# SPDX-License-Identifier: GPL-2.0-or-later
# What guests run, also those of other folders' tests.

GUEST_PROGRAMS += $(addprefix oracle/,contract cycles forks icmp load pester reader rights window)
