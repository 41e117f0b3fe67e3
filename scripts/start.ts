/**
 * `npm start`: builds, and shows the product on the example. `npm start -- --check` does the same without a window or a person and ends
 * with exit code 0 only if all of it happened.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './set-up/run.ts';
import { runCheck } from './start/check.ts';
import { runDemo } from './start/demo.ts';

const args = process.argv.slice(2);
const unknown = args.filter(arg => arg !== '--check');
if (unknown.length > 0) {
  console.error(`There is no option ${unknown.join(' ')}. Use: npm start, or npm start -- --check`);
  process.exit(2);
}

const root = resolve(fileURLToPath(import.meta.url), '../..');
const stop = new AbortController();
// npm passes Ctrl+C on to what the terminal has told already, so it comes more than once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

try {
  if (process.env['ATLAS_DIST'] !== 'ready') {
    console.log('Building …');
    await run(process.execPath, ['esbuild.config.mjs'], { cwd: root });
  }
  if (args.includes('--check')) process.exitCode = (await runCheck(line => console.log(line))) ? 0 : 1;
  else await runDemo(stop.signal, line => console.log(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
