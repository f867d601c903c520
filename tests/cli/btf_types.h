/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of module-names.test's kernel and module. */
#ifndef EVTLOG_TESTS_CLI_BTF_TYPES_H
#define EVTLOG_TESTS_CLI_BTF_TYPES_H

typedef unsigned short port_t;
enum color { RED, GREEN };

struct inner {
	long first;
	struct inner *next;
	char name[24];
};

struct sk_buff {
	unsigned int len;
	unsigned char *data;
};

struct outer {
	int number;
	unsigned int flag : 3;
	union {
		const port_t port;
		char anything[12];
	};
	struct inner within;
	struct inner *other;
	enum color color;
	struct sk_buff *skb;
	_Bool is_there;
};

struct pair {
	long a, b;
};

struct large {
	long a[4];
};

#endif /* EVTLOG_TESTS_CLI_BTF_TYPES_H */
