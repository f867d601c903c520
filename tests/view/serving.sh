# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the tests of the viewer's server share. The server is the one with sanitizers: each
# request is a test of memory as well.
. "$(dirname "$0")/../support/sample.sh"
export EVTLOG="$evtlog" WORK="$work" MAKE_LOG="$build/tests/make-log"
export PYTHONPATH="$PYTHONPATH:$top/tests/view"
# No index of a test is to be found by another.
export XDG_CACHE_HOME="$work/cache"
