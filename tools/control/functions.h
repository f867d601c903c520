/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the running kernel's functions, as probes have them: clones, one name of several functions, files,
 * addresses.
 *
 * Functions return 0 or -errno and say nothing.
 */
#ifndef EVTLOG_CONTROL_FUNCTIONS_H
#define EVTLOG_CONTROL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * struct control_function - a function whose name somebody asked about, or a clone of it
 * @name:	as in /proc/kallsyms
 * @module:	whose it is; "" the kernel's
 * @source:	its file; NULL: not known
 * @address:	0: it is not shown to this user
 */
struct control_function {
	char *name, *module, *source;
	uint64_t address;
};

/*
 * @at:		by name, in which what follows the first dot does not count, then by address
 * @has_sources: of some functions the file is known
 */
struct control_functions {
	struct control_function *at;
	size_t count, capacity;
	bool has_sources;
};

/**
 * control_functions_read() - find all functions that probes may mean
 * @functions:	filled in; free with control_functions_free()
 * @probes:	@count of them, as evtlog probe add takes them
 *
 * /proc/kallsyms is read once, vmlinux only if a probe names a file or a name of several functions.
 */
int control_functions_read(struct control_functions *functions, char *const *probes, size_t count);

void control_functions_free(struct control_functions *functions);

/**
 * control_function_visit() - what control_functions_expand() calls
 * @name:	in the kernel's form: FUNCTION or MODULE:FUNCTION, perhaps with "@" and an address at its end
 *
 * Returns 0 to go on.
 */
typedef int control_function_visit(void *data, const char *name);

/**
 * control_functions_expand() - the functions that a probe means
 * @functions:	read by control_functions_read() for this probe, perhaps among others
 * @probe:	begins with the function: FUNCTION, MODULE:FUNCTION, vmlinux:FUNCTION or FILE:FUNCTION, followed
 *		by ".*" to include its clones; or an address
 * @visit:	called for each function that is found
 * @clone:	if one function is found: set to a clone of it that the probe does not include; NULL: none
 * @reason:	a sentence, if no function is found, or several where one is needed; of @size
 *
 * An unknown name is given to @visit unchanged.
 */
int control_functions_expand(const struct control_functions *functions, const char *probe,
			     control_function_visit *visit, void *data, const char **clone,
			     char *reason, size_t size);

/** control_function_is_plain() - is a probe's function written as the kernel has it? */
bool control_function_is_plain(const char *probe);

/** control_function_bytes() - length of the function in a probe's text */
size_t control_function_bytes(const char *probe);

/* ---- vmlinux.c: the running kernel's vmlinux: in which source file each function is ---- */

struct vmlinux {
	const unsigned char *at;
	size_t bytes;
};

/**
 * vmlinux_open() - find the running kernel's vmlinux, by its build ID
 * @file:	filled in; close it with vmlinux_close()
 *
 * It is looked for where distributions and the kernel's build put it.  -ENOENT: none is there.
 */
int vmlinux_open(struct vmlinux *file);

void vmlinux_close(struct vmlinux *file);

/**
 * vmlinux_each_function() - go through the functions of its symbol table
 * @visit:	called with @data, the function's name, the source file's name without directories ("" of a
 *		global function, whose name is unique), and the address as linked
 */
void vmlinux_each_function(const struct vmlinux *file,
			   void (*visit)(void *data, const char *name, const char *source,
					 uint64_t address),
			   void *data);

#endif /* EVTLOG_CONTROL_FUNCTIONS_H */
