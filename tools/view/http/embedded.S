/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's files as they are, within the program: see embedded.h.
 *
 * Stage: beside the server, which sends them.
 */
	.section .rodata

	.macro embed name, file
	.global embedded_\name
	.global embedded_\name\()_end
	.balign 16
embedded_\name:
	.incbin "\file"
embedded_\name\()_end:
	.byte 0
	.endm

	embed page, "index.html"
	embed script, "app.js"
	embed style, "app.css"

	.section .note.GNU-stack, "", %progbits
