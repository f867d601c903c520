// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of functions: /proc/self/maps has the file of an address; the file has the symbol table.
 *
 * Each file's table is sorted once, because there can be many regions.
 * The files belong to the program, but their contents are checked before use.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/region/symbols.h"

/* @order: among symbols at one address, the first one in the file is used. */
struct symbol {
	uint64_t address;
	const char *name;
	size_t order;
};

/*
 * struct region_mapping - a part of a file in memory
 * @low, @high:	addresses; @offset: offset in the file
 * @at:		the file, mapped; NULL if it cannot be read
 * @symbols:	its functions, sorted by address
 */
struct region_mapping {
	struct region_mapping *next;
	uint64_t low, high, offset;
	char path[512];
	const unsigned char *at;
	size_t bytes;
	struct symbol *symbols;
	size_t nr_symbols, room;
};

void region_symbols_close(struct region_symbols *symbols)
{
	struct region_mapping *mapping;

	while ((mapping = symbols->mappings)) {
		symbols->mappings = mapping->next;
		if (mapping->at)
			munmap((void *)mapping->at, mapping->bytes);
		free(mapping->symbols);
		free(mapping);
	}
}

static void map_file(struct region_mapping *mapping)
{
	int fd = open(mapping->path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	void *at = MAP_FAILED;

	if (fd < 0)
		return;
	if (!fstat(fd, &stat) && stat.st_size >= (off_t)sizeof(Elf64_Ehdr))
		at = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return;
	mapping->at = at;
	mapping->bytes = stat.st_size;
	if (memcmp(at, ELFMAG, SELFMAG) || mapping->at[EI_CLASS] != ELFCLASS64) {
		munmap(at, mapping->bytes);
		mapping->at = NULL;
	}
}

/* Finds the mapping of @address.  If there is none, it covers only @address. */
static void find_mapping(struct region_mapping *mapping, uint64_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uint64_t low, high, offset;
	char line[640];
	int at;

	mapping->low = address;
	mapping->high = address + 1;
	while (maps && fgets(line, sizeof(line), maps)) {
		at = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &low, &high,
			   &offset, &at) < 3 || !at || address < low || address >= high)
			continue;
		mapping->low = low;
		mapping->high = high;
		mapping->offset = offset;
		line[strcspn(line, "\n")] = '\0';
		snprintf(mapping->path, sizeof(mapping->path), "%s", line + at);
		break;
	}
	if (maps)
		fclose(maps);
}

/* @count objects of @size bytes at @offset of the file; NULL if they are not in the file. */
static const void *part(const struct region_mapping *mapping, uint64_t offset, uint64_t count,
			size_t size)
{
	if (offset > mapping->bytes || count > (mapping->bytes - offset) / size ||
	    offset % _Alignof(Elf64_Sym))
		return NULL;
	return mapping->at + offset;
}

/* Virtual address of a file offset, as in symbols. */
static uint64_t file_to_virtual(const struct region_mapping *mapping, uint64_t offset)
{
	const Elf64_Ehdr *head = (const void *)mapping->at;
	const Elf64_Phdr *program = part(mapping, head->e_phoff, head->e_phnum, sizeof(*program));

	for (unsigned int i = 0; program && i < head->e_phnum; i++) {
		if (program[i].p_type == PT_LOAD && offset >= program[i].p_offset &&
		    offset - program[i].p_offset < program[i].p_filesz)
			return offset - program[i].p_offset + program[i].p_vaddr;
	}
	return UINT64_MAX;
}

static void add_symbol(struct region_mapping *mapping, uint64_t address, const char *name)
{
	if (mapping->nr_symbols == mapping->room) {
		size_t room = mapping->room ? 2 * mapping->room : 1024;
		struct symbol *at = reallocarray(mapping->symbols, room, sizeof(*at));

		if (!at)
			return;
		mapping->symbols = at;
		mapping->room = room;
	}
	mapping->symbols[mapping->nr_symbols] = (struct symbol){
		.address = address, .name = name, .order = mapping->nr_symbols,
	};
	mapping->nr_symbols++;
}

static void add_table(struct region_mapping *mapping, const Elf64_Shdr *table,
		      const Elf64_Shdr *names)
{
	uint64_t count = table->sh_size / sizeof(Elf64_Sym);
	const Elf64_Sym *symbol = part(mapping, table->sh_offset, count, sizeof(*symbol));
	const char *text = (const char *)mapping->at + names->sh_offset;

	if (!symbol || !names->sh_size || names->sh_offset > mapping->bytes ||
	    names->sh_size > mapping->bytes - names->sh_offset || text[names->sh_size - 1])
		return;
	for (uint64_t i = 0; i < count; i++) {
		if (ELF64_ST_TYPE(symbol[i].st_info) == STT_FUNC &&
		    symbol[i].st_name < names->sh_size)
			add_symbol(mapping, symbol[i].st_value, text + symbol[i].st_name);
	}
}

static int compare(const void *a, const void *b)
{
	const struct symbol *one = a, *two = b;

	if (one->address != two->address)
		return one->address < two->address ? -1 : 1;
	return one->order < two->order ? -1 : one->order > two->order;
}

/* .symtab has all functions; if it is stripped, .dynsym has the exported ones. */
static void add_symbols(struct region_mapping *mapping)
{
	const Elf64_Ehdr *head = (const void *)mapping->at;
	const Elf64_Shdr *section = part(mapping, head->e_shoff, head->e_shnum, sizeof(*section));

	for (unsigned int i = 0; section && i < head->e_shnum; i++) {
		if ((section[i].sh_type == SHT_SYMTAB || section[i].sh_type == SHT_DYNSYM) &&
		    section[i].sh_link < head->e_shnum)
			add_table(mapping, &section[i], &section[section[i].sh_link]);
	}
	if (mapping->nr_symbols)
		qsort(mapping->symbols, mapping->nr_symbols, sizeof(*mapping->symbols), compare);
}

static const char *find_symbol(const struct region_mapping *mapping, uint64_t address)
{
	size_t low = 0, high = mapping->nr_symbols;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (mapping->symbols[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < mapping->nr_symbols && mapping->symbols[low].address == address ?
	       mapping->symbols[low].name : NULL;
}

static const struct region_mapping *get_mapping(struct region_symbols *symbols, uint64_t address)
{
	struct region_mapping *mapping;

	for (mapping = symbols->mappings; mapping; mapping = mapping->next) {
		if (address >= mapping->low && address < mapping->high)
			return mapping;
	}
	mapping = calloc(1, sizeof(*mapping));
	if (!mapping)
		return NULL;
	find_mapping(mapping, address);
	if (mapping->path[0] == '/')
		map_file(mapping);
	if (mapping->at)
		add_symbols(mapping);
	mapping->next = symbols->mappings;
	symbols->mappings = mapping;
	return mapping;
}

void region_symbol(struct region_symbols *symbols, const void *function, char *name, size_t room)
{
	uint64_t address = (uintptr_t)function, offset;
	const struct region_mapping *mapping = get_mapping(symbols, address);
	const char *found = NULL, *file;

	if (!mapping || !mapping->path[0]) {
		snprintf(name, room, "0x%" PRIx64, address);
		return;
	}
	offset = address - mapping->low + mapping->offset;
	if (mapping->at)
		found = find_symbol(mapping, file_to_virtual(mapping, offset));
	file = strrchr(mapping->path, '/');
	if (found)
		snprintf(name, room, "%s", found);
	else if (file)
		snprintf(name, room, "%s+0x%" PRIx64, file + 1, offset);
	else
		snprintf(name, room, "0x%" PRIx64, address);
}
