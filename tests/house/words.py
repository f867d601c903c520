#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds words in comments and manual pages that make sentences hard to read.

Usage: words.py FILE...

Reads comments of C, JavaScript, CSS, Python and shell, messages of C, and the text of manual pages,
README.md and CONTRIBUTING.md. Prints a line per find; exit status 1 if there is one.
"""
import re
import sys

# What each of them stands for is in CONTRIBUTING.md.
WORDS = re.compile(r"(?i:\b(tell|tells|told|telling|whoever|nobody knows|behind|of which|as \w+ has it|"
                   r"beside|besides)\b)|(?:^|[.!?] )(Of (?!course)|What \w+ is )")
# Identifiers such as @told_ns, and names in quotes
NAMES = re.compile(r"@\w+|\w+\.[ch]\b|\w+\(\)|\w*_\w*|['\"`][^'\"`\n]*['\"`]")
C_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(/\*.*?\*/|//[^\n]*)', re.S)
C_MESSAGE = re.compile(r'\b(?:pr_err|pr_warn|pr_info|misuse|say_error|say_warning|say_info|request_error|'
                       r'head_fail)\(.*?\);', re.S)
C_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')


def blank(text):
    """The same lines without text"""
    return re.sub(r'[^\n]', ' ', text)


def c_comments(text):
    out, end = [], 0
    for match in C_COMMENT.finditer(text):
        out.append(blank(text[end:match.start()]))
        out.append(match[0] if match[1] else blank(match[0]))
        end = match.end()
    # A line of a block begins with an asterisk.
    return re.sub(r'^(\s*)(?:/\*+|\*)', lambda m: m[1] + ' ', ''.join(out), flags=re.M)


def c_messages(text):
    """For each line, the strings of messages in it"""
    lines = [''] * (text.count('\n') + 1)
    for call in C_MESSAGE.finditer(text):
        for string in C_STRING.finditer(text, call.start(), call.end()):
            lines[text.count('\n', 0, string.start())] += string[1]
    return lines


def hash_comments(text):
    return '\n'.join(line.lstrip()[1:] if line.lstrip().startswith('#') else ''
                     for line in text.split('\n'))


def roff(text):
    return '\n'.join('' if line.startswith(('.', "'")) else line for line in text.split('\n'))


def prose(path, text):
    if re.search(r'\.(c|h|S|js|mjs|css)$', path):
        return '\n'.join(map(' '.join, zip(c_comments(text).split('\n'), c_messages(text))))
    if re.search(r'\.[1-8]$', path):
        return roff(text)
    if path.endswith('.md'):
        return text
    return hash_comments(text)


def finds(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        text = prose(path, file.read())
    for number, line in enumerate(text.split('\n'), 1):
        for match in WORDS.finditer(NAMES.sub('X', line.strip())):
            yield number, match[0].strip(), line.strip()


def main():
    count = 0
    for path in sys.argv[1:]:
        for number, word, line in finds(path):
            print(f'{path}:{number}: "{word}": {line}')
            count += 1
    sys.exit(1 if count else 0)


main()
