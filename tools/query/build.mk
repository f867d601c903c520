# SPDX-License-Identifier: GPL-2.0-or-later
# Queries in SQL: what is linked into evtlog with the viewer, and the extension for other programs
# that have SQLite.

QUERY_EXTENSION_SOURCES := $(addprefix tools/query/,extension.c virtual.c views.c cursor.c identity.c grouped.c \
	block.c logs.c)

# Of the commands' own code it needs what opens logs and names system calls.
QUERY_EXTENSION := $(BUILD)/tools/libevtlog-sqlite.so
QUERY_PIC := $(patsubst %.c,$(BUILD)/pic/%.o,$(QUERY_EXTENSION_SOURCES) \
	$(wildcard tools/common/*.c tools/input/*.c) tools/print/syscalls.c)

ALL	+= $(QUERY_EXTENSION)
INSTALL	+= install-query

$(BUILD)/pic/tools/query/%.o: EVTLOG_CFLAGS += -DEVTLOG_SQLITE_EXTENSION
$(BUILD)/pic/tools/print/syscalls.o: EVTLOG_CFLAGS += -I$(BUILD)/tools/generated
$(BUILD)/pic/tools/print/syscalls.o: \
	$(BUILD)/tools/generated/syscalls_64.inc $(BUILD)/tools/generated/syscalls_32.inc

$(BUILD)/pic/query.a: $(QUERY_PIC) $(LIBEVTLOG_PIC)
	rm -f $@
	$(AR) rcs $@ $^

# All but its entry is its own: the program that loads it may have a libevtlog of another version.
$(QUERY_EXTENSION): $(BUILD)/pic/tools/query/extension.o $(BUILD)/pic/query.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,defs -Wl,-z,relro,-z,now \
		-Wl,--exclude-libs,ALL -o $@ $^ -lz -lm -lpthread

# For tests: its own files with sanitizers, which the program that loads it has to have loaded.
QUERY_SANITIZED := $(patsubst %.c,$(BUILD)/sanitized/pic/%.o,$(QUERY_EXTENSION_SOURCES))
$(QUERY_SANITIZED): $(BUILD)/sanitized/pic/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) -DEVTLOG_SQLITE_EXTENSION $(EVTLOG_SANITIZE) -fPIC -c -o $@ $<

$(BUILD)/sanitized/libevtlog-sqlite.so: $(QUERY_SANITIZED) $(BUILD)/pic/query.a
	$(CC) $(EVTLOG_SANITIZE) -shared -Wl,--exclude-libs,ALL -o $@ $^ -lz -lm -lpthread

.PHONY: install-query
install-query: $(QUERY_EXTENSION)
	install -d $(DESTDIR)$(libdir)
	install -m 644 $(QUERY_EXTENSION) $(DESTDIR)$(libdir)/
