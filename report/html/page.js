// SPDX-License-Identifier: GPL-2.0-or-later
// The page: what stands above the graphs, and what happens when something is chosen. Text from the traces
// only ever becomes text, never markup.
"use strict";

const byId = (id) => document.getElementById(id);

function make(tag, attributes, ...content) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		element.setAttribute(name, value);
	element.append(...content);
	return element;
}

// --- the head ---

function showHead() {
	const names = DATA.traces.map((t) => t.file);
	byId("title").textContent = names.length === 2 ? names.join(" → ") : names.join(", ");
	document.title = names.join(", ") + " – pa-report";
	byId("subtitle").textContent = DATA.traces.map((t) => (t.host ? t.host + ", " : "") + t.start + ", " + duration(t.duration_ns)).join("; ");
}

function verdictRow(v) {
	const cell = make("td", { class: "bounds" }, v.judgement === "unknown" ? v.reason || "" : v.bounds);
	const more = [v.meaning, v.note, v.judgement === "unknown" ? "" : v.reason,
		v.evidence && v.evidence.length ? v.evidence_name + ": " + v.evidence.join(", ") : ""];
	for (const line of more)
		if (line)
			cell.append(make("span", { class: "more" }, line));
	return make("tr", {}, make("td", {}, make("span", { class: "badge " + v.judgement }, v.judgement)),
		make("td", {}, v.title), make("td", { class: "value" }, v.value), cell);
}

function lineTable(lines) {
	const table = make("table");
	let text = null;
	for (const [label, line] of lines) {
		const heading = !label && /^[A-Z ]+$/.test(line);
		if (heading)
			continue;
		if (label || !text) {
			text = make("td", {}, line);
			table.append(make("tr", {}, make("td", { class: "label" }, label), text));
		} else {
			let more = text.querySelector("pre");
			if (!more)
				text.append(more = make("pre"));
			more.append((more.textContent ? "\n" : "") + line.replace(/^ {6}/, ""));
		}
	}
	return table;
}

function showFacts() {
	const verdicts = make("table", { id: "verdicts" });
	verdicts.append(...DATA.verdicts.map(verdictRow));
	const recording = make("details", {}, make("summary", {}, "The recording"), lineTable(DATA.head));
	byId("facts").append(make("div", {}, make("h2", {}, DATA.traces.length > 1 ? "Verdicts, of all traces together" : "Verdicts"), verdicts),
		make("div", { id: "coverage" }, make("h2", {}, "Coverage"), lineTable(DATA.coverage), recording));
}

// --- what is chosen ---

const TITLES = { oncpu: "On CPU", offcpu: "Off CPU" };
const PLAIN = plainTree();
const PLAIN_CHILDREN = childrenOf(PLAIN);
let joined = null;

function views() {
	const list = DATA.profiles.map((profile) => ({ id: profile.id, title: TITLES[profile.id], profile }));
	if (DATA.traces.length === 2)
		for (const profile of DATA.profiles)
			list.push({ id: "diff-" + profile.id, title: "Difference, " + TITLES[profile.id].replace("O", "o"), profile, diff: true });
	return list;
}

const VIEWS = views();
const state = { view: VIEWS[0], process: 0, thread: 0, shown: null };
const flame = new Flame(byId("flame"), byId("flamescroll"), byId("flamespace"), tell);
const timeline = new Timeline(byId("timeline"), () => refresh());

function chooseView(view) {
	state.view = view;
	for (const button of byId("views").children) {
		const chosen = button.dataset.view === view.id;
		button.setAttribute("aria-selected", chosen);
		button.tabIndex = chosen ? 0 : -1;
	}
	flame.matches = null;
	fillTasks();
	showLegend();
	refresh();
}

function showViews() {
	VIEWS.forEach((view, i) => {
		const button = make("button", { type: "button", role: "tab", "data-view": view.id, title: String(i + 1) }, view.title);
		button.addEventListener("click", () => chooseView(view));
		button.addEventListener("keydown", (e) => {
			const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? VIEWS.length - 1 : 0;
			if (step) {
				const next = (i + step) % VIEWS.length;
				chooseView(VIEWS[next]);
				byId("views").children[next].focus();
			}
		});
		byId("views").append(button);
	});
}

// Processes and threads of this profile, those with most of it first.
function fillTasks() {
	const profile = state.view.profile, byThread = new Map(), byProcess = new Map();
	profile.rows.thread.forEach((thread, i) => {
		const process = DATA.threads[thread][2], value = profile.rows.value[i];
		byThread.set(thread, (byThread.get(thread) || 0) + value);
		byProcess.set(process, (byProcess.get(process) || 0) + value);
	});
	const fill = (select, sums, all, label, chosen) => {
		const rows = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 2000);
		select.replaceChildren(new Option(all, 0), ...rows.map(([id, value]) =>
			new Option(label(id) + " – " + percent(value, profile.total), id)));
		select.value = sums.has(chosen) ? chosen : 0;
		return Number(select.value);
	};
	const trace = (process) => (DATA.traces.length > 1 ? " #" + (DATA.processes[process][2] + 1) : "");
	state.process = fill(byId("process"), byProcess, "all processes",
		(id) => DATA.processes[id][1] + "/" + DATA.processes[id][0] + trace(id), state.process);
	for (const thread of byThread.keys())
		if (state.process && DATA.threads[thread][2] !== state.process)
			byThread.delete(thread);
	state.thread = fill(byId("thread"), byThread, "all threads",
		(id) => DATA.threads[id][1] + "/" + DATA.threads[id][0] + trace(DATA.threads[id][2]), state.thread);
}

function showLegend() {
	const entries = state.view.diff ?
		[["less", "less than before"], ["same", "the same"], ["more", "more than before"]] :
		[["program", "program"], ["library", "library"], ["kernel", "kernel"], ["jit", "JIT"], ["none", "no name"]];
	byId("legend").replaceChildren(...entries.map(([kind, text]) => make("span", {}, make("i", { class: kind }), text)));
}

// Works out what the choices leave, and shows it.
function refresh() {
	const { view } = state, filter = { process: state.process, thread: state.thread };
	byId("time").hidden = !!view.diff;
	if (!view.diff) {
		timeline.show(view.profile, filter);
		byId("range").textContent = timeline.words();
		const values = nodeValues(PLAIN, view.profile, rowValues(view.profile, filter, timeline.range));
		state.shown = { tree: PLAIN, children: PLAIN_CHILDREN, values, before: null };
	} else {
		if (!joined) {
			joined = joinedTree(PLAIN);
			joined.children = childrenOf(joined);
		}
		// Per second of its recording, so that lengths don't matter.
		const of = (trace) => nodeValues(joined, view.profile, rowValues(view.profile, { ...filter, trace }, null),
			1e9 / Math.max(DATA.traces[trace].duration_ns, 1));
		state.shown = { tree: joined, children: joined.children, values: of(1), before: of(0) };
	}
	const s = state.shown;
	flame.show(s.tree, s.children, s.values, s.before);
	byId("graphtitle").textContent = "Flame graph: " + view.title[0].toLowerCase() + view.title.slice(1) + ", " +
		(s.before ? value(s.before.total[0]) + " → " + value(s.values.total[0]) : value(s.values.total[0]));
	search();
	tell(flame.selected);
}

function value(number) {
	return amount(state.view.profile, number) + (state.view.diff ? "/s" : "");
}

function tell(node) {
	const s = state.shown, line = byId("details");
	if (!s)
		return;
	const parts = [make("b", {}, node ? s.tree.name(node) : "all")];
	if (node && s.tree.module(node))
		parts.push(" in " + s.tree.module(node));
	if (s.before) {
		const before = s.before.total[node], after = s.values.total[node];
		parts.push(": " + value(before) + " → " + value(after) + ", " +
			(before ? (after >= before ? "+" : "−") + percent(Math.abs(after - before), before) : "new"));
	} else {
		parts.push(": total " + value(s.values.total[node]) + ", " + percent(s.values.total[node], s.values.total[0]) +
			"; self " + value(s.values.self[node]) + ", " + percent(s.values.self[node], s.values.total[0]));
	}
	line.replaceChildren(...parts);
}

// --- search, and the table of functions ---

function pattern(text) {
	const regular = text.match(/^\/(.+?)\/?$/);
	if (regular)
		try {
			const expression = new RegExp(regular[1], "i");
			return (name) => expression.test(name);
		} catch {
			return null;
		}
	const wanted = text.toLowerCase();
	return (name) => name.toLowerCase().includes(wanted);
}

function search() {
	const text = byId("search").value, s = state.shown, test = text ? pattern(text) : null;
	const invalid = text !== "" && !test;
	byId("search").setAttribute("aria-invalid", invalid);
	flame.matches = null;
	byId("matched").textContent = invalid ? "not a regular expression" : "";
	if (test) {
		const known = new Map(), matches = new Uint8Array(s.tree.count), within = new Uint8Array(s.tree.count);
		let sum = 0;
		for (let n = 1; n < s.tree.count; n++) {
			const key = s.tree.key[n];
			if (!known.has(key))
				known.set(key, test(s.tree.name(n)) ? 1 : 0);
			matches[n] = known.get(key);
			within[n] = within[s.tree.parent[n]] | matches[n];
			if (matches[n] && !within[s.tree.parent[n]])
				sum += s.values.total[n];
		}
		flame.matches = matches;
		byId("matched").textContent = "matched " + percent(sum, s.values.total[0]) + ", " + value(sum);
	}
	flame.schedule();
	showFunctions(test);
}

let order = "self";

function columns() {
	const total = state.shown.values.total[0];
	const number = (key) => [{ key, text: (f) => value(f[key]) }, { key, text: (f) => percent(f[key], total), short: true }];
	if (!state.shown.before)
		return [...number("self"), ...number("total")];
	const change = (f) => f.total - f.beforeTotal, sign = (d) => (d > 0 ? "+" : d < 0 ? "−" : "");
	return [
		{ key: "change", title: "Change", text: (f) => sign(change(f)) + value(Math.abs(change(f))), kind: (f) => (change(f) > 0 ? "up" : "down") },
		{ key: "before", title: "Before", text: (f) => value(f.beforeTotal) },
		{ key: "total", title: "After", text: (f) => value(f.total) },
	];
}

const SORT = {
	self: (f) => f.self, total: (f) => f.total,
	change: (f) => Math.abs(f.total - f.beforeTotal), before: (f) => f.beforeTotal,
};

function functionRows() {
	const s = state.shown, sums = functionValues(s.tree, s.children, s.values);
	if (s.before)
		for (const [key, f] of functionValues(s.tree, s.children, s.before)) {
			if (!sums.has(key))
				sums.set(key, { node: f.node, self: 0, total: 0 });
			sums.get(key).beforeTotal = f.total;
		}
	const rows = [...sums.values()];
	for (const row of rows)
		row.beforeTotal ||= 0;
	return rows;
}

function headCells(list) {
	const cells = list.filter((c) => !c.short).map((c) => {
		const button = make("button", { type: "button" }, c.title || c.key[0].toUpperCase() + c.key.slice(1));
		button.addEventListener("click", () => {
			order = c.key;
			search();
		});
		return make("th", { scope: "col", "aria-sort": c.key === order ? "descending" : "none", colspan: list.filter((o) => o.key === c.key).length }, button);
	});
	return make("tr", {}, ...cells, make("th", { class: "text", scope: "col" }, "Function"), make("th", { class: "text", scope: "col" }, "Module"));
}

function showFunctions(test) {
	const s = state.shown, list = columns();
	if (!list.some((c) => c.key === order))
		order = list[0].key;
	const sort = SORT[order];
	const all = functionRows().filter((f) => !test || test(s.tree.name(f.node)));
	const rows = all.sort((a, b) => sort(b) - sort(a) || b.total - a.total || a.node - b.node).slice(0, 200);
	const table = byId("functions");
	table.tHead.replaceChildren(headCells(list));
	table.tBodies[0].replaceChildren(...rows.map((f) => {
		const name = s.tree.name(f.node), button = make("button", { type: "button", title: name }, name);
		button.addEventListener("click", () => {
			byId("search").value = name;
			search();
		});
		return make("tr", {}, ...list.map((c) => make("td", { class: c.kind ? c.kind(f) : "" }, c.text(f))),
			make("td", { class: "text name" }, button), make("td", { class: "text module", title: s.tree.module(f.node) }, s.tree.module(f.node)));
	}));
	byId("shown").textContent = rows.length < all.length ? rows.length + " of " + all.length : String(all.length);
}

// --- light and dark ---

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let theme = null;

function remembered() {
	try {
		return localStorage.getItem("pa-theme");
	} catch {
		return null;
	}
}

function showTheme() {
	const dark = (theme || (prefersDark.matches ? "dark" : "light")) === "dark";
	document.documentElement.dataset.theme = dark ? "dark" : "light";
	byId("theme").textContent = dark ? "☀ Light" : "☾ Dark";
	flame.colors();
	timeline.draw();
}

function switchTheme() {
	theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
	try {
		localStorage.setItem("pa-theme", theme);
	} catch {
		// A page from a file may not be allowed to remember; it still switches.
	}
	showTheme();
}

// --- beginning ---

function reset() {
	timeline.range = null;
	state.process = state.thread = 0;
	byId("search").value = "";
	fillTasks();
	flame.zoom = flame.selected = 0;
	refresh();
}

// Escape takes back one thing at a time: the search, the zoom, the range.
function escape() {
	if (byId("search").value) {
		byId("search").value = "";
		byId("search").blur();
		search();
	} else if (flame.zoom) {
		flame.zoomTo(0);
	} else {
		timeline.set(null);
	}
}

function key(event) {
	const typing = event.target.matches("input, select") && event.key !== "Escape";
	if (typing || event.ctrlKey || event.altKey || event.metaKey)
		return;
	const view = VIEWS[Number(event.key) - 1];
	if (event.key === "/") {
		byId("search").focus();
		byId("search").select();
	} else if (event.key === "Escape") {
		escape();
	} else if (event.key === "t") {
		switchTheme();
	} else if (view) {
		chooseView(view);
	} else {
		return;
	}
	event.preventDefault();
}

function begin() {
	showHead();
	showFacts();
	theme = remembered();
	showTheme();
	prefersDark.addEventListener("change", showTheme);
	byId("theme").addEventListener("click", switchTheme);
	document.addEventListener("keydown", key);
	if (!VIEWS.length) {
		for (const id of ["controls", "time", "list"])
			byId(id).hidden = true;
		byId("graph").replaceChildren(make("p", { class: "empty" }, "There are no samples and no intervals in this trace."));
		return;
	}
	for (const select of ["process", "thread"])
		byId(select).addEventListener("change", (e) => {
			state[select] = Number(e.target.value);
			fillTasks();
			refresh();
		});
	byId("search").addEventListener("input", search);
	byId("reset").addEventListener("click", reset);
	showViews();
	chooseView(VIEWS[0]);
}

begin();
