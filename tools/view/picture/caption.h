/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is written on a picture: title, notes on hosts, caption.
 */
#ifndef EVTLOG_VIEW_PICTURE_CAPTION_H
#define EVTLOG_VIEW_PICTURE_CAPTION_H

#include "picture.h"

/* Kernel, CPUs and clock of a host; free() it.  NULL: no memory. */
char *picture_host_note(struct session *session, const struct picture_scene *scene,
			uint32_t host);

/* Title, subtitle and caption, when all else of the scene is there.  0 or -ENOMEM. */
int picture_words(struct session *session, struct picture_scene *scene,
		  const struct picture_options *opts);

#endif /* EVTLOG_VIEW_PICTURE_CAPTION_H */
