# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that run in guests; tests of other folders use them, too.

GUEST_PROGRAMS += $(addprefix oracle/,contract cycles forks icmp load pester reader rights window)
