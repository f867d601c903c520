/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The columns of a table as an Arrow schema.
 */
#ifndef EVTLOG_LIB_ARROW_SCHEMA_H
#define EVTLOG_LIB_ARROW_SCHEMA_H

#include <evtlog/arrow.h>

#include "lib/tables/tables.h"

/* 0 or ENOMEM, as Arrow's functions return it. */
int arrow_schema(struct ArrowSchema *schema, const struct table *table);

#endif /* EVTLOG_LIB_ARROW_SCHEMA_H */
