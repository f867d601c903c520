/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's files, embedded in the program: see server.h.
 *
 * Stage: the server sends these files to browsers.
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
