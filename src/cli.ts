/**
 * Entry of the command line. It checks the version of Node before it loads anything that uses features that an older Node lacks.
 */
import type fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { keepCompiledCode } from './adapters/node/compile-cache.ts';
import { loadCompiled } from './adapters/node/compiled-script.ts';
import type { main as runAlone } from './pluto/cli/run-alone.ts';

const load = createRequire(import.meta.url);
// An import of `node:fs` would load the code of its streams too.
const { readFileSync } = load('node:fs') as typeof fs;
const { version, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly engines: { readonly node: string };
};
const minimum = engines.node.replace('>=', '');

/** Whether `version` is lower than `other`; both are numbers separated by dots. */
function isOlder(version: string, other: string): boolean {
  const numbers = version.split('.').map(Number);
  for (const [index, part] of other.split('.').map(Number).entries()) {
    const own = numbers[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

/** Whether one small file of the bundle runs the command: `src/pluto/cli/run-alone.ts`. */
const isProgramRun = ([name, command]: readonly string[]): boolean =>
  import.meta.url.endsWith('.js') && name === 'pluto' && command === 'run';

async function runProgram(args: readonly string[]): Promise<number | undefined> {
  const script = loadCompiled(fileURLToPath(new URL('pluto-run.cjs', import.meta.url)), version, process.env);
  const { main } = script.exports as { readonly main: typeof runAlone };
  const code = await main(args, version);
  script.keep();
  return code;
}

if (isOlder(process.versions.node, minimum)) {
  process.stderr.write(
    `error: Atlas Bridge requires Node ${minimum} or newer; this is Node ${process.versions.node}\n`,
  );
  process.exitCode = 1;
} else {
  const args = process.argv.slice(2);
  // Only the bundle: the source is compiled once per change anyway.
  if (import.meta.url.endsWith('.js')) keepCompiledCode(process.env);
  process.exitCode =
    (isProgramRun(args) ? await runProgram(args) : undefined) ??
    (await (await import('./cli/main.ts')).main(args, version));
}
