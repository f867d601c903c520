// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Packs a kernel buffer with knowledge of its records: see <evtlog/packed.h>.
 *
 * Stage: between a kernel buffer and its block.  Each segment is read twice: the first pass turns
 * records into symbols and counts them, the second writes the codes of symbols.  Records are not
 * checked; a buffer with unknown ones is not packed.
 */
#include <stdlib.h>
#include <string.h>

#include "huffman.h"
#include "pack.h"
#include "segment.h"

#define NO_CONTEXT	0xffff
#define IS_LONG		0x8000	/* added to the context of records with more than one word */
#define FEW		3	/* words after the first that are copied at once */
#define SAMPLE		256
#define PART		32768	/* words of a buffer that are examined, or a quarter if more */
#define CODES_BYTES_MAX	(CONTEXTS * CODE_LENGTHS_BYTES_MAX)
/* How much longer than the buffer a payload may become before packing is abandoned */
#define OVERSHOOT_MAX	(sizeof(struct evtlog_packed_segment) + TYPES + CODES_BYTES_MAX + 8)
/* A record has at most three symbols: for a wrong guess, ODD, and its time. */
#define TOKENS_PER_RECORD 3

/* A symbol, as context * SYMBOLS + symbol, and the bits that follow its code */
struct token {
	uint32_t code;
	uint32_t value;
};

/* The code of a symbol: @code_bits of @code; @all_bits includes the bits that follow */
struct code {
	uint16_t code;
	uint8_t code_bits;
	uint8_t all_bits;
};

/*
 * State of a segment, reset at its start
 * @guesses:	@context of each is multiplied by SYMBOLS, and may have IS_LONG
 * @context:	of each pair of types, as in a guess
 * @contexts:	number of the next context; the last one is shared
 */
struct state {
	struct guess guesses[EVTLOG_PACKED_GUESSES];
	uint32_t recents[EVTLOG_PACKED_RECENTS];
	uint64_t last[TYPES][WORDS_MAX];
	uint16_t context[TYPES * TYPES];
	uint32_t weights[CONTEXTS * SYMBOLS];
	uint32_t contexts;
	uint32_t shift;
};

/*
 * @shift:	of all segments of the buffer
 * @extras_at:	where the next extra byte is written; @extras_end: end of their space
 */
struct pack {
	struct state state;
	struct token *tokens;
	struct code codes[CONTEXTS * SYMBOLS];
	uint32_t shift;
	uint8_t *extras, *extras_at, *extras_end;
	uint8_t *out;
	size_t capacity;
};

struct pack *pack_new(void)
{
	struct pack *pack = calloc(1, sizeof(*pack));

	if (!pack)
		return NULL;
	pack->tokens = malloc(TOKENS_PER_RECORD * EVTLOG_PACKED_RECORDS_MAX *
			      sizeof(*pack->tokens));
	if (!pack->tokens) {
		free(pack);
		return NULL;
	}
	return pack;
}

void pack_free(struct pack *pack)
{
	if (!pack)
		return;
	free(pack->tokens);
	free(pack->extras);
	free(pack->out);
	free(pack);
}

static bool make_capacity(struct pack *pack, size_t bytes)
{
	if (pack->capacity >= bytes)
		return true;
	free(pack->out);
	free(pack->extras);
	pack->capacity = 0;
	pack->out = malloc(bytes);
	pack->extras = malloc(bytes);
	if (!pack->out || !pack->extras)
		return false;
	pack->capacity = bytes;
	return true;
}

static uint32_t context_of(struct state *state, uint32_t before, uint32_t tag)
{
	uint16_t *context = &state->context[evtlog_packed_pair(before, tag)];

	if (*context == NO_CONTEXT) {
		*context = state->contexts * SYMBOLS;
		if (!is_sized(tag) &&
		    evtlog_record_words((uint64_t)tag << EVTLOG_TICKS_BITS) != 1)
			*context |= IS_LONG;
		if (state->contexts < CONTEXTS - 1)
			state->contexts++;
	}
	if (is_sized(tag) && evtlog_packed_sized_words(tag) != 1)
		return *context | IS_LONG;
	return *context;
}

static inline __attribute__((__always_inline__)) struct token *
put(struct state *state, struct token *token, uint32_t code, uint32_t value)
{
	*token = (struct token) { code, value };
	state->weights[code]++;
	return token + 1;
}

static __attribute__((__noinline__)) struct token *
put_surprise(struct state *state, struct token *token, uint32_t before, uint32_t tag)
{
	struct guess *guess = &state->guesses[evtlog_packed_guess(before)];
	uint32_t place = evtlog_packed_recent(tag);
	uint32_t code = guess->context & ~IS_LONG;

	if (guess->second == tag) {
		token = put(state, token, code + EVTLOG_PACKED_SECOND, 0);
	} else if (state->recents[place] == tag) {
		token = put(state, token, code + EVTLOG_PACKED_RECENT, place);
	} else {
		token = put(state, token, code + EVTLOG_PACKED_NEW, tag);
		state->recents[place] = tag;
	}
	guess->second = guess->tag;
	guess->tag = tag;
	guess->context = context_of(state, before, tag);
	return token;
}

static bool put_extras(struct pack *pack, const uint64_t *word, uint32_t words,
		       uint64_t *last)
{
	if ((size_t)(pack->extras_end - pack->extras_at) < 10 * words)
		return false;
	for (uint32_t k = 1; k < words; k++) {
		uint64_t number = zigzag(word[k] - last[k]);

		last[k] = word[k];
		for (; number > 0x7f; number >>= 7)
			*pack->extras_at++ = number | 0x80;
		*pack->extras_at++ = number;
	}
	return true;
}

/* Copies the words after the first of a record of variable size */
static __attribute__((__noinline__)) bool put_bytes(struct pack *pack, const uint64_t *word,
						    uint32_t words)
{
	size_t bytes = (words - 1) * sizeof(*word);

	if ((size_t)(pack->extras_end - pack->extras_at) < bytes)
		return false;
	memcpy(pack->extras_at, word + 1, bytes);
	pack->extras_at += bytes;
	return true;
}

/*
 * Packs a record of variable size.  Returns its words; 0 if it cannot be packed.  Most have few
 * words: FEW are copied at once, if there is space, and the next extras overwrite the excess.
 */
static inline __attribute__((__always_inline__)) uint32_t
put_sized(struct pack *pack, const uint64_t *word, const uint64_t *end, uint32_t tag)
{
	uint32_t words = evtlog_packed_sized_words(tag);
	size_t left = end - word;

	if (words <= 1 + FEW && left > FEW &&
	    (size_t)(pack->extras_end - pack->extras_at) >= FEW * sizeof(*word)) {
		memcpy(pack->extras_at, word + 1, FEW * sizeof(*word));
		pack->extras_at += (words - 1) * sizeof(*word);
		return words;
	}
	return words <= left && put_bytes(pack, word, words) ? words : 0;
}

/* Packs a record of fixed size with several words.  Returns these; 0 if it cannot be packed. */
static __attribute__((__noinline__)) uint32_t put_long(struct pack *pack, const uint64_t *word,
						       const uint64_t *end)
{
	uint32_t type = *word >> EVTLOG_TYPE_SHIFT & EVTLOG_TYPE_MAX;
	uint32_t words = evtlog_record_words(*word);

	if (!words || words > (size_t)(end - word))
		return 0;
	if (!put_extras(pack, word, words, pack->state.last[type]))
		return 0;
	return words;
}

/*
 * First pass.  Returns the address after the segment; NULL if a record cannot be packed.
 * @tokens_end is a result.
 */
FOR_EACH_PROCESSOR
static const uint64_t *tokenise(struct pack *pack, const uint64_t *word, const uint64_t *end,
				struct token **tokens_end)
{
	/* Each record has at least one word. */
	const uint64_t *segment_end = (size_t)(end - word) < EVTLOG_PACKED_RECORDS_MAX ?
				      end : word + EVTLOG_PACKED_RECORDS_MAX;
	struct state *state = &pack->state;
	struct token *token = pack->tokens;
	uint32_t before = 0, last = 0;
	uint32_t shift = state->shift, odd = (1u << shift) - 1;

	for (; word < segment_end; word++) {
		uint32_t tag = *word >> EVTLOG_TICKS_BITS, ticks = *word;
		uint32_t d = ticks - last, x = d >> shift, r, code;
		struct guess *guess = &state->guesses[evtlog_packed_guess(before)];

		if (__builtin_expect(tag != guess->tag, 0))
			token = put_surprise(state, token, before, tag);
		code = guess->context;
		if (__builtin_expect(code & IS_LONG, 0)) {
			uint32_t words = is_sized(tag) ? put_sized(pack, word, end, tag) :
							 put_long(pack, word, end);

			if (!words)
				return NULL;
			word += words - 1;
			code &= ~IS_LONG;
		}
		if (__builtin_expect(d & odd, 0))
			token = put(state, token, code + EVTLOG_PACKED_ODD, d & odd);
		r = 27 - __builtin_clz(x | 31);
		token = put(state, token, code + 16 * r + (x >> r), x & ((1u << r) - 1));
		before = tag;
		last = ticks;
	}
	*tokens_end = token;
	return word;
}

/* Each record has one symbol for its time; all other symbols are subtracted. */
static uint32_t count_records(const struct pack *pack, const struct token *tokens_end)
{
	uint32_t others = 0;

	for (uint32_t context = 0; context <= pack->state.contexts; context++)
		for (uint32_t symbol = EVTLOG_PACKED_SECOND; symbol < SYMBOLS; symbol++)
			others += pack->state.weights[context * SYMBOLS + symbol];
	return tokens_end - pack->tokens - others;
}

static void start_segment(struct pack *pack)
{
	struct state *state = &pack->state;

	memset(state, 0, sizeof(*state));
	memset(state->context, 0xff, sizeof(state->context));	/* NO_CONTEXT */
	/* A word that equals an empty guess is not a record: IS_LONG makes tokenise() check it. */
	for (uint32_t k = 0; k < EVTLOG_PACKED_GUESSES; k++)
		state->guesses[k].context = IS_LONG;
	state->contexts = 1;
	state->shift = pack->shift;
	pack->extras_at = pack->extras;
}

static uint32_t bits_behind(uint32_t symbol, uint32_t shift)
{
	switch (symbol) {
	case EVTLOG_PACKED_SECOND: return 0;
	case EVTLOG_PACKED_RECENT: return EVTLOG_PACKED_RECENT_BITS;
	case EVTLOG_PACKED_NEW: return 32;
	case EVTLOG_PACKED_ODD: return shift;
	default: return evtlog_packed_time_bits(symbol);
	}
}

/* Makes a context's code and writes its lengths.  Adds to @bits the bits of all its symbols. */
static uint8_t *put_code(struct pack *pack, uint32_t context, uint8_t *at, uint64_t *bits)
{
	const uint32_t *weights = pack->state.weights + context * SYMBOLS;
	struct code *codes = pack->codes + context * SYMBOLS;
	struct huffman_symbol symbols[SYMBOLS];
	uint32_t count = 0;

	for (uint32_t symbol = 0; symbol < SYMBOLS; symbol++)
		if (weights[symbol])
			symbols[count++] = (struct huffman_symbol) {
				.weight = weights[symbol],
				.symbol = symbol,
			};
	huffman_make(symbols, count, EVTLOG_PACKED_CODE_BITS);
	for (uint32_t k = 0; k < count; k++) {
		const struct huffman_symbol *s = &symbols[k];
		uint32_t all = s->length + bits_behind(s->symbol, pack->state.shift);

		codes[s->symbol] = (struct code) { s->code, s->length, all };
		*bits += (uint64_t)s->weight * all;
	}
	return code_lengths_put(at, symbols, count);
}

/* A symbol's code and the bits that follow it */
static inline __attribute__((__always_inline__)) uint64_t
bits_of(struct code code, const struct token *token)
{
	return code.code | (uint64_t)token->value << code.code_bits;
}

/* Second pass.  Returns the end of the output; writes up to 8 bytes after it. */
FOR_EACH_PROCESSOR
static uint8_t *put_bits(const struct code *codes, const struct token *token,
			 const struct token *tokens_end, uint8_t *at)
{
	uint64_t held = 0;
	uint32_t n = 0;

	for (; token < tokens_end; token++) {
		struct code code = codes[token->code];

		/* A symbol and its bits are at most 43 bits: they fit after the 7 that remain. */
		if (__builtin_expect(n + code.all_bits > 63, 0)) {
			memcpy(at, &held, sizeof(held));
			at += n >> 3;
			held >>= n & 0x38;
			n &= 7;
		}
		held |= bits_of(code, token) << n;
		n += code.all_bits;
	}
	memcpy(at, &held, sizeof(held));
	return at + (n + 7) / 8;
}

static void put_words(const struct state *state, uint8_t *at)
{
	memset(at, 0, TYPES);
	for (uint32_t pair = 0; pair < TYPES * TYPES; pair++) {
		uint32_t type = pair & EVTLOG_TYPE_MAX;

		if (state->context[pair] != NO_CONTEXT)
			at[type] = is_sized(type) ? EVTLOG_PACKED_SIZED :
				   evtlog_record_words((uint64_t)type << EVTLOG_TYPE_SHIFT);
	}
}

/* Returns the segment's end; NULL if it does not fit before @end. */
static uint8_t *put_segment(struct pack *pack, const struct token *tokens_end, uint8_t *at,
			    const uint8_t *end)
{
	size_t extra_bytes = pack->extras_at - pack->extras;
	struct evtlog_packed_segment segment = {
		.records = count_records(pack, tokens_end),
		.shift = pack->state.shift,
		.extra_bytes = extra_bytes,
	};
	uint8_t *start = at, *codes;
	uint64_t bits = 0;

	if ((size_t)(end - at) < sizeof(segment) + TYPES + CODES_BYTES_MAX)
		return NULL;
	at += sizeof(segment);
	put_words(&pack->state, at);
	codes = at += TYPES;
	for (uint32_t context = 0; context <= pack->state.contexts; context++)
		at = put_code(pack, context, at, &bits);
	segment.code_bytes = at - codes;
	segment.bit_bytes = (bits + 7) / 8;
	if ((size_t)(end - at) < segment.bit_bytes + 8 + extra_bytes)
		return NULL;
	at = put_bits(pack->codes, pack->tokens, tokens_end, at);
	memcpy(at, pack->extras, extra_bytes);
	memcpy(start, &segment, sizeof(segment));
	return at + extra_bytes;
}

/* Returns the shift that fits nearly all times.  @whole: number of times by their low zero bits. */
static uint32_t shift_of(const uint32_t whole[EVTLOG_PACKED_SHIFT_MAX + 1], uint32_t sampled)
{
	uint32_t shift = EVTLOG_PACKED_SHIFT_MAX;

	for (uint32_t enough = whole[shift]; shift && enough < sampled - sampled / 32;)
		enough += whole[--shift];
	return shift;
}

/*
 * Examines the records: finds the number of low bits of times that never change, as most counters
 * step by more than one tick.  Returns true if packing is worthwhile.
 *
 * Payloads of EVENTs are not packed.  If they are seven eighths of a buffer, packing saves an
 * eighth at most, and costs two copies of the buffer.  In a large buffer, the first quarter
 * decides: it is longer than the names of tasks at the start of a run.
 */
static bool look_over(struct pack *pack, const uint64_t *word, const uint64_t *end)
{
	size_t words_all = end - word, part = words_all < PART ? words_all : PART;
	const uint64_t *enough = word + (part < words_all / 4 ? words_all / 4 : part);
	size_t others = 0, most = (enough - word) / 8;
	uint32_t last = word < end ? *word : 0, sampled = 0;
	uint32_t whole[EVTLOG_PACKED_SHIFT_MAX + 1] = { 0 };
	bool is_unknown = false;

	while (word < end && ((word < enough && others <= most) || sampled < SAMPLE)) {
		uint32_t words = evtlog_record_words(*word);

		is_unknown = !words || words > (size_t)(end - word);
		if (is_unknown)
			break;
		if (sampled < SAMPLE) {
			uint32_t d = (uint32_t)*word - last;

			whole[__builtin_ctz(d | 1u << EVTLOG_PACKED_SHIFT_MAX)]++;
			sampled++;
			last = *word;
		}
		others += is_sized(*word >> EVTLOG_TYPE_SHIFT) ? 1 : words;
		word += words;
	}
	pack->shift = shift_of(whole, sampled);
	return is_unknown || others > most;
}

const void *pack_buffer(struct pack *pack, const struct evtlog_buffer_header *buffer,
			size_t *packed_bytes)
{
	const uint64_t *word = (const void *)((const char *)buffer + buffer->header_bytes);
	const uint64_t *end = (const void *)((const char *)buffer + buffer->used_bytes);
	uint8_t *at;

	if (buffer->header_bytes % 8 || buffer->used_bytes % 8 ||
	    buffer->header_bytes > buffer->used_bytes)
		return NULL;
	if (!look_over(pack, word, end) ||
	    !make_capacity(pack, buffer->used_bytes + OVERSHOOT_MAX))
		return NULL;
	pack->extras_end = pack->extras + buffer->used_bytes;
	memcpy(pack->out, buffer, buffer->header_bytes);
	at = pack->out + buffer->header_bytes;
	while (word < end) {
		struct token *tokens_end;

		start_segment(pack);
		word = tokenise(pack, word, end, &tokens_end);
		if (!word)
			return NULL;
		at = put_segment(pack, tokens_end, at, pack->out + pack->capacity);
		if (!at)
			return NULL;
	}
	*packed_bytes = at - pack->out;
	return *packed_bytes < buffer->used_bytes ? pack->out : NULL;
}
