# SPDX-License-Identifier: GPL-2.0-or-later
# The page of the viewer: esbuild bundles its modules into one script. npm's packages are
# fetched into the build directory, and again only if the package lock changes.

VIEW_PAGE_DIR := tools/view/page
VIEW_PAGE_NPM := $(BUILD)/view/npm
VIEW_PAGE_LICENSES := $(addprefix $(VIEW_PAGE_NPM)/node_modules/,d3-array/LICENSE internmap/LICENSE)

$(VIEW_PAGE_NPM)/.fetched: $(VIEW_PAGE_DIR)/package.json $(VIEW_PAGE_DIR)/package-lock.json
	@mkdir -p $(@D)
	cp $^ $(@D)/
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error >/dev/null
	touch $@

$(BUILD)/view/app.js: $(wildcard $(VIEW_PAGE_DIR)/*.js $(VIEW_PAGE_DIR)/*/*.js) $(VIEW_PAGE_NPM)/.fetched \
		$(VIEW_PAGE_DIR)/build.mk
	NODE_PATH=$(abspath $(VIEW_PAGE_NPM)/node_modules) \
	$(VIEW_PAGE_NPM)/node_modules/.bin/esbuild $(VIEW_PAGE_DIR)/main.js --bundle --minify \
		--format=iife --target=chrome109,firefox115,safari16 --charset=utf8 \
		--log-level=warning --outfile=$@ \
		--banner:js="/* SPDX-License-Identifier: GPL-2.0-or-later; d3-array and internmap, \
	which are in it: $$(cat $(VIEW_PAGE_LICENSES)) */"

$(BUILD)/view/app.css: $(VIEW_PAGE_DIR)/app.css
	@mkdir -p $(@D)
	cp $< $@

$(BUILD)/view/index.html: $(VIEW_PAGE_DIR)/index.html
	@mkdir -p $(@D)
	cp $< $@
