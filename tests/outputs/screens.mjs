// SPDX-License-Identifier: GPL-2.0-or-later
// Takes pictures: screens.mjs TEXT PAGE DIFF DIR. Text with a terminal's colours is shown as a terminal would.
import { readFileSync, writeFileSync } from "node:fs";
import { Browser } from "./browser.mjs";

const [text, page, diff, dir] = process.argv.slice(2);
const COLORS = { 1: "font-weight:bold;color:#fff", 2: "color:#8b94a3", 31: "color:#ff8079", 32: "color:#7fd99a", 33: "color:#f0c060", 36: "color:#6cc7d8" };

function terminal(content) {
	const safe = content.replace(/&/g, "&amp;").replace(/</g, "&lt;");
	const spans = safe.replace(/\x1b\[0m/g, "</span>").replace(/\x1b\[(\d+)m/g, (_, code) => `<span style="${COLORS[code] || ""}">`);
	return `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#14171d"><pre style="margin:0;padding:18px 22px;` +
		`color:#d5dae2;font:14px/1.35 'DejaVu Sans Mono',monospace;display:inline-block">${spans}</pre>`;
}

const browser = await Browser.start(1280, 1080);
writeFileSync("terminal.html", terminal(readFileSync(text, "utf8")));
await browser.open("terminal.html");
const [width, height] = await browser.run(`(() => { const r = document.querySelector("pre").getBoundingClientRect(); return [Math.ceil(r.width), Math.ceil(r.height)]; })()`);
await browser.screenshot(dir + "/text.png", { x: 0, y: 0, width, height: Math.min(height, 1080) });
await browser.open(page);
await browser.run(`timeline.set([0, 70])`);
await browser.run(`byId("search").value = "compress"; search()`);
await browser.frame();
await browser.screenshot(dir + "/light.png");
await browser.open(page, true);
await browser.key("2");
await browser.screenshot(dir + "/dark.png");
await browser.open(diff);
await browser.run(`document.querySelector('[data-view="diff-oncpu"]').click()`);
await browser.frame();
await browser.screenshot(dir + "/diff.png");
await browser.stop();
