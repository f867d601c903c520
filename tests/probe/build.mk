# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that run in guests

GUEST_PROGRAMS += $(addprefix probe/,hostile numbered reads send_cost stream udp write_time)
