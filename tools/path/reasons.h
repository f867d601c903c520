/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the kernel's reasons to drop a packet, by number and release.
 */
#ifndef EVTLOG_PATH_REASONS_H
#define EVTLOG_PATH_REASONS_H

#define PATH_REASON_TEXT	40

/*
 * @release:	of the kernel that recorded; other releases have other numbers
 * @number:	as kfree_skb_reason() was given it
 * @text:	its name goes there; "reason NUMBER" if it is not known
 */
const char *path_reason(const char *release, unsigned int number, char text[PATH_REASON_TEXT]);

#endif /* EVTLOG_PATH_REASONS_H */
