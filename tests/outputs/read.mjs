// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a file with a package of npm and prints sums, for tests to compare: read.mjs PACKAGE FILE
//	pprof-format	types, number of samples, sum of each value, label keys
//	speedscope	the total of each profile, and all names of frames
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Browser } from "./browser.mjs";

const [what, file] = process.argv.slice(2);
const require = createRequire(process.env.BUILD + "/npm/node_modules/");

async function pprofFormat() {
	const { Profile } = require("pprof-format");
	const profile = Profile.decode(gunzipSync(readFileSync(file)));
	const text = (i) => profile.stringTable.strings[Number(i)];
	console.log("types " + profile.sampleType.map((t) => text(t.type) + "/" + text(t.unit)).join(" "));
	console.log("default " + text(profile.defaultSampleType));
	console.log("sums " + profile.sampleType.map((_, i) => profile.sample.reduce((sum, s) => sum + BigInt(s.value[i]), 0n)).join(" "));
	console.log("labels " + [...new Set(profile.sample.flatMap((s) => s.label.map((l) => text(l.key))))].sort().join(" "));
	console.log("comments " + profile.comment.map(text).join("; "));
	const ids = new Set(profile.location.map((l) => String(l.id)));
	const mappings = new Set(profile.mapping.map((m) => String(m.id)));
	const bad = profile.location.filter((l) => Number(l.mappingId) && !mappings.has(String(l.mappingId))).length +
		profile.sample.filter((s) => s.locationId.some((l) => !ids.has(String(l)))).length;
	console.log("dangling " + bad);
}

// speedscope comes as a page: it is opened in a browser, and its importer called there.
async function speedscope() {
	const release = process.env.BUILD + "/npm/node_modules/speedscope/dist/release", copy = mkdtempSync(join(tmpdir(), "pa-speedscope-"));
	cpSync(release, copy, { recursive: true });
	const script = join(copy, readdirSync(copy).find((f) => /^speedscope.*\.js$/.test(f)));
	const text = readFileSync(script, "utf8"), hooked = text.replace(/importProfilesFromArrayBuffer:(\(\)=>[\w$]+)/, "$&,_:(globalThis.importer=$1)");
	if (hooked === text)
		throw new Error("this speedscope has another shape: its importer was not found");
	writeFileSync(script, hooked);
	const browser = await Browser.start();
	await browser.open(join(copy, "index.html"));
	const data = readFileSync(file).toString("base64"), name = JSON.stringify(basename(file));
	const result = await browser.run(`(async () => {
		const group = await importer()(${name}, Uint8Array.from(atob("${data}"), (c) => c.charCodeAt(0)).buffer);
		return group.profiles.map((p) => { const names = []; p.forEachFrame((f) => names.push(f.name)); let depth = 0;
			p.forEachCall(() => depth++, () => {}); return [p.getName(), p.getTotalWeight(), names]; }); })()`);
	await browser.stop();
	rmSync(copy, { recursive: true });
	for (const [, total] of result)
		console.log("total " + Math.round(total));
	for (const frame of [...new Set(result.flatMap((r) => r[2]))].sort())
		console.log("frame " + frame);
}

await { "pprof-format": pprofFormat, speedscope }[what]();
