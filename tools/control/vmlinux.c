// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the symbol table of the running kernel's vmlinux.
 *
 * A local symbol belongs to the file whose symbol precedes it, so DWARF is not needed.  All
 * offsets in the file are checked before use.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "functions.h"

#define NOTES		"/sys/kernel/notes"
#define NOTES_BYTES	4096
#define ID_BYTES	20

/* Text before and after the kernel's release. */
static const char *const places[][2] = {
	{ "/usr/lib/debug/boot/vmlinux-", "" },
	{ "/usr/lib/debug/lib/modules/", "/vmlinux" },
	{ "/lib/modules/", "/build/vmlinux" },
	{ "/lib/modules/", "/vmlinux" },
	{ "/boot/vmlinux-", "" },
};

/* ---- Build IDs ---- */

/* Copies the build ID from a list of notes.  Returns its length, 0 if there is none. */
static size_t find_id(const unsigned char *notes, size_t bytes, unsigned char id[ID_BYTES])
{
	Elf64_Nhdr note;
	size_t name, rest;

	while (bytes >= sizeof(note)) {
		memcpy(&note, notes, sizeof(note));
		notes += sizeof(note);
		bytes -= sizeof(note);
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		rest = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > bytes || rest > bytes - name)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes, "GNU", 4) && note.n_descsz <= ID_BYTES) {
			memcpy(id, notes + name, note.n_descsz);
			return note.n_descsz;
		}
		notes += name + rest;
		bytes -= name + rest;
	}
	return 0;
}

static size_t running_id(unsigned char id[ID_BYTES])
{
	unsigned char notes[NOTES_BYTES];
	int fd = open(NOTES, O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? 0 : read(fd, notes, sizeof(notes));

	if (fd >= 0)
		close(fd);
	return bytes > 0 ? find_id(notes, (size_t)bytes, id) : 0;
}

/* ---- The file ---- */

static const void *part(const struct vmlinux *file, uint64_t offset, uint64_t bytes)
{
	if (offset > file->bytes || bytes > file->bytes - offset || offset % 8)
		return NULL;
	return file->at + offset;
}

/* Returns the section headers, @count of them; NULL if the file is not a 64-bit ELF file. */
static const Elf64_Shdr *sections_of(const struct vmlinux *file, unsigned int *count)
{
	const Elf64_Ehdr *head = part(file, 0, sizeof(*head));

	if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr))
		return NULL;
	*count = head->e_shnum;
	return part(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr));
}

static bool has_id(const struct vmlinux *file, const unsigned char *id, size_t length)
{
	unsigned char found[ID_BYTES];
	unsigned int count = 0;
	const Elf64_Shdr *sections = sections_of(file, &count);

	for (unsigned int i = 0; sections && i < count; i++) {
		const Elf64_Shdr *s = &sections[i];

		/* Notes are aligned only to four bytes, so part() is not used here. */
		if (s->sh_type == SHT_NOTE && s->sh_offset <= file->bytes &&
		    s->sh_size <= file->bytes - s->sh_offset &&
		    find_id(file->at + s->sh_offset, s->sh_size, found) == length &&
		    !memcmp(found, id, length))
			return true;
	}
	return false;
}

static int map(struct vmlinux *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	void *at = MAP_FAILED;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &stat) && stat.st_size > 0)
		at = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return -EIO;
	*file = (struct vmlinux){ at, (size_t)stat.st_size };
	return 0;
}

int vmlinux_open(struct vmlinux *file)
{
	unsigned char id[ID_BYTES];
	size_t length = running_id(id);
	struct utsname name;
	char path[256];

	if (!length || uname(&name))
		return -ENOENT;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), "%s%s%s", places[i][0], name.release, places[i][1]);
		if (map(file, path))
			continue;
		if (has_id(file, id, length))
			return 0;
		vmlinux_close(file);
	}
	return -ENOENT;
}

void vmlinux_close(struct vmlinux *file)
{
	munmap((void *)file->at, file->bytes);
}

static void visit_table(const struct vmlinux *file, const Elf64_Shdr *table,
			const Elf64_Shdr *strings,
			void (*visit)(void *data, const char *name, const char *source,
				      uint64_t address),
			void *data)
{
	const Elf64_Sym *symbols = part(file, table->sh_offset, table->sh_size);
	const char *source = "", *text = NULL;

	if (strings->sh_offset <= file->bytes && strings->sh_size <= file->bytes - strings->sh_offset)
		text = (const char *)file->at + strings->sh_offset;
	if (!symbols || !text || !strings->sh_size || text[strings->sh_size - 1])
		return;
	for (uint64_t i = 0; i < table->sh_size / sizeof(*symbols); i++) {
		const Elf64_Sym *s = &symbols[i];
		const char *name = s->st_name < strings->sh_size ? text + s->st_name : "";
		bool is_local = ELF64_ST_BIND(s->st_info) == STB_LOCAL;

		if (ELF64_ST_TYPE(s->st_info) == STT_FILE)
			source = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
		else if (ELF64_ST_TYPE(s->st_info) == STT_FUNC || !strcmp(name, "_text"))
			visit(data, name, is_local ? source : "", s->st_value);
	}
}

void vmlinux_each_function(const struct vmlinux *file,
			   void (*visit)(void *data, const char *name, const char *source,
					 uint64_t address),
			   void *data)
{
	unsigned int count = 0;
	const Elf64_Shdr *sections = sections_of(file, &count);

	for (unsigned int i = 0; sections && i < count; i++)
		if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < count)
			visit_table(file, &sections[i], &sections[sections[i].sh_link], visit, data);
}
