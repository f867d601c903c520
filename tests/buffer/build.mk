# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that guests run

GUEST_PROGRAMS += $(addprefix buffer/,bufread stir urgent)
