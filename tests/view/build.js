// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paths and programs that the viewer's tests use.
 */
'use strict';

const { spawnSync } = require('child_process');
const fs = require('fs');
const { createRequire } = require('module');
const os = require('os');
const path = require('path');

const top = path.resolve(__dirname, '../..');
const build = path.resolve(top, process.env.BUILD || 'build');
const out = path.resolve(top, process.env.OUT || 'out', 'view');

// npm installs modules in $(BUILD), not in the directory of this file.
const load = createRequire(`${build}/tests/view/any.js`);

/** The directory of the tests' logs, see build.mk. */
function testLogs() {
	return `${build}/tests/view/logs`;
}

/** The paths of the logs in a directory of testLogs(). */
const logsIn = (name) => fs.readdirSync(`${testLogs()}/${name}`).filter((file) => file.endsWith('.evl'))
	.map((file) => `${testLogs()}/${name}/${file}`);

/** A new directory, which is removed when the test ends. */
function scratch() {
	const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'evtlog-view.'));

	process.on('exit', () => fs.rmSync(directory, { recursive: true, force: true }));
	return directory;
}

/** Returns the output of a program of this tree; evtlog's status 4 means a log with losses. */
function output(program, ...args) {
	const { error, status, stderr, stdout } = spawnSync(`${build}/${program}`, args, {
		cwd: top, encoding: 'utf8', maxBuffer: 1 << 30,
		stdio: ['ignore', 'pipe', 'pipe'],
	});

	if (error)
		throw error;
	if (status !== 0 && status !== 4)
		throw new Error(`${program} ${args.join(' ')}: exit ${status}: ${stderr}`);
	return stdout;
}

module.exports = { build, load, logsIn, out, output, scratch, testLogs, top };
