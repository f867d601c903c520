/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Binary format of bins of lanes, which the page draws.
 *
 * All numbers are little-endian.
 */
#ifndef EVTLOG_VIEW_API_TILES_H
#define EVTLOG_VIEW_API_TILES_H

#include <stdint.h>

#define TILE_BINS	256
#define TILES_MAX	64
#define TILE_LEVEL_MAX	50
/* Bins of all lanes in an answer */
#define TILE_BINS_MAX	(1u << 20)

/* Head in front of @lanes times @bins of struct evtlog_bin, lane by lane. */
struct tiles_head {
	char magic[4];
	uint32_t version;
	uint32_t lanes;
	uint32_t bins;
	uint32_t level;
	uint32_t reserved;
	double begin_ns;
};

#define TILES_MAGIC	"EVTB"
#define TILES_VERSION	1

#endif /* EVTLOG_VIEW_API_TILES_H */
