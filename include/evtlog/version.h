/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The version of libevtlog.
 *
 * Stage: independent of all other parts of the library.  The version of a log's format is in
 * file.h, the version of the kernel's records is in abi.h.
 */
#ifndef EVTLOG_VERSION_H
#define EVTLOG_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * evtlog_version() - version of the library that the program runs with
 *
 * With the shared library, it can be newer than the version that the program was compiled with,
 * which `pkg-config --modversion evtlog` prints.
 *
 * Return: three decimal numbers separated by points, for example "0.7.0"; a static string.
 */
const char *evtlog_version(void);

#ifdef __cplusplus
}
#endif

#endif /* EVTLOG_VERSION_H */
