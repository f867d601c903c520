# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# For the tests of the viewer's server. The server is the one with sanitizers: each request tests
# the memory as well.
. "$(dirname "$0")/../support/sample.sh"
export EVTLOG="$evtlog" WORK="$work" MAKE_LOG="$build/tests/make-log"
export PYTHONPATH="$PYTHONPATH:$top/tests/view"
# No test finds the index of another.
export XDG_CACHE_HOME="$work/cache"
