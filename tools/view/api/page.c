// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Answers that need no cookie: the page's files, and the cookie in exchange for the token.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

#include "view/http/server.h"

static unsigned int embedded(struct request *request, const char *bytes, const char *end,
			     const char *type)
{
	request->bytes = (char *)bytes;
	request->length = end - bytes;
	request->type = type;
	return MHD_HTTP_OK;
}

unsigned int answer_page(struct request *request)
{
	return embedded(request, embedded_page, embedded_page_end,
			"text/html; charset=utf-8");
}

unsigned int answer_script(struct request *request)
{
	return embedded(request, embedded_script, embedded_script_end,
			"text/javascript; charset=utf-8");
}

unsigned int answer_style(struct request *request)
{
	return embedded(request, embedded_style, embedded_style_end,
			"text/css; charset=utf-8");
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t\r\n");
}

/* The token in {"token": "..."}, which has no escapes; NULL if @body is something else. */
static const char *token_in(const char *body, size_t *length)
{
	static const char key[] = "\"token\"";
	const char *token, *rest;

	body = skip_blanks(body);
	if (*body++ != '{')
		return NULL;
	body = skip_blanks(body);
	if (strncmp(body, key, strlen(key)))
		return NULL;
	body = skip_blanks(body + strlen(key));
	if (*body++ != ':')
		return NULL;
	body = skip_blanks(body);
	if (*body++ != '"')
		return NULL;
	token = body;
	*length = strcspn(token, "\"\\");
	rest = token + *length;
	if (*rest++ != '"')
		return NULL;
	rest = skip_blanks(rest);
	if (*rest++ != '}' || *skip_blanks(rest))
		return NULL;
	return token;
}

unsigned int answer_session(struct request *request)
{
	struct auth *auth = &request->server->auth;
	const char *token;
	size_t length;

	token = request->body ? token_in(request->body, &length) : NULL;
	if (!token)
		return request_error(request, MHD_HTTP_BAD_REQUEST,
				     "send {\"token\": \"...\"}");
	if (!auth_token(auth, token, length)) {
		if (!auth_slow_down(auth))
			return request_error(request, MHD_HTTP_TOO_MANY_REQUESTS,
					     "too many wrong tokens; wait and try again");
		return request_error(request, MHD_HTTP_UNAUTHORIZED,
				     "wrong token: open the address that evtlog view printed at its last start");
	}
	if (asprintf(&request->cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
		     auth->cookie_name, auth->cookie) < 0) {
		request->cookie = NULL;
		return request_failed(request, -ENOMEM);
	}
	return MHD_HTTP_NO_CONTENT;
}
