# SPDX-License-Identifier: GPL-2.0-or-later
# libevtlog (shared and static), the evtlog command, their manual pages and completion.

# Objects of a folder and of those in it
sources_in = $(sort $(foreach dir,$(1),$(wildcard $(dir)/*.c $(dir)/*/*.c)))

LIBEVTLOG_SOURCES := $(filter-out tools/lib/examples/%,$(call sources_in,tools/lib))
LIBEVTLOG_OBJECTS := $(LIBEVTLOG_SOURCES:%.c=$(BUILD)/%.o)
QUERY_SOURCES := $(filter-out tools/query/extension.c,$(wildcard tools/query/*.c))
QUERY_LIBS := -lsqlite3 -ledit
include tools/view/build.mk
include tools/shims/build.mk
# What the library and the commands each have a copy of: in the library these are no public names.
SHARED_SOURCES := $(addprefix tools/lib/,base/head.c base/io.c base/key-table.c \
	codec/crc32.c codec/huffman.c codec/pack.c codec/record-class.c jitter/samples-write.c profile/model.c stream/context.c stream/gaps.c stream/lanes.c \
	merge/iterator.c index/checkpoint.c index/path.c) \
	$(wildcard tools/lib/replay/*.c tools/lib/tables/*.c)
# What logd and the guests' evtlog are linked with; what draws and serves is VIEW_SOURCES.
TOOLS_SOURCES := $(SHARED_SOURCES) $(filter-out $(VIEW_SOURCES),$(call sources_in,$(addprefix tools/, \
	common control logfile input print profile record sensor remote analysis merge path jitter)))
TOOLS_OBJECTS := $(TOOLS_SOURCES:%.c=$(BUILD)/%.o)
EVTLOG_SOURCES := $(filter-out $(EVTLOG_VIEW_SOURCES),$(wildcard tools/evtlog/*.c))
# $(BUILD)/tools/evtlog is the program, so its objects are next to it.
EVTLOG_OBJECTS := $(EVTLOG_SOURCES:tools/evtlog/%.c=$(BUILD)/tools/commands/%.o)
EVTLOG_LIBS := -lz -lm -lsodium -lpthread
OBJCOPY	?= objcopy

# The shared library. LIBEVTLOG_ABI is raised when a program that was built before would
# no longer run; libevtlog.symbols and libevtlog.abi say what such programs depend on.
LIBEVTLOG_ABI	:= 0
LIBEVTLOG_SONAME := libevtlog.so.$(LIBEVTLOG_ABI)
LIBEVTLOG_FILE	:= $(LIBEVTLOG_SONAME).$(VERSION)
LIBEVTLOG_LIBS	:= -lz -lm -lpthread
LIBEVTLOG_PIC	:= $(LIBEVTLOG_SOURCES:%.c=$(BUILD)/pic/%.o)

include tools/query/build.mk
include tools/kshark/build.mk
include tools/packages/build.mk

ALL	+= $(BUILD)/tools/libevtlog.a $(BUILD)/tools/libevtlog.so $(BUILD)/tools/evtlog
INSTALL	+= install-tools

$(BUILD)/tools/commands/%.o: tools/evtlog/%.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Names of system calls: the numbers are the kernel's, for 64-bit and 32-bit programs.
$(BUILD)/tools/generated/syscalls_%.inc:
	@mkdir -p $(@D)
	echo '#include <asm/unistd_$*.h>' | $(CC) -E -dM -x c - | \
		sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$$/[\2] = "\1",/p' | sort >$@
	[ -s $@ ]

$(BUILD)/tools/print/syscalls.o $(BUILD)/sanitized/tools/print/syscalls.o: \
		$(BUILD)/tools/generated/syscalls_64.inc $(BUILD)/tools/generated/syscalls_32.inc
$(BUILD)/tools/print/syscalls.o $(BUILD)/sanitized/tools/print/syscalls.o: \
		EVTLOG_CFLAGS += -I$(BUILD)/tools/generated

# For logd and tests, which need some of it. Commands that may be left out are weak symbols,
# which an archive does not give: evtlog is linked of the objects.
$(BUILD)/tools/tools.a: $(TOOLS_OBJECTS)
$(BUILD)/tools/lib.a: $(LIBEVTLOG_OBJECTS)
$(BUILD)/sanitized/tools.a: $(TOOLS_SOURCES:%.c=$(BUILD)/sanitized/%.o)
$(BUILD)/sanitized/libevtlog.a: $(LIBEVTLOG_SOURCES:%.c=$(BUILD)/sanitized/%.o)
$(BUILD)/tools/tools.a $(BUILD)/tools/lib.a $(BUILD)/sanitized/tools.a $(BUILD)/sanitized/libevtlog.a:
	rm -f $@
	$(AR) rcs $@ $^

# The command has the static library in it: it needs no libevtlog.so, which is for other
# programs, and it is the same program as in the guests.
$(BUILD)/tools/evtlog: $(EVTLOG_OBJECTS) $(TOOLS_OBJECTS) $(VIEW_OBJECTS) $(BUILD)/tools/libevtlog.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(EVTLOG_LIBS) $(VIEW_LIBS)

# One object in which only the public names are visible: block_load() and the like
# are the user's to take.
$(BUILD)/tools/libevtlog.o: $(LIBEVTLOG_OBJECTS)
	@mkdir -p $(@D)
	$(LD) -r -o $@ $^
	$(OBJCOPY) -w --keep-global-symbol='evtlog_*' $@

$(BUILD)/tools/libevtlog.a: $(BUILD)/tools/libevtlog.o
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/pic/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -fPIC -c -o $@ $<

# evtlog_version() is the version in the Makefile.
$(BUILD)/tools/lib/base/version.o $(BUILD)/pic/tools/lib/base/version.o \
	$(BUILD)/sanitized/tools/lib/base/version.o: Makefile

# nodelete: threads that had regions run its code when they end, also after dlclose() of a plug-in.
$(BUILD)/tools/$(LIBEVTLOG_FILE): $(LIBEVTLOG_PIC) tools/lib/libevtlog.map
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(LIBEVTLOG_SONAME) \
		-Wl,--version-script=tools/lib/libevtlog.map -Wl,-z,defs -Wl,-z,relro,-z,now \
		-Wl,-z,nodelete -Wl,-Bsymbolic-functions -Wl,--as-needed -o $@ $(LIBEVTLOG_PIC) $(LIBEVTLOG_LIBS)

$(BUILD)/tools/libevtlog.so: $(BUILD)/tools/$(LIBEVTLOG_FILE)
	ln -sf $(LIBEVTLOG_FILE) $(BUILD)/tools/$(LIBEVTLOG_SONAME)
	ln -sf $(LIBEVTLOG_SONAME) $@

# For the test machine's initramfs, which has no libraries: without the viewer. The linker would warn that
# names of hosts are looked up in files and DNS only.
$(BUILD)/guest/evtlog: $(EVTLOG_OBJECTS) $(TOOLS_OBJECTS) $(BUILD)/tools/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -static -Wl,--no-warnings -o $@ $^ $(EVTLOG_LIBS)

# Everything once more with ASan and UBSan, for tests.
EVTLOG_SANITIZE := -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer

$(BUILD)/sanitized/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(EVTLOG_SANITIZE) -c -o $@ $<

$(BUILD)/sanitized/evtlog: $(EVTLOG_SOURCES:%.c=$(BUILD)/sanitized/%.o) \
		$(TOOLS_SOURCES:%.c=$(BUILD)/sanitized/%.o) $(VIEW_SANITIZED) \
		$(BUILD)/sanitized/libevtlog.a
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ $(EVTLOG_LIBS) $(VIEW_LIBS)

TOOLS_PAGES := $(wildcard tools/man/*.[157])
LIBEVTLOG_PAGES := $(wildcard tools/man/*.3)
# What evtlog(7) names
TOOLS_STUDY := $(wildcard tools/man/pictures/study/*.svg)
LIBEVTLOG_EXAMPLES := $(wildcard tools/lib/examples/*.c tools/lib/examples/*.py)

# Commands and options in manual pages, from the tables of the commands.
.PHONY: update-options
update-options: $(BUILD)/tools/evtlog
	tools/man/update-options $< tools

# install_pages PAGES: man(1) finds a page by each name in its NAME. For names other than that of the
# file, a page of one line, .so, is installed.
install_pages = for page in $(1); do \
		file=$${page/*\//}; section=$${page/*./}; folder=$(DESTDIR)$(mandir)/man$$section; \
		install -d $$folder; \
		install -m 644 $$page $$folder/; \
		for name in $$(sed -n '/^\.Sh NAME/,/^\.Nd/s/^\.Nm \([a-z0-9_-]*\).*/\1/p' $$page); do \
			[ $$name.$$section = $$file ] || \
				echo ".so man$$section/$$file" | \
				install -m 644 /dev/stdin $$folder/$$name.$$section; \
		done; \
	done

.PHONY: install-tools install-lib
install-tools: $(BUILD)/tools/evtlog install-lib
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(prefix)/share/bash-completion/completions
	install -m 755 $(BUILD)/tools/evtlog $(DESTDIR)$(bindir)/evtlog
	$(call install_pages,$(TOOLS_PAGES))
	install -d $(DESTDIR)$(docdir)/study
	install -m 644 $(TOOLS_STUDY) $(DESTDIR)$(docdir)/study/
	install -m 644 tools/completion/evtlog.bash \
		$(DESTDIR)$(prefix)/share/bash-completion/completions/evtlog

# What Debian has in libevtlog0 (the file and its soname) and libevtlog-dev (the rest).
install-lib: $(BUILD)/tools/libevtlog.a $(BUILD)/tools/libevtlog.so
	install -d $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(includedir)/evtlog \
		$(DESTDIR)$(docdir)/examples
	install -m 644 $(BUILD)/tools/libevtlog.a $(BUILD)/tools/$(LIBEVTLOG_FILE) $(DESTDIR)$(libdir)/
	ln -sf $(LIBEVTLOG_FILE) $(DESTDIR)$(libdir)/$(LIBEVTLOG_SONAME)
	ln -sf $(LIBEVTLOG_SONAME) $(DESTDIR)$(libdir)/libevtlog.so
	sed -e 's|@prefix@|$(prefix)|; s|@version@|$(VERSION)|' \
		-e 's|@includedir@|$(patsubst $(prefix)/%,$${prefix}/%,$(includedir))|' \
		-e 's|@libdir@|$(patsubst $(prefix)/%,$${prefix}/%,$(libdir))|' \
		tools/lib/evtlog.pc.in | install -m 644 /dev/stdin $(DESTDIR)$(libdir)/pkgconfig/evtlog.pc
	install -m 644 include/evtlog/*.h include/evtlog/*.f90 $(DESTDIR)$(includedir)/evtlog/
	$(call install_pages,$(LIBEVTLOG_PAGES))
	install -m 644 $(LIBEVTLOG_EXAMPLES) $(DESTDIR)$(docdir)/examples/
	[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig
