// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog export --html: the viewer's page with its script, styles and data in one file.
 *
 * Stage: between data.c and a file.  The data is compressed and in base64, so the browser does not
 * parse text from the log as HTML.  Only the title is HTML, and is escaped.
 */
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/atomic-file.h"
#include "common/command.h"
#include "common/error.h"
#include "export.h"
#include "view/http/server.h"
#include "view/session/session.h"

#define STYLE_LINK	"<link rel=\"stylesheet\" href=\"/app.css\">"
#define SCRIPT_SOURCE	"src=\"/app.js\""
#define BASE64		sodium_base64_VARIANT_ORIGINAL

struct text {
	const char *begin;
	size_t length;
};

static struct text text_of(const char *begin, const char *end)
{
	return (struct text) { begin, end - begin };
}

static void put(FILE *out, struct text text)
{
	fwrite(text.begin, 1, text.length, out);
}

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			putc(*text, out);
		}
	}
}

/* Allows, in the policy, only the inline part with this checksum. */
static void put_sum(FILE *out, const char *name, struct text part)
{
	unsigned char sum[crypto_hash_sha256_BYTES];
	char text[sodium_base64_ENCODED_LEN(sizeof(sum), BASE64)];

	crypto_hash_sha256(sum, (const unsigned char *)part.begin, part.length);
	sodium_bin2base64(text, sizeof(text), sum, sizeof(sum), BASE64);
	fprintf(out, "; %s 'sha256-%s'", name, text);
}

/* The page can make no requests; only this script and style are applied. */
static void put_policy(FILE *out, struct text script, struct text style)
{
	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'", out);
	put_sum(out, "script-src", script);
	put_sum(out, "style-src", style);
	fputs("; img-src data:; base-uri 'none'; form-action 'none'\">\n", out);
}

static int deflate_all(const char *bytes, size_t length, unsigned char **gzipp,
		       size_t *gzip_lengthp)
{
	z_stream stream = { .next_in = (Bytef *)bytes };
	size_t capacity, left = length;
	int result;

	if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	capacity = deflateBound(&stream, length);
	*gzipp = malloc(capacity);
	if (!*gzipp) {
		deflateEnd(&stream);
		return -ENOMEM;
	}
	stream.next_out = *gzipp;
	do {
		/* zlib's avail_in and avail_out have 32 bits. */
		size_t done = stream.next_out - *gzipp;

		stream.avail_in = left < 1u << 30 ? left : 1u << 30;
		left -= stream.avail_in;
		stream.avail_out = capacity - done < 1u << 31 ? capacity - done : 1u << 31;
		result = deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
	} while (left && result == Z_OK && !stream.avail_in);
	*gzip_lengthp = stream.next_out - *gzipp;
	deflateEnd(&stream);
	return result == Z_STREAM_END ? 0 : -EFBIG;
}

static void put_base64(FILE *out, const unsigned char *bytes, size_t length)
{
	/* Whole groups of three bytes need no padding. */
	enum { PART = 3 << 10 };
	char text[sodium_base64_ENCODED_LEN(PART, BASE64)];

	for (size_t i = 0; i < length; i += PART) {
		size_t part = length - i < PART ? length - i : PART;

		sodium_bin2base64(text, sizeof(text), bytes + i, part, BASE64);
		fputs(text, out);
	}
}

static void put_title(FILE *out, const struct session *session)
{
	fputs("<title>", out);
	for (uint32_t i = 0; i < session->host_count && i < 4; i++) {
		fputs(i ? ", " : "", out);
		put_escaped(out, session->hosts[i].name);
	}
	fputs(session->host_count > 4 ? ", ... - evtlog</title>\n" : " - evtlog</title>\n", out);
}

/*
 * Parts of the page: in front of the title, between style link and script, after the script.  The
 * page is embedded in the program, so an unexpected page is a build error.
 */
struct page {
	struct text head;
	struct text middle;
	struct text tail;
};

static int split_page(struct page *page)
{
	const char *link = strstr(embedded_page, STYLE_LINK), *script, *begin, *end;
	const char *title = strstr(embedded_page, "<title>"), *title_end;
	const char *body = strstr(embedded_page, "</body>");

	script = strstr(embedded_page, SCRIPT_SOURCE);
	title_end = title ? strstr(title, "</title>") : NULL;
	if (!link || !script || !title_end || !body || title > link || script < link)
		return -EBADMSG;
	for (begin = script; begin > link && *begin != '<'; begin--)
		;
	end = strstr(script, "</script>");
	if (!end)
		return -EBADMSG;
	end += strlen("</script>");
	page->head = text_of(embedded_page, title);
	title_end += strlen("</title>");
	if (link < title_end)
		return -EBADMSG;
	/* The script moves to the end of the body. */
	page->middle = text_of(link + strlen(STYLE_LINK), begin);
	page->tail = text_of(end, embedded_page_end);
	return 0;
}

/* True if an inline part would end its own element. */
static bool ends_early(struct text part, const char *tag)
{
	return memmem(part.begin, part.length, tag, strlen(tag)) ||
	       memmem(part.begin, part.length, "<!--", 4);
}

static void put_page(FILE *out, const struct page *page, const struct session *session,
		     const unsigned char *data, size_t length)
{
	struct text script = text_of(embedded_script, embedded_script_end);
	struct text style = text_of(embedded_style, embedded_style_end);
	const char *body_end = memmem(page->tail.begin, page->tail.length, "</body>", 7);
	struct text rest = text_of(page->tail.begin, body_end);

	put(out, page->head);
	put_policy(out, script, style);
	put_title(out, session);
	fputs("<style>", out);
	put(out, style);
	fputs("</style>", out);
	put(out, page->middle);
	put(out, rest);
	fputs("<script type=\"text/plain\" id=\"evtlog-data\">", out);
	put_base64(out, data, length);
	fputs("</script>\n<script>", out);
	put(out, script);
	fputs("</script>\n", out);
	put(out, text_of(body_end, page->tail.begin + page->tail.length));
}

static int check_size(const struct export_options *opts, size_t gzip_length)
{
	uint64_t bytes = (uint64_t)gzip_length / 3 * 4 +
			 (embedded_script_end - embedded_script);

	if (bytes <= EXPORT_BYTES_MAX || opts->force)
		return EXIT_OK;
	pr_err("--html: the file would have %" PRIu64 " MiB, which browsers open slowly: select less with --from, --to, --host, --cpu or --events, or use --force",
	       bytes >> 20);
	return EXIT_FAILED;
}

int export_write(struct session *session, const struct export_options *opts,
		 const char *path)
{
	struct export_options clipped = *opts;
	struct left_out left_out;
	unsigned char *gzip = NULL;
	size_t length, gzip_length;
	char *bytes = NULL;
	struct atomic_file output;
	struct page page;
	int status, error;

	status = session_check_span(session, "export", opts->from_ns, opts->to_ns);
	if (status != EXIT_OK)
		return status;
	if (clipped.to_ns > (uint64_t)session->length_ns)
		clipped.to_ns = session->length_ns;
	if (clipped.to_ns <= clipped.from_ns)
		clipped.to_ns = clipped.from_ns + 1;
	error = split_page(&page);
	if (!error && (ends_early(text_of(embedded_script, embedded_script_end), "</script") ||
		       ends_early(text_of(embedded_style, embedded_style_end), "</style")))
		error = -EBADMSG;
	if (!error)
		error = export_data(session, &clipped, &bytes, &length, &left_out);
	if (!error)
		error = deflate_all(bytes, length, &gzip, &gzip_length);
	if (error) {
		pr_err("--html: %s", error == -EBADMSG ?
		       "the page in this program is not as expected; build evtlog again" :
		       strerror(-error));
		status = EXIT_FAILED;
		goto out;
	}
	status = check_size(opts, gzip_length);
	if (status == EXIT_OK)
		status = atomic_file_open(&output, path);
	if (status != EXIT_OK)
		goto out;
	errno = 0;
	put_page(output.out, &page, session, gzip, gzip_length);
	if (fflush(output.out) || ferror(output.out))
		error = errno ? -errno : -EIO;
	status = atomic_file_close(&output, error);
	if (status == EXIT_OK)
		left_out_say(&left_out, path);
out:
	free(gzip);
	free(bytes);
	return status;
}
