import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The path beside the bundle, and the path in the source. */
const places = ['./reflection.json', '../../roblox/instances/reflection.generated.json'];

/**
 * Reads Roblox's class database, which `scripts/generate-reflection.ts` wrote, as the text for `createReflection` of `roblox/instances`.
 */
export async function readReflectionFile(): Promise<string> {
  const file = places.map(place => new URL(place, import.meta.url)).find(url => existsSync(url));
  if (file === undefined) throw new Error('the class database (reflection.json) is missing from this installation');
  return readFile(file, 'utf8');
}
