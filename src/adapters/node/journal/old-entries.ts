import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../../base/errno.ts';
import { removeFolder } from '../remove-folder.ts';
import { encodeFrame, shortHash } from './frames.ts';

/** An entry in the format of versions up to 0.1: a folder `<number>-<runId>` with a file for each part. */
interface OldEntry {
  readonly id: string;
  /** In UTC: `20260131`. */
  readonly day: string;
  readonly frames: readonly Uint8Array[];
}

/**
 * Passes the entries of older versions to `append`, oldest first, and removes each one after it was stored. Keeps unreadable ones in place.
 */
export async function importOldEntries(folder: string, append: (entry: OldEntry) => Promise<void>): Promise<void> {
  const names = ((await ifFound(readdir(folder))) ?? []).filter(name => /^\d{8}-[\w-]{1,64}$/.test(name));
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    const entry = await readOldEntry(path, name).catch(() => undefined);
    if (entry === undefined) continue;
    await append(entry);
    await removeFolder(path);
  }
}

async function readOldEntry(path: string, name: string): Promise<OldEntry | undefined> {
  const runId = name.slice(9);
  const id = shortHash(name).slice(0, 16);
  const record = await readFile(join(path, 'record.json'));
  JSON.parse(new TextDecoder().decode(record));
  const frames: Uint8Array[] = [];
  const parts = (await readdir(path)).toSorted();
  for (const part of parts) {
    const blob = /^([0-9a-f]{32})\.blob$/.exec(part)?.[1];
    if (blob !== undefined) frames.push(...encodeFrame('blob', id, blob, await readFile(join(path, part))));
  }
  frames.push(...encodeFrame('record', id, runId, record));
  for (const part of parts)
    if (/^note-\d+\.json$/.test(part)) frames.push(...encodeFrame('note', id, runId, await readFile(join(path, part))));
  if (parts.includes('ending.json'))
    frames.push(...encodeFrame('ending', id, runId, await readFile(join(path, 'ending.json'))));
  const day = (await stat(join(path, 'record.json'))).mtime.toISOString().slice(0, 10).replaceAll('-', '');
  return { id, day, frames };
}
