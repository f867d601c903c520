# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that guests run: groups of tasks, and senders of control messages

GUEST_PROGRAMS += $(addprefix remote/,members inherit send attack storm)

$(addprefix $(GUEST_BIN)/remote/,send attack storm): $(BUILD)/tests/remote/message.o
$(addprefix $(GUEST_BIN)/remote/,send attack storm): GUEST_LIBS := -lsodium
