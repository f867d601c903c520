// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the time from KernelShark's start until it shows a trace.
 *
 * It is usable when the coloured bars of its CPU graphs are drawn and its progress bar is gone: the
 * window's upper half has coloured pixels, which do not change any more.  The screen is read every
 * 10 ms; the time is that of the first of the unchanged readings.
 *
 * As root, KernelShark asks for confirmation: it runs as another user, on a copy of the trace.
 */
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { PNG } = require('./build').load('pngjs');
const { startScreen } = require('./screen');

const NOBODY = 65534;
const LIMIT_MS = 300000;
const STEADY_MS = 3000;

/* The place of the progress bar, "Loading", on a screen without a window manager */
const BAR = { left: 8, right: 320, top: 45, bottom: 64 };

/** Coloured pixels in the upper half, those in the progress bar, and a sum of all */
function graphs({ pixels, line, width, height }) {
	let coloured = 0;
	let bar = 0;
	let sum = 0;

	for (let y = 0; y < height / 2; y++) {
		for (let x = 0; x < width; x++) {
			const i = y * line + 4 * x;
			const b = pixels[i];
			const g = pixels[i + 1];
			const r = pixels[i + 2];

			if (Math.max(r, g, b) - Math.min(r, g, b) < 60)
				continue;
			coloured++;
			bar += x >= BAR.left && x < BAR.right && y >= BAR.top && y < BAR.bottom ? 1 : 0;
			sum = (Math.imul(sum, 31) + (r << 16 | g << 8 | b) + i) >>> 0;
		}
	}
	return { coloured, bar, sum };
}

function save({ pixels, line, width, height }, file) {
	const png = new PNG({ width, height });

	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			const i = y * line + 4 * x;

			png.data.set([pixels[i + 2], pixels[i + 1], pixels[i], 255],
				     4 * (y * width + x));
		}
	}
	fs.writeFileSync(file, PNG.sync.write(png));
}

/** Returns the time in ms; saves the screen's last picture in @picture. */
async function timeKernelShark(trace, picture) {
	const screen = await startScreen();
	const home = fs.mkdtempSync(path.join(os.tmpdir(), 'evtlog-kernelshark.'));
	const copy = path.join(home, 'trace.dat');
	const user = process.getuid() ? {} : { uid: NOBODY, gid: NOBODY };

	fs.copyFileSync(trace, copy);
	fs.chmodSync(copy, 0o644);
	if (user.uid)
		fs.chownSync(home, user.uid, user.gid);
	const start = process.hrtime.bigint();
	const child = spawn('kernelshark', ['-i', copy], {
		...user,
		env: { ...process.env, DISPLAY: screen.display, HOME: home, QT_QPA_PLATFORM: 'xcb',
		       XDG_RUNTIME_DIR: home, LIBGL_ALWAYS_SOFTWARE: '1' },
		stdio: 'ignore',
	});
	let ended = false;
	const end = new Promise((resolve) => child.on('exit', () => {
		ended = true;
		resolve();
	}));
	const history = [];
	let last = { coloured: 0, bar: 0, sum: 0 };
	let since = 0;
	let usable;

	for (;;) {
		const now = Number(process.hrtime.bigint() - start) / 1e6;
		const seen = graphs(screen.pixels());

		if (seen.sum !== last.sum) {
			history.push(`${Math.round(now)} ms: ${seen.coloured} ${seen.bar}`);
			last = seen;
			since = now;
		}
		if (last.coloured - last.bar > 2000 && !last.bar && now - since > STEADY_MS) {
			usable = since;
			break;
		}
		if (ended || now > LIMIT_MS)
			break;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	save(screen.pixels(), picture);
	if (process.env.VERBOSE)
		console.error(history.join('\n'));
	if (!ended)
		child.kill('SIGKILL');
	await end;
	await screen.stop();
	fs.rmSync(home, { recursive: true, force: true });
	if (usable === undefined)
		throw new Error(`kernelshark: ${trace}: shows nothing; see ${picture}`);
	return usable;
}

module.exports = { timeKernelShark };
