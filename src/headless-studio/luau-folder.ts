import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every `.luau` file below `folder`: its path with `/` under `prefix` to its text, in the order of the names. */
export async function readLuauFolder(folder: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true }))
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.luau'));
  const texts = await Promise.all(
    names.toSorted().map(async name => [`${prefix}/${name}`, await readFile(join(folder, name), 'utf8')] as const),
  );
  return new Map(texts);
}
