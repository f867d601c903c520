# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# What the tests of the viewer's server share; sourced from the tree's root. The server is
# the one with sanitizers: each request is a test of memory as well.
. tests/support/sample.sh
export EVTLOG="$evtlog" WORK="$work" MAKE_LOG="$build/tests/make-log"
export PYTHONPATH="$PWD/tests/view" PYTHONDONTWRITEBYTECODE=1
# No index of a test is to be found by another.
export XDG_CACHE_HOME="$work/cache"
