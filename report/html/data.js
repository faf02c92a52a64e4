// SPDX-License-Identifier: GPL-2.0-or-later
// The page's data: trees of calls, and what of them a filter leaves.
"use strict";
const DATA = JSON.parse(document.getElementById("data").textContent);

// The tree of calls as it was recorded. Nodes come after their parents; 0 is above all roots.
function plainTree() {
	const fn = DATA.functions;
	return {
		parent: DATA.nodes.parent,
		count: DATA.nodes.parent.length,
		key: DATA.nodes.function,
		nodeOf: null,
		name: (n) => fn.name[DATA.nodes.function[n]],
		module: (n) => DATA.modules[fn.module[DATA.nodes.function[n]]],
		kind: (n) => fn.kind[DATA.nodes.function[n]],
	};
}

// Compilers add these to names of parts and copies of a function; they differ between builds.
const SUFFIX = /(\.(cold|part|constprop|isra|lto_priv|llvm|clone)(\.\d+)*)+$/;

// The same tree with functions joined by name, so that two builds of a program can be compared. What has no
// name is joined by the file's build ID and the place in it.
function joinedTree(plain) {
	const fn = DATA.functions, ids = new Map(), first = [];
	const joined = fn.name.map((name, i) => {
		const key = fn.build[i] ? fn.build[i] + " " + name : name.replace(SUFFIX, "");
		if (!ids.has(key)) {
			ids.set(key, first.length);
			first.push(i);
		}
		return ids.get(key);
	});
	const parent = [0], key = [0], nodeOf = new Uint32Array(plain.count), index = new Map();
	for (let n = 1; n < plain.count; n++) {
		const above = nodeOf[plain.parent[n]], mine = joined[plain.key[n]];
		const id = above * first.length + mine;
		let node = index.get(id);
		if (node === undefined) {
			node = parent.length;
			index.set(id, node);
			parent.push(above);
			key.push(mine);
		}
		nodeOf[n] = node;
	}
	const names = first.map((i) => (fn.build[i] ? fn.name[i] : fn.name[i].replace(SUFFIX, "")));
	return {
		parent, count: parent.length, key, nodeOf,
		name: (n) => names[key[n]],
		module: (n) => DATA.modules[fn.module[first[key[n]]]],
		kind: (n) => fn.kind[first[key[n]]],
	};
}

// Children of each node: those of n are list[start[n]] to list[start[n + 1] - 1].
function childrenOf(tree) {
	const start = new Uint32Array(tree.count + 2), list = new Uint32Array(tree.count);
	for (let n = 1; n < tree.count; n++)
		start[tree.parent[n] + 2]++;
	for (let n = 2; n < start.length; n++)
		start[n] += start[n - 1];
	for (let n = 1; n < tree.count; n++)
		list[start[tree.parent[n] + 1]++] = n;
	return { start, list };
}

function threadAllowed(filter) {
	return DATA.threads.map((t) => t &&
		(filter.thread ? DATA.threads[filter.thread] === t : !filter.process || t[2] === filter.process) &&
		(filter.trace === undefined || DATA.processes[t[2]][2] === filter.trace));
}

// Values of a profile's rows under a filter; range is [first, last] slices, or null.
function rowValues(profile, filter, range) {
	const { thread, value } = profile.rows, allowed = threadAllowed(filter);
	const out = new Float64Array(value.length);
	if (range) {
		const s = profile.slices;
		for (let i = 0; i < s.slice.length; i++)
			if (s.slice[i] >= range[0] && s.slice[i] <= range[1])
				out[s.row[i]] += s.value[i];
		for (let i = 0; i < out.length; i++)
			if (!allowed[thread[i]])
				out[i] = 0;
	} else {
		for (let i = 0; i < out.length; i++)
			if (allowed[thread[i]])
				out[i] = value[i];
	}
	return out;
}

// Self and total of each node; total[0] is everything.
function nodeValues(tree, profile, values, scale) {
	const self = new Float64Array(tree.count), node = profile.rows.node;
	for (let i = 0; i < values.length; i++)
		if (values[i])
			self[tree.nodeOf ? tree.nodeOf[node[i]] : node[i]] += values[i] * (scale || 1);
	const total = Float64Array.from(self);
	for (let n = tree.count - 1; n > 0; n--)
		total[tree.parent[n]] += total[n];
	return { self, total };
}

// Self and total of each function (by tree.key); recursion counts once in the total.
function functionValues(tree, children, values) {
	const sums = new Map(), active = new Map(), stack = [0], leave = [];
	const get = (n) => {
		let sum = sums.get(tree.key[n]);
		if (!sum)
			sums.set(tree.key[n], sum = { node: n, self: 0, total: 0 });
		return sum;
	};
	while (stack.length) {
		const n = stack.pop();
		if (n < 0) {
			active.set(tree.key[-n], active.get(tree.key[-n]) - 1);
			continue;
		}
		if (n) {
			const depth = active.get(tree.key[n]) || 0, sum = get(n);
			sum.self += values.self[n];
			if (!depth)
				sum.total += values.total[n];
			active.set(tree.key[n], depth + 1);
			stack.push(-n);
		}
		for (let i = children.start[n]; i < children.start[n + 1]; i++)
			if (values.total[children.list[i]])
				stack.push(children.list[i]);
	}
	return sums;
}

// --- numbers as people read them ---

function digits(number, unit) {
	return (number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2)) + " " + unit;
}

function duration(ns) {
	const size = Math.abs(ns);
	if (size >= 60e9)
		return (ns < 0 ? "-" : "") + Math.floor(size / 60e9) + " m " + String(Math.floor(size / 1e9) % 60).padStart(2, "0") + " s";
	for (const [unit, length] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
		if (size >= 0.9995 * length)
			return (ns < 0 ? "-" : "") + digits(size / length, unit);
	return Math.round(ns) + " ns";
}

function amount(profile, value) {
	return profile.unit === "ns" ? duration(value) : Math.round(value) + (value === 1 ? " sample" : " samples");
}

function percent(value, total) {
	return (total ? (100 * value) / total : 0).toFixed(1) + " %";
}
