// SPDX-License-Identifier: GPL-2.0-or-later
// Code that is compiled while it runs, calls into C++ and back, and timers, until it is told to stop.
const crypto = require('crypto');

function hotLoop(n) {
	let s = 0;
	for (let i = 0; i < n; i++)
		s += Math.sqrt(i) * i % 7;
	return s;
}

function outerLoop() {
	return hotLoop(200000) + [3, 1, 2].sort((a, b) => a - b).length +
		JSON.parse(JSON.stringify({a: [1, 2, 3]})).a[0] +
		crypto.createHash('sha256').update('x'.repeat(10000)).digest().length;
}

function tick() {
	for (let i = 0; i < 20; i++)
		outerLoop();
	setTimeout(tick, 1);
}

tick();
