// SPDX-License-Identifier: GPL-2.0-or-later
// Uses a page of --html as a person would, and speaks TAP: page.mjs DEMO NAMES DIFF LARGE, pages of the
// traces that run.sh makes.
import assert from "node:assert/strict";
import { Browser } from "./browser.mjs";

const [demo, names, diff, large] = process.argv.slice(2);
// As much as the machines that this runs on may be slowed down by all else that they do.
const FLUID_MS = 1500;
const SHIFT = 8;
let browser;

const tests = {
	async "renders, loads nothing, and no script fails"() {
		await browser.open(demo);
		assert.equal(await browser.text("#title"), "demo.pa");
		assert.match(await browser.text("#graphtitle"), /on CPU, 100 ms/);
		assert.match(await browser.text("#verdicts"), /healthyrun-queue latency, P9978.8 µs/);
		assert.match(await browser.text("#coverage"), /samples10 on CPU, 100 ms/);
		const colors = await browser.run(`(() => { const c = document.getElementById("flame"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = new Set();
			for (let i = 0; i < d.length; i += 40) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return seen.size; })()`);
		assert.ok(colors > 3, `${colors} colours drawn`);
	},
	async "totals are those of the trace, on and off CPU"() {
		await browser.open(demo);
		const sums = await browser.run(`DATA.profiles.map((p) => [p.id, p.rows.value.reduce((a, b) => a + b, 0), p.total,
			nodeValues(PLAIN, p, rowValues(p, {}, null)).total[0]])`);
		for (const [id, rows, total, tree] of sums)
			assert.deepEqual([id, rows, tree], [id, total, total]);
		await browser.key("2");
		assert.match(await browser.text("#graphtitle"), /off CPU, 10.5 s/);
	},
	async "a click zooms, Escape shows all again"() {
		await browser.open(demo);
		await browser.click(...(await browser.at("#flame", 0.2, 0.62)));
		assert.match(await browser.text("#details"), /^server\+0x1200 in server: total 40.0 ms, 40.0 %/);
		assert.equal(await browser.run("PLAIN.name(flame.zoom)"), "server+0x1200");
		await browser.key("Escape");
		assert.equal(await browser.run("flame.zoom"), 0);
		assert.match(await browser.text("#details"), /^all/);
	},
	async "search shows the share that matched"() {
		await browser.open(demo);
		await browser.key("/");
		await browser.type("spin_unlock");
		assert.equal(await browser.text("#matched"), "matched 20.0 %, 20.0 ms");
		assert.equal(await browser.run(`document.querySelectorAll("#functions tbody tr").length`), 1);
		await browser.key("Escape");
		assert.equal(await browser.text("#matched"), "");
		await browser.key("/");
		await browser.type("/^(JIT|libwork)/");
		assert.equal(await browser.text("#matched"), "matched 30.0 %, 30.0 ms");
		await browser.key("Escape");
		await browser.key("/");
		await browser.type("/(/");
		assert.equal(await browser.text("#matched"), "not a regular expression");
	},
	async "processes and threads filter"() {
		await browser.open(demo);
		const choose = (id, text) => browser.run(`(() => { const s = document.getElementById("${id}");
			s.value = [...s.options].find((o) => o.text.startsWith("${text}")).value; s.dispatchEvent(new Event("change")); })()`);
		await choose("process", "server/100");
		assert.match(await browser.text("#graphtitle"), /80.0 ms/);
		await choose("thread", "worker/101");
		assert.match(await browser.text("#graphtitle"), /40.0 ms/);
		await choose("process", "client/102");
		assert.match(await browser.text("#graphtitle"), /20.0 ms/);
	},
	async "a range of time is brushed with the mouse"() {
		await browser.open(demo);
		const [width, first] = await browser.run("[timeline.column, NAMES]");
		const [left, top] = await browser.at("#timeline", 0, 0);
		const x = (slice) => left + first + (slice + 0.5) * width;
		await browser.mouse("mouseMoved", x(0), top + 24);
		await browser.mouse("mousePressed", x(0), top + 24, 1);
		await browser.mouse("mouseMoved", x(10), top + 26, 1);
		await browser.mouse("mouseMoved", x(20), top + 26, 1);
		await browser.mouse("mouseReleased", x(20), top + 26);
		await browser.frame();
		assert.deepEqual(await browser.run("timeline.range"), [0, 20]);
		const sum = await browser.run("timeline.lines.reduce((all, l) => all + l.cells.slice(0, 21).reduce((a, b) => a + b, 0), 0)");
		assert.equal(await browser.run("flame.values.total[0]"), sum);
		assert.ok(sum > 0 && sum < 100e6, `${sum} ns in the range`);
		await browser.click(x(50), top + 24);
		assert.equal(await browser.run("timeline.range"), null);
		assert.match(await browser.text("#graphtitle"), /100 ms/);
	},
	async "the keyboard alone is enough"() {
		await browser.open(demo);
		await browser.run(`document.getElementById("flame").focus({ preventScroll: true })`);
		await browser.key("ArrowDown");
		assert.match(await browser.text("#details"), /^server\+0x1100/);
		await browser.key("ArrowRight");
		assert.match(await browser.text("#details"), /^\[truncated\]|^server\+0x1101|^\[incomplete\]/);
		await browser.key("ArrowLeft");
		await browser.key("ArrowDown");
		await browser.key("Enter");
		assert.equal(await browser.run("PLAIN.name(flame.zoom)"), "server+0x1200");
		await browser.key("Escape");
		await browser.run(`document.getElementById("timeline").focus({ preventScroll: true })`);
		await browser.key("ArrowRight");
		await browser.key("ArrowRight", SHIFT);
		await browser.key("ArrowRight", SHIFT);
		await browser.key("ArrowRight");
		assert.deepEqual(await browser.run("timeline.range"), [1, 3]);
		await browser.key("Escape");
		assert.equal(await browser.run("timeline.range"), null);
		const reached = new Set();
		await browser.run("document.activeElement.blur()");
		for (let i = 0; i < 40; i++) {
			await browser.key("Tab");
			reached.add(await browser.run("document.activeElement.id || document.activeElement.dataset.view || document.activeElement.tagName"));
		}
		for (const id of ["theme", "oncpu", "process", "thread", "search", "reset", "timeline", "flame"])
			assert.ok(reached.has(id), `${id} is reached by Tab: ${[...reached]}`);
	},
	async "light and dark, as the system wants it and by a key"() {
		await browser.open(demo, true);
		const theme = () => browser.run("document.documentElement.dataset.theme");
		assert.equal(await theme(), "dark");
		await browser.key("t");
		assert.equal(await theme(), "light");
		await browser.key("t");
		await browser.run("localStorage.clear()");
	},
	async "names are shown as they are, whatever is in them"() {
		await browser.open(names);
		const shown = await browser.run(`[...document.querySelectorAll("#functions td.name")].map((e) => e.textContent)`);
		assert.deepEqual(shown.sort(), [`f</script><b>"&'`, "std::vector<int, std::allocator<int> >::push_back(int const&)"]);
		assert.equal(await browser.run(`document.querySelectorAll("b").length`), 1);
		const tasks = await browser.run(`[...document.getElementById("thread").options].map((o) => o.text)`);
		assert.ok(tasks.some((t) => t.startsWith("[ET_NET 0]/100")), String(tasks));
		await browser.key("/");
		await browser.type("</script>");
		assert.match(await browser.text("#matched"), /matched 25.0 %/);
	},
	async "scripts that are not the page's own do not run"() {
		await browser.open(demo);
		const before = browser.errors.length;
		const ran = await browser.run(`(() => { const s = document.createElement("script"); s.textContent = "window.foreign = 1";
			document.body.append(s); return window.foreign === undefined; })()`);
		assert.ok(ran);
		browser.errors.length = before;
	},
	async "two traces have a difference, joined by name, per second"() {
		await browser.open(diff);
		await browser.run(`document.querySelector('[data-view="diff-oncpu"]').click()`);
		const row = (name) => browser.run(`[...document.querySelectorAll("#functions tbody tr")].find((r) => r.querySelector(".name").textContent === "${name}")?.innerText.split("\\t").slice(0, 3)`);
		assert.deepEqual(await row("grew"), ["+200 ms/s", "100 ms/s", "300 ms/s"]);
		assert.deepEqual(await row("same"), ["0 ns/s", "500 ms/s", "500 ms/s"]);
		assert.deepEqual(await row("removed"), ["−100 ms/s", "100 ms/s", "0 ns/s"]);
		assert.deepEqual(await row("added"), ["+50.0 ms/s", "0 ns/s", "50.0 ms/s"]);
		assert.match(await browser.text("#graphtitle"), /700 ms\/s → 850 ms\/s/);
	},
	async "20 000 stacks stay fluid"() {
		await browser.open(large);
		assert.ok((await browser.run("new Set(DATA.profiles[0].rows.node).size")) >= 20000);
		const times = await browser.run(`(() => { const time = (f) => { const t = performance.now(); f(); return performance.now() - t; };
			return { zoom: time(() => { flame.zoomTo(flame.ordered(0)[0]); flame.draw(); }), back: time(() => { flame.zoomTo(0); flame.draw(); }),
				brush: time(() => timeline.set([1, 5])), search: time(() => { byId("search").value = "f12"; search(); flame.draw(); }) }; })()`);
		console.log("# " + Object.entries(times).map(([k, v]) => `${k} ${v.toFixed(1)} ms`).join(", "));
		for (const [what, ms] of Object.entries(times))
			assert.ok(ms < FLUID_MS, `${what} took ${ms} ms`);
	},
};

browser = await Browser.start();
let number = 0, failed = 0;
console.log(`1..${Object.keys(tests).length}`);
for (const [name, test] of Object.entries(tests)) {
	number++;
	try {
		browser.errors = [];
		await test();
		assert.deepEqual(browser.errors, []);
		console.log(`ok ${number} - html: ${name}`);
	} catch (error) {
		failed++;
		console.log(`not ok ${number} - html: ${name}\n# ${String(error.stack).replace(/\n/g, "\n# ")}`);
	}
}
await browser.stop();
process.exit(failed ? 1 : 0);
