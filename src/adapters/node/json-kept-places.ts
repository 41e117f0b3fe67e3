import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeptPlace, KeptPlaces } from '../../ports/kept-places.ts';
import { StoredKeptPlace } from '../../protocol/kept-place.ts';
import { putFlushed } from './flushed-files.ts';
import { makeStateFolder } from './make-state-folder.ts';
import { readStateFile, writeStateFile } from './state-file.ts';
import { temporaryBeside } from './temporary-beside.ts';

const VERSION = 1;
/** The oldest place is deleted beyond this number: each window has offered it. */
const MAX_KEPT = 10;

/** Two files for each place, `<id>.json` and its content. Damaged entries are moved aside. @param folder created with the first place */
export function createJsonKeptPlaces(folder: string, clock: Pick<Clock, 'date'>): KeptPlaces {
  const entryOf = (file: string): string => file.replace(/\.[^.]*$/, '.json');
  const list = async (): Promise<readonly KeptPlace[]> => {
    const names = (await ifFound(readdir(folder))) ?? [];
    const read = async (name: string) =>
      StoredKeptPlace.safeParse((await readStateFile(join(folder, name), VERSION))?.value).data;
    const stored = await Promise.all(names.filter(name => name.endsWith('.json')).map(read));
    return stored
      .flatMap(one => (one !== undefined && names.includes(one.copy) ? [one] : []))
      .toSorted((a, b) => (a.keptAt < b.keptAt ? 1 : -1))
      .map(({ place, copy }) => ({ place, file: join(folder, copy) }));
  };
  const remove = async ({ file }: KeptPlace): Promise<void> => {
    await rm(entryOf(file), { force: true });
    await rm(file, { force: true });
  };
  return {
    async keep(place, bytes) {
      const copy = `${randomUUID()}${extname(place).toLowerCase()}`;
      const file = join(folder, copy);
      await makeStateFolder(folder);
      await putFlushed(file, temporaryBeside(file), bytes);
      // Last, so that an entry always has its content.
      await writeStateFile(entryOf(file), VERSION, { keptAt: clock.date(), place, copy });
      for (const old of (await list()).slice(MAX_KEPT)) await remove(old);
    },
    list,
    remove,
  };
}
