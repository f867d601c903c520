#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks public headers: comments of functions and structs, guards, licences, extern "C".

Usage: kernel_doc.py INCLUDE FUNCTION...

Each FUNCTION must be declared once in INCLUDE/evtlog/*.h, with a comment for Linux's
scripts/kernel-doc: "/**", the name, all parameters, and "Return:" unless it is void. Each struct
has a comment, which describes no members that do not exist. Prints a line per fault.
"""
import glob
import os
import re
import sys

DECLARATION = re.compile(r'^((?:static inline |const |unsigned |struct |enum )*\w+[ *\n]+)(evtlog_\w+)\(([^;{]*)\)\s*[;{]', re.M)
STRUCT = re.compile(r'^struct (evtlog_\w+) \{\n(.*?)^\};', re.M | re.S)
COMMENT = re.compile(r'/\*(?:(?!\*/).)*\*/\n\Z', re.S)
# Headers that the kernel installs, too: with the syscall note, any program can include them.
KERNEL = {'abi.h', 'profile-abi.h', 'remote.h'}
LICENCES = {True: 'GPL-2.0 WITH Linux-syscall-note', False: 'LGPL-2.1-or-later'}


class Header:
    def __init__(self, path):
        self.name = os.path.basename(path)
        with open(path, encoding='utf-8') as file:
            self.text = file.read()
        self.faults = []

    def fault(self, text):
        self.faults.append(f'{self.name}: {text}')

    def comment(self, begin):
        """Returns the lines of the comment that ends where a declaration begins."""
        found = COMMENT.search(self.text[max(0, begin - 6000):begin])
        return [re.sub(r'^ \* ?', '', line) for line in found.group().split('\n')] if found else []

    def head(self, begin, name):
        lines = self.comment(begin)
        if not lines or lines[0] != '/**':
            self.fault(f'{name}: no kernel-doc comment')
            return None
        if not re.match(re.escape(name) + r' - \S', lines[1]):
            self.fault(f'{name}: its comment begins with "{lines[1]}"')
        return lines

    def check_functions(self):
        names = []
        for match in DECLARATION.finditer(self.text):
            kind, name, parameters = match.groups()
            if self.name == 'packed.h':    # layout of files, not part of the library's interface
                continue
            names.append(name)
            lines = self.head(match.start(), name + '()')
            if lines is None:
                continue
            told = [line.split(':')[0][1:] for line in lines if re.match(r'@\w+:', line)]
            has = [re.search(r'(\w+)$', each).group(1) for each in parameters.split(',') if each != 'void']
            if told != has:
                self.fault(f'{name}(): its comment tells of {told}, its parameters are {has}')
            returns = any(line.startswith('Return: ') for line in lines)
            if returns == (kind.strip() == 'void'):
                self.fault(f'{name}(): "Return:" is {"of void" if returns else "missing"}')
        return names

    def check_structs(self):
        for match in STRUCT.finditer(self.text):
            name, body = match.groups()
            lines = self.head(match.start(), f'struct {name}')
            members = set(re.findall(r'(\w+)(?:\[[^]]*\])*(?: : \d+)?;', body)) | \
                set(re.findall(r'\(\*(\w+)\)', body))
            for line in lines or []:
                if re.match(r'@[\w, @]+:', line):
                    for each in re.findall(r'@(\w+)', line.split(':')[0]):
                        if each not in members:
                            self.fault(f'struct {name}: has no member {each}')

    def check_frame(self):
        licence = LICENCES[self.name in KERNEL]
        if not self.text.startswith(f'/* SPDX-License-Identifier: {licence} */\n'):
            self.fault(f'its licence is not {licence}')
        guard = 'EVTLOG_' + self.name[:-2].upper().replace('-', '_') + '_H'
        if f'\n#ifndef {guard}\n#define {guard}\n' not in self.text or \
                not self.text.endswith(f'\n#endif /* {guard} */\n'):
            self.fault(f'no include guard {guard}')
        if DECLARATION.search(self.text) and self.name != 'packed.h' and 'extern "C" {' not in self.text:
            self.fault('declares functions without extern "C"')


def main():
    wanted, faults, declared = set(sys.argv[2:]), [], []
    for path in sorted(glob.glob(os.path.join(sys.argv[1], 'evtlog', '*.h'))):
        header = Header(path)
        header.check_frame()
        declared += header.check_functions()
        header.check_structs()
        faults += header.faults
    faults += [f'{name}(): in no header' for name in sorted(wanted - set(declared))]
    faults += [f'{name}(): declared twice' for name in sorted(set(declared)) if declared.count(name) > 1]
    print('\n'.join(faults), end='\n' if faults else '')
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main())
