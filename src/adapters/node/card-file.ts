import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The path beside the bundle, and the path in a build. */
const places = ['./card.html', '../../../dist/card.html'];

/** The page of the chat card. */
export async function readCardFile(): Promise<string> {
  const file = places.map(place => new URL(place, import.meta.url)).find(url => existsSync(url));
  if (file === undefined) throw new Error('the chat card (card.html) is missing from this installation');
  return readFile(file, 'utf8');
}
