import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const urlOf = (file: string): string => JSON.stringify(pathToFileURL(resolve(file)).href);

/**
 * Programs load first what their test files import. Otherwise a top-level `await` in one of these modules would delay the tests of a file
 * until its suite has ended.
 */
function importsOf(file: string): readonly string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/^import (?!type )[^;]*? from '(\.[^']+)';$/gm);
  return Array.from(imports, ([, path = '']) => `await import(${urlOf(join(dirname(file), path))});`);
}

/**
 * Writes programs that each run several test files in one process, one suite per file, and returns their paths. A process per file would take
 * longer than most tests, because it reads and compiles the same modules again. Files of a folder share a program, because they import the same modules.
 *
 * @param timeoutMs limit of each file
 */
export function writeShards(
  ring: string,
  files: readonly string[],
  filesPerShard: number,
  timeoutMs: number,
): readonly string[] {
  const folder = resolve('out/test-shards', ring);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const shards: string[] = [];
  for (let start = 0; start < files.length; start += filesPerShard) {
    const own = files.slice(start, start + filesPerShard);
    // A file that never ends does not keep the others of its program from running.
    const options = JSON.stringify({ timeout: timeoutMs });
    const suites = own.map(
      file => `suite(${JSON.stringify(file)}, ${options}, async () => { await import(${urlOf(file)}); });`,
    );
    const lines = ["import { suite } from 'node:test';", ...new Set(own.flatMap(importsOf)), ...suites];
    const path = join(folder, `shard-${String(shards.length + 1).padStart(2, '0')}.mjs`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    shards.push(path);
  }
  return shards;
}
