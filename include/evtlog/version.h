/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The version of libevtlog.
 *
 * Stage: beside all other parts of the library; it does not tell the version of a log's
 * format (file.h) or of the kernel's records (abi.h).
 */
#ifndef EVTLOG_VERSION_H
#define EVTLOG_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * evtlog_version() - version of the library that the program runs with
 *
 * With the shared library this may be newer than the one it was compiled with.
 * `pkg-config --modversion evtlog` tells that.
 *
 * Return: "0.7.0", say: three decimal numbers and two points; static.
 */
const char *evtlog_version(void);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_VERSION_H */
