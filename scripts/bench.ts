/**
 * `npm run bench`: runs the benchmarks and compares each result with its limit. `--json FILE` also writes the rows to a file;
 * `--only NAME` (may be repeated) selects benchmarks.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { activation } from './bench/activation.ts';
import { atScale } from './bench/at-scale.ts';
import { bundleSize } from './bench/bundle-size.ts';
import { dryRun } from './bench/dry-run.ts';
import { extensionHost } from './bench/extension-host/extension-host.ts';
import { largePlutoProject } from './bench/extension-host/large-pluto-project.ts';
import { gameView } from './bench/game-view.ts';
import { largeDryRun } from './bench/large-dry-run.ts';
import { liveScript } from './bench/live-script.ts';
import { manyChanges } from './bench/many-changes.ts';
import { mcpRoundTrip } from './bench/mcp-round-trip.ts';
import { plutoCheck } from './bench/pluto/pluto-check.ts';
import { plutoPrograms } from './bench/pluto/pluto-programs.ts';
import { plutoParse } from './bench/pluto-parse.ts';
import { placeRead } from './bench/project/place-read.ts';
import { projectLoad } from './bench/project/project-load.ts';
import { retrieval } from './bench/retrieval.ts';
import { reviewPage } from './bench/review-page.ts';
import { realProjectLoad } from './bench/project/real-project.ts';
import { realShapes } from './bench/project/real-shapes.ts';
import { realSync } from './bench/real-sync.ts';
import { formatRows, type Row } from './bench/row.ts';
import { scriptMerge } from './bench/script-merge.ts';
import { studioPlugin } from './bench/studio-plugin.ts';
import { twoAgents } from './bench/two-agents.ts';
import { ensureRelease } from './vscode/pack-extension.ts';

const root = resolve(fileURLToPath(import.meta.url), '../..');
process.chdir(root);
const measures: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  activation,
  'at-scale': atScale,
  'bundle-size': () => bundleSize(root),
  'dry-run': dryRun,
  'extension-host': extensionHost,
  'extension-host-pluto': largePlutoProject,
  'game-view': gameView,
  'large-dry-run': largeDryRun,
  'live-script': liveScript,
  'many-changes': manyChanges,
  'mcp-round-trip': mcpRoundTrip,
  'review-page': reviewPage,
  'pluto-parse': plutoParse,
  'pluto-check': plutoCheck,
  'pluto-programs': plutoPrograms,
  'project-load': projectLoad,
  'place-read': () => placeRead(join(root, 'dist')),
  'real-project': realProjectLoad,
  'real-sync': realSync,
  'real-shapes': () => realShapes(join(root, 'dist')),
  retrieval,
  'script-merge': scriptMerge,
  'studio-plugin': studioPlugin,
  'two-agents': twoAgents,
};
const { values } = parseArgs({ options: { json: { type: 'string' }, only: { type: 'string', multiple: true } } });
const chosen = values.only ?? Object.keys(measures);

await ensureRelease();
const rows: Row[] = [];
for (const name of chosen) {
  const measure = measures[name];
  if (measure === undefined) throw new Error(`unknown benchmark '${name}' (${Object.keys(measures).join(', ')})`);
  rows.push(...(await measure()));
}

const report = { node: process.version, platform: process.platform, cores: cpus().length, rows };
if (values.json === undefined) console.log(JSON.stringify(report));
else writeFileSync(resolve(values.json), `${JSON.stringify(report, null, 2)}\n`);
console.log(`\n${formatRows(rows)}`);
process.exitCode = rows.every(row => row.limit === undefined || row.value <= row.limit) ? 0 : 1;
