// SPDX-License-Identifier: GPL-2.0-or-later
// The time line: a heat map with a row for each thread and a column for each slice of time, of which a
// range is chosen with the mouse or by keys.
"use strict";

const LINE = 16, AXIS = 18, NAMES = 150, MAX_LINES = 40;

class Timeline {
	constructor(canvas, changed) {
		Object.assign(this, { canvas, changed, range: null, lines: [], profile: null });
		this.context = canvas.getContext("2d");
		canvas.addEventListener("pointerdown", (e) => this.press(e));
		canvas.addEventListener("pointermove", (e) => this.drag(e));
		canvas.addEventListener("pointerup", () => this.release());
		canvas.addEventListener("pointercancel", () => this.release());
		canvas.addEventListener("keydown", (e) => this.key(e));
		new ResizeObserver(() => this.draw()).observe(canvas.parentElement);
	}

	show(profile, filter) {
		const allowed = threadAllowed(filter), sums = new Map(), s = profile.slices, threads = profile.rows.thread;
		for (let i = 0; i < s.slice.length; i++) {
			const thread = threads[s.row[i]];
			if (!allowed[thread])
				continue;
			let line = sums.get(thread);
			if (!line)
				sums.set(thread, line = { thread, sum: 0, cells: new Float64Array(s.count) });
			line.cells[s.slice[i]] += s.value[i];
			line.sum += s.value[i];
		}
		this.lines = [...sums.values()].sort((a, b) => b.sum - a.sum || a.thread - b.thread);
		for (const line of this.lines)
			line.name = DATA.threads[line.thread][1] + "/" + DATA.threads[line.thread][0];
		if (this.lines.length > MAX_LINES) {
			const rest = { name: this.lines.length - MAX_LINES + 1 + " others", cells: new Float64Array(s.count) };
			for (const line of this.lines.splice(MAX_LINES - 1))
				line.cells.forEach((v, i) => (rest.cells[i] += v));
			this.lines.push(rest);
		}
		this.profile = profile;
		this.most = profile.unit === "ns" ? s.length_ns : Math.max(1, ...this.lines.map((l) => l.cells.reduce((a, b) => Math.max(a, b), 0)));
		this.draw();
	}

	draw() {
		const width = this.canvas.parentElement.clientWidth, height = this.lines.length * LINE + AXIS, ratio = devicePixelRatio || 1;
		if (!this.profile || !width)
			return;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.height = height + "px";
		const c = this.context;
		c.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.column = (width - NAMES) / this.profile.slices.count;
		c.font = "12px " + getComputedStyle(document.body).fontFamily;
		c.textBaseline = "middle";
		this.axis(c, width);
		const heat = this.heat();
		this.lines.forEach((line, row) => {
			const y = AXIS + row * LINE;
			c.fillStyle = cssColor("text");
			c.fillText(flame.fit(c, line.name, NAMES - 10), 0, y + LINE / 2);
			for (let i = 0; i < line.cells.length; i++) {
				c.fillStyle = heat[Math.ceil(Math.sqrt(Math.min(1, line.cells[i] / this.most)) * (heat.length - 1))];
				const x = NAMES + i * this.column;
				c.fillRect(x, y, Math.max(NAMES + (i + 1) * this.column - x - (this.column > 4 ? 0.5 : -0.2), 0.5), LINE - 2);
			}
		});
		this.brush(c, width, height);
	}

	heat() {
		const stops = [0, 1, 2, 3].map((i) => cssColor("heat-" + i)), colors = [];
		for (let i = 0; i <= 48; i++)
			colors.push(mix(stops[Math.min(2, i >> 4)], stops[Math.min(2, i >> 4) + 1], i === 48 ? 1 : (i & 15) / 16));
		return colors;
	}

	axis(c, width) {
		const s = this.profile.slices, step = this.step((90 / this.column) * s.length_ns) / s.length_ns;
		c.fillStyle = cssColor("soft");
		s.first.forEach((first, trace) => {
			const end = trace + 1 < s.first.length ? s.first[trace + 1] : s.count;
			for (let k = 0, i = first; i < end; i = first + ++k * step) {
				const x = NAMES + i * this.column;
				c.fillRect(x, 0, 1, AXIS - 3);
				if (x + 80 < width && (end - i) * this.column > 60)
					c.fillText((s.first.length > 1 && i === first ? "#" + (trace + 1) + " " : "") + "+" + duration((i - first) * s.length_ns), x + 4, AXIS / 2 - 2);
			}
		});
	}

	// A round length of at least so many nanoseconds.
	step(least) {
		for (let length = this.profile.slices.length_ns; ; length *= 10)
			for (const times of [1, 2, 5, 10])
				if (length * times >= least)
					return length * times;
	}

	brush(c, width, height) {
		if (!this.range)
			return;
		const from = NAMES + this.range[0] * this.column, to = NAMES + (this.range[1] + 1) * this.column;
		c.fillStyle = cssColor("card");
		c.globalAlpha = 0.66;
		c.fillRect(NAMES, AXIS, from - NAMES, height - AXIS);
		c.fillRect(to, AXIS, width - to, height - AXIS);
		c.globalAlpha = 1;
		c.strokeStyle = cssColor("brush");
		c.lineWidth = 2;
		c.strokeRect(from, 1, Math.max(to - from, 2), height - 2);
	}

	sliceAt(event) {
		const x = event.clientX - this.canvas.getBoundingClientRect().left - NAMES;
		return Math.max(0, Math.min(this.profile.slices.count - 1, Math.floor(x / this.column)));
	}

	press(event) {
		if (event.button)
			return;
		this.canvas.setPointerCapture(event.pointerId);
		this.anchor = this.sliceAt(event);
		this.moved = false;
	}

	drag(event) {
		if (this.anchor === undefined)
			return;
		const at = this.sliceAt(event);
		this.moved ||= at !== this.anchor;
		if (this.moved)
			this.set([Math.min(at, this.anchor), Math.max(at, this.anchor)]);
	}

	// A click without a drag shows all of the time again.
	release() {
		if (this.anchor !== undefined && !this.moved)
			this.set(null);
		this.anchor = undefined;
	}

	set(range) {
		if (String(range) === String(this.range))
			return;
		this.range = range;
		this.draw();
		this.changed();
	}

	key(event) {
		const last = this.profile.slices.count - 1, step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
		if (step && !this.range) {
			this.set(step > 0 ? [0, 0] : [last, last]);
		} else if (step) {
			const [from, to] = this.range;
			if (event.shiftKey)
				this.set([from, Math.max(from, Math.min(last, to + step))]);
			else if (from + step >= 0 && to + step <= last)
				this.set([from + step, to + step]);
		} else {
			return;
		}
		event.preventDefault();
	}

	// The chosen range in words.
	words() {
		const s = this.profile.slices;
		if (!this.range)
			return "drag to choose a range; a column is " + duration(s.length_ns);
		const at = (slice) => {
			let trace = s.first.length - 1;
			while (trace && s.first[trace] > slice)
				trace--;
			return (s.first.length > 1 ? "#" + (trace + 1) + " " : "") + "+" + duration((slice - s.first[trace]) * s.length_ns);
		};
		return at(this.range[0]) + " for " + duration((this.range[1] - this.range[0] + 1) * s.length_ns);
	}
}
