import { join } from 'node:path';
import type { ProjectPath } from '../../base/brand.ts';
import { withFileLock } from './lock-file.ts';
import { readStateFile, writeStateFile } from './state-file.ts';
import { makeStateFolder } from './make-state-folder.ts';

/** The size in bytes and the time of the last change of a file. Programs cannot set this time. */
export interface FileStamp {
  readonly size: number;
  readonly ctimeMs: number;
}

/** The files that commands have written: results such as places, sourcemaps and reports. */
export interface WrittenOutputs {
  /** Whether the file at `path` is the one that a command wrote. */
  has(path: ProjectPath, now: FileStamp): Promise<boolean>;
  /** Remembers the file at `path` as written by a command. */
  remember(path: ProjectPath, written: FileStamp): Promise<void>;
}

const VERSION = 1;
const MAX_OUTPUTS = 200;

/** The size and time of each file, by its path. */
type Outputs = ReadonlyMap<string, readonly [size: number, ctimeMs: number]>;

/** @param state see `stateFolder` */
export function createWrittenOutputs(state: string): WrittenOutputs {
  const file = join(state, 'outputs.json');
  const read = async (): Promise<Outputs> => outputsOf((await readStateFile(file, VERSION))?.value);
  return {
    async has(path, { size, ctimeMs }) {
      const known = (await read()).get(path);
      return known !== undefined && known[0] === size && known[1] === ctimeMs;
    },
    async remember(path, { size, ctimeMs }) {
      await makeStateFolder(state);
      await withFileLock(`${file}.lock`, async () => {
        const others = Array.from(await read()).filter(([other]) => other !== path);
        await writeStateFile(file, VERSION, [...others.slice(1 - MAX_OUTPUTS), [path, [size, ctimeMs]]]);
      });
    },
  };
}

/** Ignores invalid entries. Their files are then recorded before they are replaced. */
function outputsOf(value: unknown): Outputs {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    entries.flatMap(entry => {
      const [path, stamp]: readonly unknown[] = Array.isArray(entry) ? entry : [];
      const [size, ctimeMs]: readonly unknown[] = Array.isArray(stamp) ? stamp : [];
      const isValid = typeof path === 'string' && typeof size === 'number' && typeof ctimeMs === 'number';
      return isValid ? [[path, [size, ctimeMs] as const] as const] : [];
    }),
  );
}
