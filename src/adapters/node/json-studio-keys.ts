import { randomBytes } from 'node:crypto';
import { chmod, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import type { StudioKey, StudioKeyring, StudioKeys } from '../../ports/studio-keys.ts';
import { OtherStudioKeys, StoredStudioKeys } from '../../protocol/stored-studio-keys.ts';
import { withFileLock } from './lock-file.ts';
import { readStateFile, setAside, writeStateFile } from './state-file.ts';
import { userStateFolder } from './state-folder.ts';
import { makeStateFolder } from './make-state-folder.ts';

/** Maximum number of paired plugins. */
const MAX_PAIRED = 32;

const ID_BYTES = 8;
const SECRET_BYTES = 32;

const newKey = (): StudioKey => ({
  id: randomBytes(ID_BYTES).toString('hex'),
  secret: randomBytes(SECRET_BYTES).toString('hex'),
});

/** The log message when damaged keys were replaced. */
export const replacedKeys = 'the keys of Studio were damaged and replaced; install the Studio plugin again';

/** The file of the keys. @param state see `userStateFolder` */
export const studioKeysFile = (state: string): string => join(state, 'studio-keys.json');

/** Reads the key of headless Studio from the state folder of the user. */
export const installedStudioKey =
  (env: Readonly<Record<string, string | undefined>>): (() => Promise<StudioKey>) =>
  async () =>
    (await createJsonStudioKeys(studioKeysFile(userStateFolder(env))).read()).installed;

/** Version of the file's content. */
const VERSION = 1;

/**
 * Keys in a file that only the user can read (mode 0600), replaced atomically, under a lock. A damaged file is moved aside and replaced by
 * new keys; plugins are then installed or paired again.
 *
 * @param onReplaced called with the place of the damaged file
 */
export function createJsonStudioKeys(file: string, onReplaced: (damaged: string) => void = () => {}): StudioKeys {
  const load = async (onDamaged: () => Promise<void> | void): Promise<StudioKeyring | undefined> => {
    const found = await ifFound(stat(file));
    if (found === undefined) return undefined;
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) await chmod(file, 0o600);
    const refuse = (): never => {
      // A newer program uses it, and its plugins would no longer connect.
      throw new Error(`${file} belongs to another version of Atlas Bridge; update, or remove the file and start again`);
    };
    const read = await readStateFile(file, VERSION, (_, problem) =>
      problem === 'otherVersion' ? refuse() : onDamaged(),
    );
    if (read === undefined) return undefined;
    const stored = StoredStudioKeys.safeParse(read.value);
    if (!stored.success) {
      if (OtherStudioKeys.safeParse(read.value).success) refuse();
      await onDamaged();
      return undefined;
    }
    const { machine, installed, paired } = stored.data;
    return { machine, installed, paired };
  };
  const save = async (keys: StudioKeyring): Promise<StudioKeyring> => {
    await writeStateFile(file, VERSION, { version: VERSION, ...keys });
    return keys;
  };
  const change = async (changed: (keys: StudioKeyring | undefined) => StudioKeyring): Promise<StudioKeyring> => {
    await makeStateFolder(dirname(file));
    return withFileLock(`${file}.lock`, async () => {
      const before = await load(async () => {
        await setAside(file);
        onReplaced(`${file}.damaged`);
      });
      const after = changed(before);
      return after === before ? after : save(after);
    });
  };
  const firstKeys = (): StudioKeyring => ({
    machine: randomBytes(ID_BYTES).toString('hex'),
    installed: newKey(),
    paired: [],
  });

  return {
    // Another program may replace a damaged file right now, so it is moved aside under the lock only.
    read: async () => (await load(() => {})) ?? change(keys => keys ?? firstKeys()),
    async addPaired(key) {
      await change(keys => {
        const { paired, ...rest } = keys ?? firstKeys();
        return { ...rest, paired: [...paired, key].slice(-MAX_PAIRED) };
      });
    },
    rotate: () => change(keys => ({ ...(keys ?? firstKeys()), installed: newKey(), paired: [] })),
  };
}
