import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes programs that each run several test files in one process, one suite per file, and returns their paths. A process per file would take
 * longer than most tests, because it reads and compiles the same modules again. Files of a folder share a program, because they import the same modules.
 */
export function writeShards(files: readonly string[], filesPerShard: number): readonly string[] {
  const folder = resolve('out/test-shards');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const shards: string[] = [];
  for (let start = 0; start < files.length; start += filesPerShard) {
    const suites = files.slice(start, start + filesPerShard).map(file => {
      const url = JSON.stringify(pathToFileURL(resolve(file)).href);
      return `suite(${JSON.stringify(file)}, async () => { await import(${url}); });`;
    });
    const path = join(folder, `shard-${String(shards.length + 1).padStart(2, '0')}.mjs`);
    writeFileSync(path, `import { suite } from 'node:test';\n${suites.join('\n')}\n`);
    shards.push(path);
  }
  return shards;
}
