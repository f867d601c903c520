# SPDX-License-Identifier: GPL-2.0-or-later
# logd: the daemon, its configuration, service files and manual.

LOGD_NOUNS := $(filter-out main,$(patsubst logd/%.c,%,$(wildcard logd/*.c)))
# What it shares with the commands and the library: the writer of files, the control files, the codec
LOGD_OBJECTS := $(LOGD_NOUNS:%=$(BUILD)/logd/%.o) $(BUILD)/tools/tools.a $(BUILD)/tools/lib.a
LOGD_SANITIZED := $(LOGD_NOUNS:%=$(BUILD)/sanitized/logd/%.o) \
	$(BUILD)/sanitized/tools.a $(BUILD)/sanitized/libevtlog.a
LOGD_LIBS := -lz
unitdir ?= $(if $(filter /usr,$(prefix)),/lib,$(prefix)/lib)/systemd/system

# The sensor and the recorder of profiles are commands of evtlog; their scripts are installed with those of logd.
SERVICE_NAMES := evtlog evtlog-sensor evtlog-profile
SERVICES := $(foreach name,$(SERVICE_NAMES),$(addprefix $(BUILD)/logd/service/$(name).,init service))
ALL	+= $(BUILD)/logd/logd
INSTALL	+= install-logd

$(BUILD)/logd/logd: $(BUILD)/logd/main.o $(LOGD_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LOGD_LIBS)

# For the test machine's initramfs, which has no libraries. The linker would warn that
# names of hosts are looked up in files and DNS only.
$(BUILD)/guest/logd: $(BUILD)/logd/main.o $(LOGD_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -static -Wl,--no-warnings -o $@ $^ $(LOGD_LIBS)

# Tests of its parts, with the sanitizers looking on.
LOGD_TESTS := config_test block_test run_id_test runfile_test runs_test gaps_test named_test pack_test kernel_test

$(LOGD_TESTS:%=$(BUILD)/tests/logd/%): $(BUILD)/tests/logd/%: $(BUILD)/sanitized/tests/logd/%.o \
		$(BUILD)/sanitized/tests/logd/sample.o $(LOGD_SANITIZED)
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka $(LOGD_LIBS)

$(addprefix $(BUILD)/tests/logd/,runs_test gaps_test named_test): $(BUILD)/sanitized/tests/logd/made_runs.o

.PHONY: logd-tests
logd-tests: $(LOGD_TESTS:%=$(BUILD)/tests/logd/%)

LOGD_GUEST_TOOLS := without notified pingpong

# Static: the test machine has no libraries.
$(LOGD_GUEST_TOOLS:%=$(BUILD)/tests/logd/%): $(BUILD)/tests/logd/%: tests/logd/%.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) -MF /dev/null $(CFLAGS) -static -o $@ $<

# As guests have them; where else they are installed is only known there.
$(SERVICES): $(BUILD)/logd/%: logd/%
	@mkdir -p $(@D)
	sed 's|@sbindir@|/usr/sbin|; s|@bindir@|/usr/bin|' $< >$@
	chmod $(if $(filter %.init,$@),755,644) $@

.PHONY: install-logd
install-logd: $(BUILD)/logd/logd
	install -d $(DESTDIR)$(sbindir) $(DESTDIR)$(sysconfdir)/evtlog \
		$(DESTDIR)$(sysconfdir)/init.d $(DESTDIR)$(unitdir) \
		$(DESTDIR)$(mandir)/man8 $(DESTDIR)$(mandir)/man5
	install -m 755 $(BUILD)/logd/logd $(DESTDIR)$(sbindir)/logd
	put() { sed 's|@sbindir@|$(sbindir)|; s|@bindir@|$(bindir)|' logd/service/$$2 | install -m $$1 /dev/stdin $$3; }; \
	for name in $(SERVICE_NAMES); do \
		put 755 $$name.init $(DESTDIR)$(sysconfdir)/init.d/$$name; \
		put 644 $$name.service $(DESTDIR)$(unitdir)/$$name.service; \
	done
	install -m 644 logd/man/logd.8 $(DESTDIR)$(mandir)/man8/logd.8
	install -m 644 logd/man/logd.conf.5 $(DESTDIR)$(mandir)/man5/logd.conf.5
	@# An administrator's configuration is never overwritten.
	[ -e $(DESTDIR)$(sysconfdir)/evtlog/logd.conf ] || \
		install -m 644 logd/service/logd.conf $(DESTDIR)$(sysconfdir)/evtlog/logd.conf
	install -D -m 644 logd/service/sysusers.conf $(DESTDIR)$(prefix)/lib/sysusers.d/evtlog.conf
	install -D -m 644 logd/service/tmpfiles.conf $(DESTDIR)$(prefix)/lib/tmpfiles.d/evtlog.conf
	install -D -m 644 logd/service/logrotate.conf $(DESTDIR)$(sysconfdir)/logrotate.d/evtlog
