import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import type { StudioKey, StudioKeyring, StudioKeys } from '../../ports/studio-keys.ts';
import { parseJson } from '../../base/parse-json.ts';
import { StoredStudioKeys } from '../../protocol/stored-studio-keys.ts';
import { putFlushed } from './flushed-files.ts';
import { withFileLock } from './lock-file.ts';
import { userStateFolder } from './state-folder.ts';

/** Maximum number of paired plugins. */
const MAX_PAIRED = 32;

const ID_BYTES = 8;
const SECRET_BYTES = 32;

const newKey = (): StudioKey => ({
  id: randomBytes(ID_BYTES).toString('hex'),
  secret: randomBytes(SECRET_BYTES).toString('hex'),
});

/** The file of the keys. @param state see `userStateFolder` */
export const studioKeysFile = (state: string): string => join(state, 'studio-keys.json');

/** Reads the key of headless Studio from the state folder of the user. */
export const installedStudioKey =
  (env: Readonly<Record<string, string | undefined>>): (() => Promise<StudioKey>) =>
  async () =>
    (await createJsonStudioKeys(studioKeysFile(userStateFolder(env))).read()).installed;

/** Keys in a file that only the user can read (mode 0600), replaced atomically, under a lock. */
export function createJsonStudioKeys(file: string): StudioKeys {
  const load = async (): Promise<StudioKeyring | undefined> => {
    const found = await ifFound(stat(file));
    if (found === undefined) return undefined;
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) await chmod(file, 0o600);
    const stored = StoredStudioKeys.safeParse(parseJson(await readFile(file, 'utf8')));
    if (!stored.success) throw new Error(`${file} is not a valid key file; remove the file and start again`);
    const { machine, installed, paired } = stored.data;
    return { machine, installed, paired };
  };
  const save = async (keys: StudioKeyring): Promise<StudioKeyring> => {
    const beside = `${file}.${randomBytes(ID_BYTES).toString('hex')}`;
    await putFlushed(file, beside, Buffer.from(`${JSON.stringify({ version: 1, ...keys })}\n`));
    return keys;
  };
  const change = async (changed: (keys: StudioKeyring | undefined) => StudioKeyring): Promise<StudioKeyring> => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return withFileLock(`${file}.lock`, async () => {
      const before = await load();
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
    read: async () => (await load()) ?? change(keys => keys ?? firstKeys()),
    async addPaired(key) {
      await change(keys => {
        const { paired, ...rest } = keys ?? firstKeys();
        return { ...rest, paired: [...paired, key].slice(-MAX_PAIRED) };
      });
    },
    rotate: () => change(keys => ({ ...(keys ?? firstKeys()), installed: newKey(), paired: [] })),
  };
}
