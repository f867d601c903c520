# SPDX-License-Identifier: GPL-2.0-or-later
# Records of ended tasks and cgroups' members, without a kernel.

TEST_PROGRAMS += $(BUILD)/tests/profile/ended_test $(BUILD)/tests/profile/self_cost
# The latter with libevtlog, as programs of others
PROFILE_LINKED := compensated library $(addprefix programs/,edges pairs paths)
GUEST_PROGRAMS += $(addprefix profile/,family io_cost mixed others pages pingpong profiled selfread settled \
	threads values $(addprefix programs/,starved witnessed) $(PROFILE_LINKED))

$(PROFILE_LINKED:%=$(GUEST_BIN)/profile/%): $(BUILD)/tools/libevtlog.a
$(PROFILE_LINKED:%=$(GUEST_BIN)/profile/%): GUEST_LIBS := -lz -lm

$(BUILD)/tests/profile/self_cost: $(BUILD)/tests/profile/self_cost.o
	$(CC) $(CFLAGS) -o $@ $^

PROFILE_RECORD := $(addprefix $(BUILD)/sanitized/tools/, \
	$(addprefix profile/,ended.o ended-entry.o entry.o members.o values.o difference.o read.o \
	roots.o name.o) \
	$(addprefix common/,error.o json.o utf8.o))
PROFILE_RECORD += $(BUILD)/sanitized/libevtlog.a

$(BUILD)/tests/profile/ended_test: $(BUILD)/sanitized/tests/profile/ended_test.o $(PROFILE_RECORD)
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm
