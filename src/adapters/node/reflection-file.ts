import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Beside the bundle, and where the source keeps it. */
const places = ['./reflection.json', '../../roblox/instances/reflection.generated.json'];

/** What Roblox says of its classes, as `scripts/generate-reflection.ts` wrote it: the text that `createReflection` of `roblox/instances` takes. */
export async function readReflectionFile(): Promise<string> {
  const file = places.map(place => new URL(place, import.meta.url)).find(url => existsSync(url));
  if (file === undefined) throw new Error('the class database (reflection.json) is missing from this installation');
  return readFile(file, 'utf8');
}
