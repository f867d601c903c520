/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a function of MPI a region.
 */
#ifndef EVTLOG_SHIMS_MPI_REGION_H
#define EVTLOG_SHIMS_MPI_REGION_H

#define REGION(name, parameters, arguments)		\
	int MPI_##name parameters			\
	{						\
		int result;				\
							\
		evtlog_region_begin("MPI_" #name);	\
		result = PMPI_##name arguments;		\
		evtlog_region_end("MPI_" #name);	\
		return result;				\
	}

/** mpi_note_rank() - call after MPI_Init: sets the process's rank */
void mpi_note_rank(void) __attribute__((visibility("hidden")));

#endif /* EVTLOG_SHIMS_MPI_REGION_H */
