// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts `evtlog view` as a user does, and ends it.
 */
'use strict';

const { spawn } = require('child_process');
const { build, top } = require('./build');

const START_MS = 60000;
const STOP_MS = 10000;

/** Resolves to { url, origin, token, said(), stop() } when the viewer has printed its URL. */
function startServer(files, options = []) {
	const program = process.env.EVTLOG_VIEWER || `${build}/tools/evtlog`;
	const child = spawn(program, ['view', ...options, ...files],
			    { cwd: top, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	let ended;
	// If a claim failed, the viewer is ended with the test.
	const leave = () => child.kill('SIGTERM');
	const end = new Promise((resolve) => child.on('exit', (status, signal) => {
		ended = signal || `exit ${status}`;
		process.off('exit', leave);
		resolve(ended);
	}));

	process.on('exit', leave);

	async function stop() {
		if (!ended)
			child.kill('SIGTERM');
		const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);

		await end;
		clearTimeout(late);
		if (ended !== 'exit 0' && ended !== 'SIGTERM' && ended !== 'exit 4')
			throw new Error(`evtlog view: ${ended}: ${said}`);
	}

	return new Promise((resolve, reject) => {
		const late = setTimeout(() => {
			child.kill('SIGKILL');
			reject(new Error(`evtlog view: no URL within ${START_MS} ms: ${said}`));
		}, START_MS);

		function look(data) {
			said += data;
			const match = /(https?:\/\/[^\s/]+\/)#token=([^\s&;]+)\S*/.exec(said);

			if (!match)
				return;
			clearTimeout(late);
			for (const handle of [child, child.stdout, child.stderr])
				handle.unref();
			resolve({ url: match[0], origin: new URL(match[1]).origin,
				  token: match[2], pid: child.pid, said: () => said, stop });
		}

		child.stdout.on('data', look);
		child.stderr.on('data', look);
		child.on('error', reject);
		end.then((how) => {
			clearTimeout(late);
			reject(new Error(`evtlog view: ${how}: ${said}`));
		});
	});
}

module.exports = { startServer };
