import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { jsonChunks } from '../../base/json-chunks.ts';
import { type BaseState, type BaseStore, outdated } from '../../ports/base-store.ts';
import { putFlushed } from './flushed-files.ts';
import { withFileLock } from './lock-file.ts';

type States = ReadonlyMap<string, BaseState>;
interface StoredStates {
  readonly version: 1;
  readonly place: string;
  readonly states: Readonly<Record<string, BaseState>>;
}

const never = new AbortController().signal;

/** One file per place in a folder, replaced whole, under a lock. Created on first use. */
export function createJsonBaseStore(folder: string): BaseStore {
  const lane = new SerialQueue();
  const cached = new Map<string, { readonly mark: string; readonly states: States }>();
  const fileOf = (place: string): string =>
    join(folder, `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.json`);

  const read = async (place: string): Promise<States> => {
    const path = fileOf(place);
    const mark = await markOf(path);
    const known = cached.get(place);
    if (known !== undefined && known.mark === mark) return known.states;
    const stored = mark === undefined ? undefined : parse(await readFile(path, 'utf8'));
    const states = new Map(stored?.place === place ? Object.entries(stored.states) : []);
    if (mark !== undefined) cached.set(place, { mark, states });
    return states;
  };

  const write = async (path: string, place: string, states: States): Promise<void> => {
    const stored: StoredStates = { version: 1, place, states: Object.fromEntries(states) };
    const beside = `${path}.${randomBytes(8).toString('hex')}.tmp`;
    try {
      await putFlushed(path, beside, jsonChunks(stored));
    } finally {
      await rm(beside, { force: true });
    }
  };

  return {
    load: place => lane.run(never, () => read(place)),
    update: (place, changed) =>
      lane.run(never, async () => {
        const path = fileOf(place);
        await mkdir(folder, { recursive: true });
        await withFileLock(`${path}.lock`, async () => {
          const states = new Map(await read(place));
          for (const [key, state] of changed) {
            if (state === undefined) states.delete(key);
            else states.set(key, state);
          }
          await write(path, place, states);
        });
      }),
    outdateAll: () =>
      lane.run(never, async () => {
        await mkdir(folder, { recursive: true });
        for (const name of await readdir(folder)) {
          const path = join(folder, name);
          if (!isStates(name)) continue;
          await withFileLock(`${path}.lock`, async () => {
            const stored = parse(await readFile(path, 'utf8'));
            if (stored === undefined) return rm(path, { force: true });
            const states = Object.entries(stored.states).map(([key, state]) => [key, outdated(state)] as const);
            await write(path, stored.place, new Map(states));
          });
        }
      }),
  };
}

const isStates = (name: string): boolean => /^[0-9a-f]{32}\.json$/.test(name);

/** Another inode for every replacement, so that two in one clock tick differ. */
async function markOf(path: string): Promise<string | undefined> {
  const found = await ifFound(stat(path));
  return found && `${found.ino} ${found.mtimeMs} ${found.size}`;
}

/** `undefined` for a damaged file or one of another version: then nothing is known, and people decide. */
function parse(text: string): StoredStates | undefined {
  try {
    const stored = JSON.parse(text) as Partial<StoredStates>;
    const { version, place, states } = stored;
    return version === 1 && place !== undefined && states !== undefined ? { version, place, states } : undefined;
  } catch {
    return undefined;
  }
}
