# SPDX-License-Identifier: GPL-2.0-or-later
# SQL queries: the SQLite extension for other programs.  evtlog itself links tools/query with the
# viewer.

QUERY_EXTENSION_SOURCES := $(addprefix tools/query/,extension.c virtual.c views.c cursor.c identity.c grouped.c \
	block.c logs.c)

# It also needs the commands' code that opens logs and names system calls.
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

# Export only the entry point: the loading program may have another version of libevtlog.
$(QUERY_EXTENSION): $(BUILD)/pic/tools/query/extension.o $(BUILD)/pic/query.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,-z,defs -Wl,-z,relro,-z,now \
		-Wl,--exclude-libs,ALL -o $@ $^ -lz -lm -lpthread

# For tests: compiled with sanitizers; the loading program must have loaded their libraries.
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
