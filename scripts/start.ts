/**
 * `npm start` builds the extension and opens the example in VS Code, with headless Studio. `--studio` starts headless Studio only, for VS Code under
 * a debugger. `--check` runs the same tour without a window, and exits with 0 only if every step succeeded.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './set-up/run.ts';
import { runCheck } from './start/check.ts';
import { runDemo, runExample } from './start/demo.ts';

const args = process.argv.slice(2);
const [mode = '--demo'] = args;
if (args.length > 1 || !['--demo', '--studio', '--check'].includes(mode)) {
  console.error(`error: unexpected argument '${args.at(-1)}'. Usage: npm start [-- --studio | --check]`);
  process.exit(2);
}

const root = resolve(fileURLToPath(import.meta.url), '../..');
const stop = new AbortController();
// The terminal and npm both send Ctrl+C, so it arrives more than once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

try {
  if (process.env['ATLAS_DIST'] !== 'ready') {
    console.log('Building …');
    await run(process.execPath, ['esbuild.config.mjs'], { cwd: root });
  }
  const print = (line: string): void => console.log(line);
  if (mode === '--check') process.exitCode = (await runCheck(print)) ? 0 : 1;
  else if (mode === '--studio') await runExample(stop.signal, print);
  else await runDemo(stop.signal, print);
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
