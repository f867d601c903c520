# SPDX-License-Identifier: GPL-2.0-or-later
# Packages of Debian and of distributions with rpm, in $(BUILD)/packages

.PHONY: deb rpm
deb rpm:
	tools/packages/build $@ $(VERSION) $(BUILD)/packages
