import { readFile } from 'node:fs/promises';
import { ifFound } from '../../base/errno.ts';
import { isBundled } from '../../base/is-bundled.ts';

/** The page of the chat card. */
export async function readCardFile(): Promise<string> {
  const path = isBundled(import.meta.url) ? './card.html' : '../../../dist/card.html';
  const page = await ifFound(readFile(new URL(path, import.meta.url), 'utf8'));
  if (page === undefined) throw new Error('the chat card (card.html) is missing from this installation');
  return page;
}
