# SPDX-License-Identifier: GPL-2.0-or-later
# The page of the viewer: esbuild bundles its modules into one script.

VIEW_PAGE_DIR := tools/view/page

$(BUILD)/view/app.js: $(wildcard $(VIEW_PAGE_DIR)/*.js $(VIEW_PAGE_DIR)/*/*.js) $(VIEW_PAGE_DIR)/build.mk
	@mkdir -p $(@D)
	esbuild $(VIEW_PAGE_DIR)/main.js --bundle --minify --format=iife \
		--target=chrome109,firefox115,safari16 --charset=utf8 --log-level=warning --outfile=$@ \
		--banner:js="/* SPDX-License-Identifier: GPL-2.0-or-later */"

$(BUILD)/view/app.css $(BUILD)/view/index.html: $(BUILD)/view/%: $(VIEW_PAGE_DIR)/%
	@mkdir -p $(@D)
	cp $< $@
