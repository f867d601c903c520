// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A screen in memory (Xvfb).  Its pixels are read from Xvfb's file, which does not disturb the
 * program that draws.  No input is sent.
 */
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

/** Resolves to { display, colours(box), stop() }. */
async function startScreen(width = 1280, height = 800) {
	const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'evtlog-screen.'));
	const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`,
				     '-fbdir', directory, '-nolisten', 'tcp'],
			    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
	const ended = new Promise((resolve) => child.on('exit', resolve));
	const number = await new Promise((resolve, reject) => {
		let said = '';

		child.stdio[3].on('data', (data) => {
			said += data;
			if (said.endsWith('\n'))
				resolve(said.trim());
		});
		child.on('error', reject);
		ended.then(() => reject(new Error('Xvfb ended')));
	});
	const file = fs.openSync(path.join(directory, 'Xvfb_screen0'), 'r');
	const head = Buffer.alloc(100);

	// An X window dump: big-endian words; the size of the head, ... bytes per line, ... colours
	fs.readSync(file, head, 0, head.length, 0);
	const first = head.readUInt32BE(0) + 12 * head.readUInt32BE(76);
	const line = head.readUInt32BE(48);
	const pixels = Buffer.alloc(line * height);

	return {
		display: `:${number}`,
		/** Returns the pixels of now, four bytes each: blue, green, red, unused. */
		pixels() {
			fs.readSync(file, pixels, 0, pixels.length, first);
			return { pixels, line, width, height };
		},
		async stop() {
			child.kill('SIGTERM');
			await ended;
			fs.closeSync(file);
			fs.rmSync(directory, { recursive: true, force: true });
		},
	};
}

module.exports = { startScreen };
