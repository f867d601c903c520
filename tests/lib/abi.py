#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints the binary interface of libevtlog as text.

Usage: abi.py INCLUDE

Reads INCLUDE/evtlog/*.h and prints the prototype of each function, the size of each struct with the
type and offset of its members, and the value of each enumerator, as compiled.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

COMMENT = re.compile(r'/\*.*?\*/', re.S)
FUNCTION = re.compile(r'^((?:const |unsigned |struct |enum )*\w+[ *\n]+)(evtlog_\w+)\(([^;{]*)\);', re.M)
STRUCT = re.compile(r'^struct (evtlog_\w+) \{\n(.*?)^\};', re.M | re.S)
ENUM = re.compile(r'^enum (evtlog_\w+) \{\n(.*?)^\};', re.M | re.S)
MEMBER = re.compile(r'^\t([^;]*?)(\(\*(\w+)\)\([^;]*\)|\b(\w+)((?:\[[^]]*\])*)(?: : (\d+))?);', re.M)


def headers(include):
    """Returns the names of the headers, and the text of all without comments."""
    paths = sorted(glob.glob(os.path.join(include, 'evtlog', '*.h')))
    text = ''
    for path in paths:
        with open(path, encoding='utf-8') as file:
            text += COMMENT.sub('', file.read())
    return ['evtlog/' + os.path.basename(path) for path in paths], text


def blanks(text):
    return re.sub(r'\( ', '(', re.sub(r'\s+', ' ', text)).replace('* ', '*').strip()


def functions(text):
    """Yields the name and the prototype of each function declaration."""
    for kind, name, parameters in FUNCTION.findall(text):
        yield name, f'{blanks(kind)} {name}({blanks(parameters)})'.replace('* ', '*')


def layout(names, text, compiler):
    """Returns a program that prints sizes, offsets and enumerators."""
    lines = [f'#include <{name}>' for name in names]
    lines += ['#include <stddef.h>', '#include <stdio.h>', 'int main(void)', '{']
    for name, body in STRUCT.findall(text):
        lines.append(f'printf("struct {name} %zu\\n", sizeof(struct {name}));')
        for kind, rest, pointer, member, _, bits in MEMBER.findall(body):
            what = blanks(kind + rest)
            if bits:
                lines.append(f'printf("\\t{what}\\n");')
            else:
                lines.append(f'printf("\\t%zu {what}\\n", offsetof(struct {name}, {pointer or member}));')
    for name, body in ENUM.findall(text):
        if '#define X' in body:
            types = re.search(r'#define EVTLOG_TYPES\(X\)(.*?)\n\n', text, re.S).group(1)
            values = ['EVTLOG_' + each for each in re.findall(r'X\(\d+, (\w+),', types)]
        else:
            values = re.findall(r'^\t(EVTLOG_\w+)', body, re.M)
        lines.append(f'printf("enum {name} %zu\\n", sizeof(enum {name}));')
        lines += [f'printf("\\t{value} %d\\n", (int){value});' for value in values]
    lines += ['return 0;', '}']
    with tempfile.TemporaryDirectory() as work:
        program = os.path.join(work, 'layout')
        subprocess.run([compiler, '-I' + sys.argv[1], '-x', 'c', '-', '-o', program],
                       input='\n'.join(lines), text=True, check=True)
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def main():
    names, text = headers(sys.argv[1])
    for _, prototype in sorted(functions(text)):
        print(prototype)
    print(layout(names, text, os.environ.get('CC', 'gcc')), end='')


if __name__ == '__main__':
    main()
