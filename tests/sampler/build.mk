# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that run in guests

GUEST_PROGRAMS += sampler/family
