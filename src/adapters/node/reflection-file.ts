import { readFile } from 'node:fs/promises';
import { ifFound } from '../../base/errno.ts';
import { isBundled } from '../../base/is-bundled.ts';

/**
 * Reads Roblox's class database, which `scripts/generate-reflection.ts` writes, as the text for `createReflection` of `roblox/instances`.
 */
export async function readReflectionFile(): Promise<string> {
  const source = '../../roblox/instances/reflection.generated.json';
  const path = isBundled(import.meta.url) ? './reflection.json' : source;
  const text = await ifFound(readFile(new URL(path, import.meta.url), 'utf8'));
  if (text === undefined) throw new Error('the class database (reflection.json) is missing from this installation');
  return text;
}
