import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const urlOf = (file: string): string => JSON.stringify(pathToFileURL(resolve(file)).href);

/**
 * Programs load first what their test files import. Otherwise a top-level `await` in one of these modules would delay the tests of a file
 * until its suite has ended.
 */
function importsOf(file: string): readonly string[] {
  const [head = ''] = readFileSync(file, 'utf8').split(FIRST_STATEMENT, 1);
  const imports = head.matchAll(/^import (?!type )[^;]*? from '(\.[^']+)';$/gm);
  return Array.from(imports, ([, path = '']) => `await import(${urlOf(join(dirname(file), path))});`);
}

/** The first line after the imports of a file. A later line may look like an import and be part of a text. */
const FIRST_STATEMENT = /^(?=[^\s])(?!import |\} from |\/\/|\/\*)/m;

const promiseHook = JSON.stringify(new URL('promise-hook.ts', import.meta.url).href);

/**
 * Writes programs that each run a group of test files in one process, one suite per file, and returns their paths. A process per file would take
 * longer than most tests, because it reads and compiles the same modules again.
 *
 * @param timeoutMs limit of each file
 */
export function writeShards(
  ring: string,
  groups: readonly (readonly string[])[],
  timeoutMs: number,
): readonly string[] {
  const folder = resolve('out/test-shards', ring);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return groups.map((files, index) => {
    // A file that never ends does not keep the others of its program from running.
    const options = JSON.stringify({ timeout: timeoutMs });
    const suites = files.map(
      file => `suite(${JSON.stringify(file)}, ${options}, async () => { await import(${urlOf(file)}); });`,
    );
    const lines = [
      `import { endPromiseHook } from ${promiseHook};`,
      // Loaded later than an import, which would precede the other one.
      "const { beforeEach, suite } = await import('node:test');",
      'beforeEach(endPromiseHook);',
      ...new Set(files.flatMap(importsOf)),
      ...suites,
    ];
    const name = files.length === 1 ? basename(files[0] ?? '', '.test.ts') : 'shared';
    const path = join(folder, `${String(index + 1).padStart(3, '0')}-${name}.mjs`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  });
}
