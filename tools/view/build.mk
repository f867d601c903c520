# SPDX-License-Identifier: GPL-2.0-or-later
# The viewer: files that are linked into evtlog for `evtlog view` and `evtlog export`, with
# the embedded page. The test machine's evtlog has no viewer, because that machine has no libraries.

EVTLOG_VIEW_SOURCES := $(addprefix tools/evtlog/,cmd-view.c cmd-export.c cmd-query.c cmd-why.c cmd-diff.c)
VIEW_SOURCES := $(call sources_in,tools/view tools/draw tools/jitter/plot tools/export tools/otf2 tools/ctf \
	tools/perfetto tools/parquet) $(QUERY_SOURCES) $(wildcard tools/analysis/why/*.c tools/analysis/diff/*.c)
VIEW_OBJECTS := $(VIEW_SOURCES:%.c=$(BUILD)/%.o) \
	$(EVTLOG_VIEW_SOURCES:tools/evtlog/%.c=$(BUILD)/tools/commands/%.o) \
	$(BUILD)/tools/view/http/embedded.o
VIEW_SANITIZED := $(VIEW_SOURCES:%.c=$(BUILD)/sanitized/%.o) \
	$(EVTLOG_VIEW_SOURCES:%.c=$(BUILD)/sanitized/%.o) $(BUILD)/tools/view/http/embedded.o
# Libraries that are not used are not loaded. For OTF2 see tools/otf2/archive.c.
VIEW_LIBS := -Wl,--as-needed -lmicrohttpd -lcairo -lzstd $(QUERY_LIBS) -Wl,--no-as-needed \
	-Wl,-Bstatic -lopen-trace-format2 -Wl,-Bdynamic -Wl,--wrap=malloc

# The page's colours, for pictures
VIEW_COLOURS := $(BUILD)/view/colours-table.h
$(VIEW_OBJECTS) $(VIEW_SANITIZED): EVTLOG_CFLAGS += -I$(BUILD)/view
$(VIEW_OBJECTS) $(VIEW_SANITIZED): | $(VIEW_COLOURS)
$(VIEW_COLOURS): tools/draw/colours-table.mjs $(addprefix tools/view/page/,draw/colours.js draw/themes.js data/names.js)
	@mkdir -p $(@D)
	node $< >$@

# Rules for $(BUILD)/view/index.html, app.js and app.css
include tools/view/page/build.mk

VIEW_PAGE := $(BUILD)/view/index.html $(BUILD)/view/app.js $(BUILD)/view/app.css

$(BUILD)/tools/view/http/embedded.o: tools/view/http/embedded.S $(VIEW_PAGE)
	@mkdir -p $(@D)
	$(CC) -c -Wa,-I$(BUILD)/view -o $@ $<
