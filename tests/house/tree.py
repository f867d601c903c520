#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The rules of the tree: reads includes of C and imports of the page, and says what breaks them.

Usage: tree.py TOP ORDER

ORDER has a folder a line, lower ones first: a folder may include its own headers and those of
folders in lines above it, and nothing else.  Prints a line per fault; exit status 1 if any.
"""
import os
import re
import sys

# Comments and continued lines are taken away before
INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*([<"])([^>"]+)[>"]', re.M)
NAMELESS = re.compile(r'^\s*#\s*include\s+[A-Za-z_]', re.M)
COMMENT = re.compile(r'/\*.*?\*/', re.S)
IMPORT = re.compile(r'''(?:from|import)\s*\(?\s*['"`](\.{1,2}/[^'"`]+)['"`]''')
MOST = 40		# files in one folder, beside tests
ROOTS = ('tools', 'logd')
# What logd may have of the tools: what it shares with the commands, and the codec
LOGD = {'logd', 'tools/common', 'tools/control', 'tools/lib/base', 'tools/lib/codec', 'tools/logfile'}


def tree(top):
    """Files below the roots, as paths from the top; what is made is not among them."""
    for root in ROOTS + ('include', 'kernel-patches', 'tests'):
        for folder, folders, names in os.walk(os.path.join(top, root)):
            folders[:] = [name for name in folders if name not in ('node_modules', '__pycache__')
                          and (name != 'corpus' or root != 'tests')]
            for name in names:
                yield os.path.relpath(os.path.join(folder, name), top)


class House:
    def __init__(self, top, order):
        self.top = top
        self.files = sorted(tree(top))
        self.known = set(self.files)
        with open(order, encoding='utf-8') as lines:
            self.order = [line.strip() for line in lines
                          if line.strip() and not line.startswith('#')]
        self.faults = []
        # Files that a build.mk makes
        self.made = {os.path.basename(word) for path in self.files if path.endswith('build.mk')
                     for word in re.findall(r'[\w./$()-]+\.(?:h|inc)\b', self.text(path))}

    def text(self, path):
        with open(os.path.join(self.top, path), encoding='utf-8', errors='replace') as file:
            return file.read()

    def fault(self, path, text):
        self.faults.append(f'{path}: {text}')

    def candidates(self, path, name):
        """Where the compiler would look: beside the file, then in tools and in include."""
        folders = [os.path.dirname(path), 'tools', 'include']
        if path.startswith('logd/'):
            folders.append('.')
        found = [os.path.normpath(os.path.join(folder, name)) for folder in folders]
        return [each for each in dict.fromkeys(found) if each in self.known]

    def includes(self):
        """Pairs of files: (who, what) among tools, logd and the public headers."""
        for path in self.files:
            if not path.startswith(ROOTS + ('include/',)):
                continue
            if not path.endswith(('.c', '.h', '.S')):
                unread = '.mjs' if path.startswith('tools/view/page/') else '.inc'
                if path.endswith((unread, '.cc', '.cpp', '.hpp', '.cjs')):
                    self.fault(path, 'nobody reads the includes of such a file')
                continue
            text = COMMENT.sub(' ', self.text(path).replace('\\\n', ' '))
            if NAMELESS.search(text):
                self.fault(path, 'includes what a macro names')
            for mark, name in INCLUDE.findall(text):
                if '..' in name.split('/'):
                    self.fault(path, f'"{name}" climbs: name the folder from tools/ on')
                found = self.candidates(path, name)
                if len(found) > 1:
                    self.fault(path, f'"{name}" may be {" or ".join(found)}')
                if found and path.startswith('include/'):
                    if not found[0].startswith('include/'):
                        self.fault(path, f'a public header includes {found[0]}')
                elif found:
                    # All may include the public headers.
                    if not found[0].startswith('include/'):
                        yield path, found[0]
                elif mark == '"' and name not in self.made:
                    self.fault(path, f'"{name}" is nowhere')

    def imports(self):
        for path in self.files:
            if not path.startswith('tools/view/page/') or not path.endswith('.js'):
                continue
            for name in IMPORT.findall(self.text(path)):
                yield path, os.path.normpath(os.path.join(os.path.dirname(path), name))

    def check_pairs(self, pairs):
        edges = {}
        for path, target in pairs:
            folder, other = os.path.dirname(path), os.path.dirname(target)
            if folder == other:
                continue
            edges.setdefault(folder, {}).setdefault(other, (path, target))
            for each in (folder, other):
                if each not in self.order:
                    self.fault(path, f'{each} is not in the order of folders')
                    break
            else:
                if self.order.index(other) > self.order.index(folder):
                    self.fault(path, f'includes {target}, and {other} is above {folder}')
            if folder == 'logd' and other not in LOGD:
                self.fault(path, f'logd includes {target}')
        self.check_cycles(edges)

    def check_cycles(self, edges):
        """Folders that include each other, over however many others."""
        done, way = set(), []

        def visit(folder):
            if folder in way:
                cycle = way[way.index(folder):] + [folder]
                self.fault(' -> '.join(cycle), 'a cycle: ' + ', '.join(
                    f'{edges[a][b][0]} includes {edges[a][b][1]}'
                    for a, b in zip(cycle, cycle[1:])))
                return
            if folder in done:
                return
            way.append(folder)
            for other in edges.get(folder, {}):
                visit(other)
            way.pop()
            done.add(folder)

        for folder in list(edges):
            visit(folder)

    def check_sizes(self):
        counts, parents = {}, set()
        for path in self.files:
            folder = os.path.dirname(path)
            counts[folder] = counts.get(folder, 0) + (not path.endswith('.test'))
            while folder:
                folder = os.path.dirname(folder)
                parents.add(folder)
        for folder, count in counts.items():
            if count > MOST and (folder not in parents or folder.startswith(ROOTS)):
                self.fault(folder, f'{count} files, at most {MOST}: it needs folders')

    def check_roof(self):
        for path in self.files:
            if os.path.dirname(path) != 'tools/evtlog':
                continue
            name = os.path.basename(path)
            if name != 'main.c' and not re.fullmatch(r'cmd-[a-z-]+\.c', name):
                self.fault(path, 'only main.c and cmd-*.c are in tools/evtlog')

    def check_order(self):
        folders = {os.path.dirname(path) for path in self.files}
        for each in self.order:
            if each not in folders:
                self.fault(each, 'it is in the order of folders and is no folder')


def main():
    house = House(*sys.argv[1:3])
    house.check_pairs(house.includes())
    house.check_pairs(house.imports())
    house.check_sizes()
    house.check_roof()
    house.check_order()
    for fault in dict.fromkeys(house.faults):
        print(fault)
    return bool(house.faults)


if __name__ == '__main__':
    sys.exit(main())
