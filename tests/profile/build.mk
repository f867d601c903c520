# SPDX-License-Identifier: GPL-2.0-or-later
# Records of ended tasks and cgroups' members, without a kernel.

PROFILE_RECORD := $(addprefix $(BUILD)/sanitized/tools/, \
	$(addprefix profile/,ended.o ended-entry.o entry.o members.o values.o difference.o read.o \
	roots.o name.o) \
	$(addprefix common/,error.o json.o utf8.o))
PROFILE_RECORD += $(BUILD)/sanitized/libevtlog.a

$(BUILD)/tests/profile/ended_test: $(BUILD)/sanitized/tests/profile/ended_test.o $(PROFILE_RECORD)
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm
