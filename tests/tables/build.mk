# SPDX-License-Identifier: GPL-2.0-or-later
# Readers of Parquet, which the tests of tables run with their scripts, and a printer of rows

TABLES_TEST_MODULES := $(BUILD)/tests/tables/node_modules/.package-lock.json

TEST_PROGRAMS += $(addprefix $(BUILD)/tests/tables/,rows checkpoints arrow groups texts .scripts)

# npm writes this file last, and uses its cache if it can.  Not npm ci: the lock lacks DuckDB for
# other machines, because a registry may not have it.
$(TABLES_TEST_MODULES): tests/tables/package.json tests/tables/package-lock.json
	@mkdir -p $(BUILD)/tests/tables
	cp $^ $(BUILD)/tests/tables
	cd $(BUILD)/tests/tables && \
		npm install --no-save --ignore-scripts --no-audit --no-fund --prefer-offline \
			>npm.log 2>&1 || \
		{ cat npm.log >&2; echo "npm install: failed; what it says is above" >&2; exit 1; }
	touch $@

# Node looks for modules in the directory of the script.
$(BUILD)/tests/tables/.scripts: $(wildcard tests/tables/*.js) $(TABLES_TEST_MODULES)
	cp $(filter %.js,$^) $(BUILD)/tests/tables
	touch $@

$(BUILD)/tests/tables/rows: tests/tables/rows.c $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(EVTLOG_SANITIZE) -o $@ $^ -lz -lm -lpthread

$(BUILD)/tests/tables/checkpoints: tests/tables/checkpoints.c $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(EVTLOG_SANITIZE) -o $@ $^ -lz -lm -lpthread

$(BUILD)/tests/tables/arrow: tools/lib/examples/arrow.c $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(EVTLOG_SANITIZE) -o $@ $^ -lz -lm -lpthread

$(BUILD)/tests/tables/groups $(BUILD)/tests/tables/texts: $(BUILD)/tests/tables/%: tests/tables/%.c \
		$(BUILD)/tests/tables/made.o \
		$(patsubst %.c,$(BUILD)/%.o,$(addprefix tools/parquet/,rows.c file.c footer.c \
		column.c encode.c views.c)) $(BUILD)/tools/lib.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -o $@ $(filter %.c %.o %.a,$^) -lzstd -lz -lm -lpthread
