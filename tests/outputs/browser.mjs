// SPDX-License-Identifier: GPL-2.0-or-later
// A headless Chromium that does with a page what a person would: it is told what to do by the DevTools
// protocol, through a pipe.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const TIMEOUT_MS = 60000;
const KEYS = { Enter: 13, Escape: 27, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9 };

export class Browser {
	static async start(width = 1400, height = 1300) {
		const b = new Browser();
		b.profile = mkdtempSync(join(tmpdir(), "pa-browser-"));
		b.child = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
			"--no-first-run", "--disable-extensions", "--remote-debugging-pipe", "--hide-scrollbars",
			`--user-data-dir=${b.profile}`, `--window-size=${width},${height}`, "about:blank"],
			{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		b.waiting = new Map();
		b.errors = [];
		b.next = 1;
		let rest = "";
		b.child.stdio[4].on("data", (data) => {
			const parts = (rest + data).split("\0");
			rest = parts.pop();
			parts.forEach((text) => b.receive(JSON.parse(text)));
		});
		const { targetInfos } = await b.send("Target.getTargets");
		const page = targetInfos.find((t) => t.type === "page");
		b.session = (await b.send("Target.attachToTarget", { targetId: page.targetId, flatten: true })).sessionId;
		for (const domain of ["Page", "Runtime", "Log", "Network"])
			await b.send(domain + ".enable");
		await b.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
		return b;
	}

	receive(message) {
		if (message.id) {
			const { done, fail } = this.waiting.get(message.id);
			this.waiting.delete(message.id);
			return message.error ? fail(new Error(message.error.message)) : done(message.result);
		}
		const p = message.params;
		if (message.method === "Runtime.exceptionThrown")
			this.errors.push(p.exceptionDetails.exception?.description || p.exceptionDetails.text);
		else if (message.method === "Log.entryAdded" && p.entry.level === "error")
			this.errors.push(p.entry.text);
		else if (message.method === "Network.requestWillBeSent" && !p.request.url.startsWith("file:"))
			this.errors.push("asked for " + p.request.url);
		else if (message.method === "Page.loadEventFired")
			this.loaded?.();
	}

	send(method, params = {}) {
		const id = this.next++;
		return new Promise((done, fail) => {
			const timer = setTimeout(() => fail(new Error(method + " did not end")), TIMEOUT_MS);
			this.waiting.set(id, { done: (r) => (clearTimeout(timer), done(r)), fail });
			this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + "\0");
		});
	}

	async open(file, dark = false) {
		await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
		const loaded = new Promise((done) => (this.loaded = done));
		await this.send("Page.navigate", { url: pathToFileURL(resolve(file)).href });
		await loaded;
		await this.frame();
	}

	async run(expression) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
		return result.value;
	}

	// Until what was changed has been drawn.
	frame() {
		return this.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
	}

	text(selector) {
		return this.run(`document.querySelector(${JSON.stringify(selector)}).textContent`);
	}

	async mouse(type, x, y, buttons = 0) {
		await this.send("Input.dispatchMouseEvent", { type, x, y, buttons, button: buttons || type === "mouseReleased" ? "left" : "none", clickCount: 1 });
	}

	async click(x, y) {
		await this.mouse("mouseMoved", x, y);
		await this.mouse("mousePressed", x, y, 1);
		await this.mouse("mouseReleased", x, y);
		await this.frame();
	}

	// Where a point of an element is, as shares of its size.
	at(selector, x, y) {
		return this.run(`(() => { const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({ block: "nearest" });
			const r = e.getBoundingClientRect(); return [r.left + ${x} * r.width, r.top + ${y} * r.height]; })()`);
	}

	async key(name, modifiers = 0) {
		const code = KEYS[name], base = { key: name, modifiers, windowsVirtualKeyCode: code || name.toUpperCase().charCodeAt(0) };
		await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...base, ...(code ? {} : { text: name }) });
		await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...base });
		await this.frame();
	}

	async type(text) {
		await this.send("Input.insertText", { text });
		await this.frame();
	}

	async screenshot(file, clip) {
		const { data } = await this.send("Page.captureScreenshot", { format: "png", ...(clip ? { clip: { scale: 1, ...clip } } : {}) });
		writeFileSync(file, Buffer.from(data, "base64"));
	}

	async stop() {
		const ended = new Promise((done) => this.child.on("exit", done));
		this.send("Browser.close").catch(() => {});
		setTimeout(() => this.child.kill("SIGKILL"), 3000).unref();
		await ended;
		rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
	}
}
