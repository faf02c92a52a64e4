// SPDX-License-Identifier: GPL-2.0-or-later
// The flame graph: the root on top, callees below, the widest first. Only what can be seen is laid out and
// drawn, so that its cost follows the size of the window and not that of the profile.
"use strict";

const ROW = 19, MIN_WIDTH = 0.7, KINDS = ["program", "library", "kernel", "jit", "none"];

function cssColor(name) {
	return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function mix(a, b, share) {
	const at = (c, i) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
	return "#" + [0, 1, 2].map((i) => Math.round(at(a, i) + (at(b, i) - at(a, i)) * share).toString(16).padStart(2, "0")).join("");
}

class Flame {
	constructor(canvas, scroll, space, tell) {
		Object.assign(this, { canvas, scroll, space, tell, tree: null, zoom: 0, selected: 0, hovered: 0, matches: null, levels: [], place: new Map(), widths: new Map() });
		this.context = canvas.getContext("2d");
		scroll.addEventListener("scroll", () => this.schedule());
		canvas.addEventListener("mousemove", (e) => this.hover(this.find(e)));
		canvas.addEventListener("mouseleave", () => this.hover(0));
		canvas.addEventListener("click", (e) => this.click(this.find(e)));
		canvas.addEventListener("keydown", (e) => this.key(e));
		new ResizeObserver(() => this.layout()).observe(scroll);
		this.colors();
	}

	// values: total and self of each node; before: those of the other recording where two are compared.
	show(tree, children, values, before) {
		if (this.tree !== tree) {
			this.zoom = this.selected = this.hovered = 0;
			this.matches = null;
		}
		Object.assign(this, { tree, children, values, before });
		// What is wide: of two recordings the greater, so that what has gone can still be seen.
		this.width = before ? values.total.map((v, i) => Math.max(v, before.total[i])) : values.total;
		if (before)
			for (let n = tree.count - 1; n >= 0; n--) {
				let sum = 0;
				for (let i = children.start[n]; i < children.start[n + 1]; i++)
					sum += this.width[children.list[i]];
				this.width[n] = Math.max(this.width[n], sum);
			}
		if (!this.width[this.zoom])
			this.zoom = 0;
		if (!this.width[this.selected])
			this.selected = 0;
		this.layout();
	}

	colors() {
		this.palette = KINDS.map((kind) => {
			const base = cssColor(kind), tint = cssColor("tint");
			return [0, 0.08, 0.16, 0.24].map((share) => mix(base, tint, share));
		});
		for (const name of ["match", "match-text", "frame-text", "less", "same", "more", "card", "accent", "text", "soft"])
			this[name] = cssColor(name);
		this.schedule();
	}

	// Boxes of each depth: { node, x, width }, from left to right.
	layout() {
		const all = this.scroll.clientWidth, tree = this.tree;
		this.levels = [];
		this.place.clear();
		if (!tree || !all)
			return;
		const add = (depth, node, x, width) => {
			const box = { node, depth, x, width };
			(this.levels[depth] ||= []).push(box);
			// Narrow ones cannot be pointed at.
			if (width > 2 || depth < 3)
				this.place.set(node, box);
		};
		const path = [];
		for (let n = this.zoom; ; n = tree.parent[n]) {
			path.unshift(n);
			if (!n)
				break;
		}
		path.forEach((node, depth) => add(depth, node, 0, all));
		const scale = this.width[this.zoom] ? all / this.width[this.zoom] : 0;
		for (let depth = path.length - 1; this.levels[depth]; depth++)
			for (const box of depth < path.length - 1 ? [] : this.levels[depth]) {
				let x = box.x;
				for (const child of this.ordered(box.node)) {
					const width = this.width[child] * scale;
					if (width < MIN_WIDTH)
						break;
					add(depth + 1, child, x, width);
					x += width;
				}
			}
		this.space.style.height = this.levels.length * ROW + 2 + "px";
		this.schedule();
	}

	ordered(node) {
		const list = [];
		for (let i = this.children.start[node]; i < this.children.start[node + 1]; i++)
			if (this.width[this.children.list[i]])
				list.push(this.children.list[i]);
		return list.sort((a, b) => this.width[b] - this.width[a] || a - b);
	}

	schedule() {
		this.waiting ||= requestAnimationFrame(() => {
			this.waiting = 0;
			this.draw();
		});
	}

	draw() {
		const width = this.scroll.clientWidth, ratio = devicePixelRatio || 1;
		if (!this.tree || !width)
			return;
		const height = Math.min(this.scroll.clientHeight || 520, this.levels.length * ROW + 2);
		if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(height * ratio);
			this.canvas.style.width = width + "px";
			this.canvas.style.height = height + "px";
		}
		const c = this.context, top = this.scroll.scrollTop;
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		c.fillStyle = this.card;
		c.fillRect(0, 0, width, height);
		c.font = "12px " + getComputedStyle(document.body).fontFamily;
		c.textBaseline = "middle";
		for (let depth = Math.floor(top / ROW); depth < this.levels.length && depth * ROW < top + height; depth++)
			for (const box of this.levels[depth])
				this.box(c, box, depth * ROW - top);
		for (const [node, color] of [[this.hovered, this.text], [this.selected, this.accent]]) {
			const at = (node || document.activeElement === this.canvas) && this.place.get(node);
			if (at) {
				c.strokeStyle = color;
				c.lineWidth = 2;
				c.strokeRect(at.x + 1, at.depth * ROW - top + 1, Math.max(at.width - 2, 1), ROW - 2);
			}
		}
	}

	box(c, { node, depth, x, width }, y) {
		const matched = this.matches && this.matches[node];
		c.fillStyle = matched ? this.match : this.fill(node);
		c.globalAlpha = depth < this.depthOfZoom() ? 0.55 : 1;
		c.fillRect(x, y, Math.max(width - (width > 3 ? 1 : 0), 0.5), ROW - 1);
		c.globalAlpha = 1;
		if (width < 24)
			return;
		c.fillStyle = matched ? this["match-text"] : this.ink(node);
		const text = this.fit(c, this.label(node), width - 8);
		if (text)
			c.fillText(text, x + 4, y + ROW / 2);
	}

	depthOfZoom() {
		return this.place.get(this.zoom)?.depth || 0;
	}

	// Text cut to a width, between characters, never within one.
	fit(c, text, width) {
		const measure = (t) => {
			let known = this.widths.get(t);
			if (known === undefined)
				this.widths.set(t, known = c.measureText(t).width);
			return known;
		};
		const full = measure(text);
		if (full <= width)
			return text;
		const chars = Array.from(text), room = width - measure("…");
		let cut = Math.floor((chars.length * room) / full);
		while (cut > 1 && c.measureText(chars.slice(0, cut).join("")).width > room)
			cut--;
		return cut > 1 ? chars.slice(0, cut).join("") + "…" : "";
	}

	label(node) {
		return node ? this.tree.name(node) : "all";
	}

	// How much of all it became more (or less): -1 to 1, by the root of the change, so that small ones show.
	change(node) {
		const all = Math.max(this.values.total[0], this.before.total[0], 1e-9);
		const change = (this.values.total[node] - this.before.total[node]) / all;
		return Math.sign(change) * Math.min(1, Math.sqrt(Math.abs(change) * 4));
	}

	fill(node) {
		if (this.before) {
			const change = this.change(node);
			return mix(this.same, change < 0 ? this.less : this.more, Math.abs(change));
		}
		if (!node)
			return this.palette[4][2];
		const name = this.tree.name(node);
		let hash = 0;
		for (let i = 0; i < name.length && i < 40; i++)
			hash = (hash * 31 + name.charCodeAt(i)) | 0;
		return this.palette[this.tree.kind(node)][(hash >>> 3) & 3];
	}

	ink(node) {
		return this.before && Math.abs(this.change(node)) < 0.45 ? this.text : this["frame-text"];
	}

	find(event) {
		const at = this.canvas.getBoundingClientRect(), x = event.clientX - at.left;
		const level = this.levels?.[Math.floor((event.clientY - at.top + this.scroll.scrollTop) / ROW)] || [];
		let low = 0, high = level.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (level[middle].x <= x)
				low = middle;
			else
				high = middle - 1;
		}
		const box = level[low];
		return box && x >= box.x && x < box.x + box.width ? box.node : -1;
	}

	hover(node) {
		const now = Math.max(node, 0);
		if (now === this.hovered)
			return;
		this.hovered = now;
		this.tell(now || this.selected);
		this.schedule();
	}

	click(node) {
		if (node < 0)
			return;
		this.zoomTo(node);
	}

	zoomTo(node) {
		this.zoom = this.selected = node;
		this.layout();
		this.reveal();
		this.tell(node);
	}

	select(node) {
		this.selected = node;
		this.reveal();
		this.tell(node);
		this.schedule();
	}

	reveal() {
		const y = (this.place.get(this.selected)?.depth || 0) * ROW;
		if (y < this.scroll.scrollTop)
			this.scroll.scrollTop = y;
		else if (y + ROW > this.scroll.scrollTop + this.scroll.clientHeight)
			this.scroll.scrollTop = y + ROW - this.scroll.clientHeight;
	}

	key(event) {
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		const parent = this.tree.parent[this.selected], siblings = this.ordered(parent), at = siblings.indexOf(this.selected);
		const moves = {
			ArrowUp: () => parent,
			ArrowDown: () => this.ordered(this.selected)[0],
			ArrowLeft: () => siblings[at - 1],
			ArrowRight: () => siblings[at + 1],
			Home: () => 0,
		};
		if (event.key === "Enter" || event.key === " ") {
			this.zoomTo(this.selected);
		} else if (event.key === "Backspace") {
			this.zoomTo(this.tree.parent[this.zoom]);
		} else if (moves[event.key]) {
			const next = moves[event.key]();
						if (next !== undefined)
				this.select(next);
		} else {
			return;
		}
		event.preventDefault();
	}
}
