# SPDX-License-Identifier: GPL-2.0-or-later
# libevtlog, the evtlog command, its manual pages and completion.

LIBEVTLOG_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/lib/*.c))
EVTLOG_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/evtlog/*.c))
AR	?= ar
EVTLOG_LIBS := -lz -lm

ALL	+= $(BUILD)/tools/libevtlog.a $(BUILD)/bin/evtlog
INSTALL	+= install-tools

# Not $(BUILD)/tools/evtlog/..., where the objects are.
$(BUILD)/bin/evtlog: $(EVTLOG_OBJECTS) $(BUILD)/tools/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(EVTLOG_LIBS)

$(BUILD)/tools/libevtlog.a: $(LIBEVTLOG_OBJECTS)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^

# For the test machine's initramfs, which has no libraries.
$(BUILD)/guest/evtlog: $(EVTLOG_OBJECTS) $(BUILD)/tools/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -static -o $@ $^ $(EVTLOG_LIBS)
