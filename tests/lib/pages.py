#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the manual pages of libevtlog with its headers.

Usage: pages.py INCLUDE MAN [EXAMPLES]

Each public function is in NAME of one page of MAN/*.3, in its SYNOPSIS with the header's prototype,
and in its DESCRIPTION; the errors in the header are in ERRORS. Another name in NAME, such as
evtlog_tasks, is the beginning of functions on the page. Each public struct and enum is shown
on one page, with the members of the header; pages only name structs of formats, which no function
takes. Constants on a page are in the headers. evtlog_event(3) has each type of record with a pid in
its first word. Prints a line per fault. The literal EXAMPLES of each page go to the folder
EXAMPLES, as functions to be compiled.
"""
import glob
import os
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
DECLARATION = re.compile(r'^((?:static inline |const |unsigned |struct |enum )*\w+[ *\n]+)(evtlog_\w+)\(([^;{]*)\)\s*[;{]', re.M)
DOCUMENTED = re.compile(r'/\*\*\n \* (evtlog_\w+)\(\) - (.*?)\*/', re.S)
# The form in headers and pages
TYPE = re.compile(r'^((?:struct|enum) evtlog_\w+) \{\n(.*?)^\};', re.M | re.S)
PID_TYPE = re.compile(r'X\(\d+, (\w+), \w+, \d+,\s*"(\w+):0:38:22:p')
# Structs of the kernel, files and messages, which no function takes: pages name them.
FORMATS = ('abi.h', 'file.h', 'packed.h', 'remote.h', 'profile-abi.h')
SECTIONS = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'RETURN VALUES', 'THREAD SAFETY', 'EXAMPLES',
            'ERRORS', 'SEE ALSO']
# Parameters of the functions that examples become; a declaration in the example replaces them
VARIABLES = ('const char *path', 'struct evtlog_file *file', 'struct evtlog_error why', 'int error',
             'uint64_t from_ns', 'uint64_t edges[5]', 'size_t count', 'struct evtlog_bin bins[4]',
             'struct evtlog_stream *stream', 'struct evtlog_cpu_clocks *clocks',
             'struct evtlog_merged *merged', 'struct evtlog_index *index',
             'const struct evtlog_index_cpu *cpu', 'struct evtlog_samples *samples',
             'const struct evtlog_samples_thread *thread', 'struct evtlog_jitter *jitter',
             'const struct evtlog_jitter_source *source', 'const struct evtlog_damage *damage',
             'int steps')


def blanks(text):
    return re.sub(r'\s+', ' ', text).replace('* ', '*').strip()


class Headers:
    def __init__(self, include):
        self.functions, self.errors, self.types = {}, {}, {}
        self.constants, self.pids, self.formats = set(), {}, set()
        for path in sorted(glob.glob(os.path.join(include, 'evtlog', '*.h'))):
            with open(path, encoding='utf-8') as file:
                text = file.read()
            self.constants.update(re.findall(r'\bEVTLOG_\w+', COMMENT.sub('', text)))
            self.constants.update('EVTLOG_' + name for name in re.findall(r'\bX\(\d+, (\w+),', text))
            self.pids.update(('EVTLOG_' + name, field) for name, field in PID_TYPE.findall(text.replace('\\\n', '')))
            for name, body in TYPE.findall(COMMENT.sub('', text)):
                self.types[name] = members(name, body)
                if path.endswith(FORMATS):
                    self.formats.add(name)
            if path.endswith('packed.h'):
                continue
            for name, comment in DOCUMENTED.findall(text):
                returns = comment.partition('Return:')[2]
                self.errors[name] = set(re.findall(r'-(E[A-Z]+)', returns))
                same = re.search(r'as (evtlog_\w+)\(\)', returns)
                if same and not self.errors[name]:
                    self.errors[name] = self.errors.get(same.group(1), set())
            text = COMMENT.sub('', text)
            for kind, name, parameters in DECLARATION.findall(text):
                self.functions[name] = (blanks(kind), [blanks(each) for each in parameters.split(',')],
                                        'evtlog/' + os.path.basename(path))


def members(name, text):
    end = ';' if name.startswith('struct') else ','
    return [blanks(each) for each in COMMENT.sub('', text).split(end) if each.strip()]


class Page:
    def __init__(self, path, headers):
        self.path, self.headers, self.faults = os.path.basename(path), headers, []
        with open(path, encoding='utf-8') as file:
            self.text = file.read()
        parts = re.split(r'^\.Sh (.*)\n', self.text, flags=re.M)
        self.names, self.sections = parts[1::2], dict(zip(parts[1::2], parts[2::2]))

    def fault(self, text):
        self.faults.append(f'{self.path}: {text}')

    def functions(self):
        return [name for name in re.findall(r'^\.Nm (\w+)', self.sections.get('NAME', ''), re.M)
                if name.startswith('evtlog_')]

    def prototypes(self):
        """Yields name, kind and parameters from SYNOPSIS."""
        synopsis = self.sections.get('SYNOPSIS', '')
        for kind, rest in re.findall(r'^\.Ft (.*)\n((?:\.F[noac].*\n?)*)', synopsis, re.M):
            name = re.search(r'^\.F[on] (\w+)', rest).group(1)
            parameters = re.findall(r'^\.Fa "?(.*?)"?$', rest, re.M) or ['void']
            yield name, kind.strip('"'), parameters

    def check(self):
        for name in SECTIONS:
            if name not in self.names:
                self.fault(f'no section {name}')
        title = re.search(r'^\.Dt (\S+) 3$', self.text, re.M)
        if not title or title.group(1).lower() + '.3' != self.path:
            self.fault('.Dt has another name than the file')
        shown = {}
        for name, kind, parameters in self.prototypes():
            shown[name] = True
            known = self.headers.functions.get(name)
            if not known:
                self.fault(f'{name}() is in no header')
            elif (kind, parameters) != known[:2]:
                self.fault(f'{name}(): {kind} {parameters}, the header has {known[0]} {known[1]}')
            elif f'.In {known[2]}\n' not in self.text and self.path != 'libevtlog.3':
                self.fault(f'{name}() is in {known[2]}')
        listed = [name for name in self.functions()
                  if name in shown or not any(each.startswith(name + '_') for each in shown)]
        if set(listed) != set(shown):
            self.fault(f'NAME and SYNOPSIS differ: {sorted(set(listed) ^ set(shown))}')
        # Functions that also return the errors of evtlog_open(3)
        opening = re.findall(r'\.Fn (\w+)', ''.join(
            part for part in re.split(r'^\.(?:Pp|El)$', self.sections['ERRORS'], flags=re.M)
            if '.Xr evtlog_open 3' in part))
        for name in listed:
            if not re.search(rf'^\.(Fn|It Fn) {name}\b', self.sections.get('DESCRIPTION', ''), re.M):
                self.fault(f'DESCRIPTION does not tell of {name}()')
            for error in self.headers.errors.get(name, ()):
                if not re.search(rf'\bEr {error}\b', self.text) and name not in opening:
                    self.fault(f'ERRORS lacks {error} of {name}()')
        for name, body in TYPE.findall(self.text):
            known = self.headers.types.get(name)
            if members(name, body) != known:
                wrong = sorted(set(members(name, body)) ^ set(known or []))
                self.fault(f'{name} has other members than in the header: {", ".join(wrong) or "their order"}')
        for name in re.findall(r'^\.(?:It )?Dv (EVTLOG_[A-Z]\w+)', self.text, re.M):
            if name not in self.headers.constants:
                self.fault(f'{name} is in no header')
        if 'evtlog_record_pid' in listed:
            self.check_pids()
        return listed

    def check_pids(self):
        shown = dict(re.findall(r'^\.It Dv (EVTLOG_\w+)\n\.Va (\w+) :\n', self.text, re.M))
        for name in sorted(shown.keys() | self.headers.pids.keys()):
            if shown.get(name) != self.headers.pids.get(name):
                self.fault(f'{name}: the pid is {shown.get(name)}, the header has {self.headers.pids.get(name)}')

    def types(self):
        """Returns the structs and enums on the page, and structs of formats that the page names."""
        named = ' '.join(re.findall(r'^\.Vt (.*)', self.text, re.M))
        return [name for name, _ in TYPE.findall(self.text)] + \
               [name for name in self.headers.formats
                if re.search(rf'\b{name}\b', named) and self.path == 'libevtlog.3']

    def examples(self, folder):
        blocks = re.findall(r'^\.Bd -literal[^\n]*\n(.*?)^\.Ed', self.sections.get('EXAMPLES', ''), re.M | re.S)
        for number, block in enumerate(blocks):
            event = 'evtlog_merged_event' if 'evtlog_merged_next' in block else 'evtlog_event'
            declared = re.sub(r'\([^()]*\)', '', ' '.join(
                re.findall(r'^(?:const |struct |unsigned |u?int|size_t ).*?;', block, re.M | re.S)))
            variables = [each for each in VARIABLES + (f'const struct {event} *event',)
                         if not re.search(rf'\b{re.findall("[a-z_]+", each)[-1]}\b', declared)]
            code = block.replace('\\en', '\\n')
            with open(os.path.join(folder, f'{self.path[:-2]}-{number}.c'), 'w', encoding='utf-8') as file:
                file.write('#include <err.h>\n#include <stdio.h>\n#include <string.h>\n'
                           '#include <evtlog/evtlog.h>\n#include <evtlog/index.h>\n#include <evtlog/jitter.h>\n'
                           '#include <evtlog/profile.h>\n#include <evtlog/profiles.h>\n#include <evtlog/region.h>\n'
                           f'int example({", ".join(variables)});\n'
                           f'int example({", ".join(variables)})\n{{\n{code}return 0;\n}}\n')


def main():
    headers, faults, told = Headers(sys.argv[1]), [], {}
    for path in sorted(glob.glob(os.path.join(sys.argv[2], '*.3'))):
        page = Page(path, headers)
        for name in page.check() + page.types():
            told.setdefault(name, []).append(page.path)
        faults += page.faults
        if len(sys.argv) > 3:
            page.examples(sys.argv[3])
    for name in sorted(headers.functions):
        if len(told.get(name, [])) != 1:
            faults.append(f'{name}(): pages {told.get(name, [])}, not one')
    for name in sorted(headers.types):
        if len(told.get(name, [])) != 1:
            faults.append(f'{name}: pages {told.get(name, [])}, not one')
    print('\n'.join(faults), end='\n' if faults else '')
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main())
