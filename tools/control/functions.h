/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds functions of the running kernel for probes, by name, clone, file or address.
 *
 * Functions return 0 or -errno and do not print.
 */
#ifndef EVTLOG_CONTROL_FUNCTIONS_H
#define EVTLOG_CONTROL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * struct control_function - a function that a probe may refer to, or a clone of it
 * @name:	as in /proc/kallsyms
 * @module:	the module that contains it, "" for the kernel
 * @source:	its source file, NULL if unknown
 * @address:	0 if hidden from this user
 */
struct control_function {
	char *name, *module, *source;
	uint64_t address;
};

/*
 * @at:	sorted by name up to the first dot, then by address
 * @has_sources: True: the source files of some functions are known
 */
struct control_functions {
	struct control_function *at;
	size_t count, capacity;
	bool has_sources;
};

/**
 * control_functions_read() - find all functions that probes may refer to
 * @functions:	result; free with control_functions_free()
 * @probes:	@count probes in the syntax of evtlog probe add
 *
 * /proc/kallsyms is read once.  vmlinux is read only if a probe names a file or if several
 * functions have the same name.
 */
int control_functions_read(struct control_functions *functions, char *const *probes, size_t count);

void control_functions_free(struct control_functions *functions);

/**
 * control_function_visit() - callback of control_functions_expand()
 * @name:	in the kernel's form: FUNCTION or MODULE:FUNCTION, with or without "@ADDRESS"
 *
 * Returns 0 to continue.
 */
typedef int control_function_visit(void *data, const char *name);

/**
 * control_functions_expand() - find the functions that a probe refers to
 * @functions:	from control_functions_read(), whose @probes contained this probe
 * @probe:	begins with FUNCTION, MODULE:FUNCTION, vmlinux:FUNCTION or FILE:FUNCTION,
 *		followed by ".*" to include its clones; or with an address
 * @visit:	called for each function found
 * @clone:	if one function is found: a clone that the probe does not include, NULL if none
 * @reason:	message of at most @size bytes, if no function is found or too many
 *
 * An unknown name is passed to @visit unchanged.
 */
int control_functions_expand(const struct control_functions *functions, const char *probe,
			     control_function_visit *visit, void *data, const char **clone,
			     char *reason, size_t size);

/** control_function_is_plain() - returns true if the function is already in the kernel's form */
bool control_function_is_plain(const char *probe);

/** control_function_bytes() - return the length of the function in a probe's text */
size_t control_function_bytes(const char *probe);

/* ---- vmlinux.c: source files of functions, from the running kernel's vmlinux ---- */

struct vmlinux {
	const unsigned char *at;
	size_t bytes;
};

/**
 * vmlinux_open() - find the running kernel's vmlinux by its build ID
 * @file:	result; close with vmlinux_close()
 *
 * Searches the directories used by distributions and by the kernel's build.  Returns -ENOENT if
 * not found.
 */
int vmlinux_open(struct vmlinux *file);

void vmlinux_close(struct vmlinux *file);

/**
 * vmlinux_each_function() - visit the functions in the symbol table
 * @visit:	called with @data, the function's name, its source file without directories (""
 *		for a global function, whose name is unique) and its address in vmlinux
 */
void vmlinux_each_function(const struct vmlinux *file,
			   void (*visit)(void *data, const char *name, const char *source,
					 uint64_t address),
			   void *data);

#endif /* EVTLOG_CONTROL_FUNCTIONS_H */
