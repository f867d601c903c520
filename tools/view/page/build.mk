# SPDX-License-Identifier: GPL-2.0-or-later
# The page of the viewer.

$(BUILD)/view/%: tools/view/page/%
	@mkdir -p $(@D)
	cp $< $@
