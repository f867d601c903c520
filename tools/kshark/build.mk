# SPDX-License-Identifier: GPL-2.0-or-later
# KernelShark's plug-in for logs: needs libkshark-dev, libtraceevent-dev and libjson-c-dev.

KSHARK_INCLUDE ?= $(patsubst %/libkshark-plugin.h,%,$(wildcard /usr/include/kernelshark/libkshark-plugin.h))
ifneq ($(and $(KSHARK_INCLUDE),$(wildcard /usr/include/json-c/json.h)),)
KSHARK_TRACEEVENT := $(shell pkg-config --cflags libtraceevent 2>/dev/null && echo yes)
endif

ifneq ($(KSHARK_TRACEEVENT),)
KSHARK_PLUGIN	:= $(BUILD)/tools/plugin-evtlog.so
# KernelShark looks for plug-ins by name in one directory, which its headers define.
KSHARK_DIR	?= $(if $(filter /usr,$(prefix)),$(shell sed -n \
	's/^\#define KS_PLUGIN_INSTALL_PREFIX "\(.*\)"/\1/p' $(KSHARK_INCLUDE)/KsCmakeDef.hpp),$(libdir)/kernelshark/plugins)
KSHARK_CFLAGS	:= -isystem $(KSHARK_INCLUDE) $(filter-out yes,$(KSHARK_TRACEEVENT))
KSHARK_SOURCES	:= $(wildcard tools/kshark/*.c)
# Sources shared with the commands; the linker takes only the objects that are needed.
KSHARK_SHARED	:= $(SHARED_SOURCES) $(call sources_in,tools/common tools/print tools/input)
KSHARK_LIBS	:= -lkshark -ltraceevent -lz -lm -lpthread

ALL	+= $(KSHARK_PLUGIN)
INSTALL	+= install-kshark

$(KSHARK_SOURCES:%.c=$(BUILD)/pic/%.o) $(KSHARK_SOURCES:%.c=$(BUILD)/sanitized/%.o): \
	EVTLOG_CFLAGS += $(KSHARK_CFLAGS)
$(BUILD)/pic/tools/print/syscalls.o: $(BUILD)/tools/generated/syscalls_64.inc \
	$(BUILD)/tools/generated/syscalls_32.inc
$(BUILD)/pic/tools/print/syscalls.o: EVTLOG_CFLAGS += -I$(BUILD)/tools/generated

$(BUILD)/pic/kshark-shared.a: $(sort $(KSHARK_SHARED:%.c=$(BUILD)/pic/%.o) $(LIBEVTLOG_PIC))
	rm -f $@
	$(AR) rcs $@ $^

$(KSHARK_PLUGIN): $(KSHARK_SOURCES:%.c=$(BUILD)/pic/%.o) $(BUILD)/pic/kshark-shared.a tools/kshark/plugin.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,--version-script=tools/kshark/plugin.map -Wl,-z,defs \
		-Wl,-z,relro,-z,now -o $@ $(filter %.o %.a,$^) $(KSHARK_LIBS)

.PHONY: install-kshark
install-kshark: $(KSHARK_PLUGIN)
	install -d $(DESTDIR)$(KSHARK_DIR)
	install -m 644 $(KSHARK_PLUGIN) $(DESTDIR)$(KSHARK_DIR)/
endif
