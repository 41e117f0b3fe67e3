import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads every `.luau` file below `folder`, in the order of names. Returns the texts by path with `/`, below `prefix`. */
export async function readLuauFolder(folder: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder, { recursive: true }))
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.luau'));
  const texts = await Promise.all(
    names.toSorted().map(async name => [`${prefix}/${name}`, await readFile(join(folder, name), 'utf8')] as const),
  );
  return new Map(texts);
}
