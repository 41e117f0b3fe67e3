import { randomBytes } from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../ports/logger.ts';
import { createWhole } from './create-whole.ts';
import { putFlushed } from './flushed-files.ts';
import { temporaryBeside } from './temporary-beside.ts';
import { withFileLock } from './lock-file.ts';
import { writingState } from './writing-state.ts';
import { makeStateFolder } from './make-state-folder.ts';

/** 256 bits, so that it cannot be guessed; URL-safe, so that it can be pasted anywhere. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Age at which a token is replaced, so that a copy of it does not work forever. */
export const MAX_TOKEN_AGE_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * The bearer token in `file`, created on first use. Only the user may read the file (mode 0600; its folder is created with 0700). A file
 * without a valid token is replaced, because a crash may have left it empty, and so is a token that is too old.
 *
 * @param renew whether to replace a valid token too
 * @throws AppError STATE_NOT_WRITABLE
 */
export async function loadOrCreateToken(file: string, log: Pick<Logger, 'warn'>, renew = false): Promise<string> {
  const folder = dirname(file);
  return await writingState(folder, async () => {
    await makeStateFolder(folder);
    const created = newToken();
    if (await createWhole(file, `${created}\n`)) return created;
    const found = await readToken(file);
    if (found.token !== undefined && !found.isOld && !renew) return found.token;
    return await withFileLock(`${file}.lock`, async () => {
      // Another process may have replaced it meanwhile.
      const now = await readToken(file);
      if (now.token !== undefined && !now.isOld && (!renew || now.token !== found.token)) return now.token;
      await putFlushed(file, temporaryBeside(file), new TextEncoder().encode(`${created}\n`));
      const why = now.token === undefined ? 'the token file was damaged' : now.isOld ? 'the token was old' : undefined;
      if (why !== undefined && !renew)
        log.warn(`${why} and has been replaced; clients with the old token must be set up again`, { file });
      return created;
    });
  });
}

interface FoundToken {
  /** `undefined`: the file has no valid token. */
  readonly token: string | undefined;
  readonly isOld: boolean;
}

async function readToken(file: string): Promise<FoundToken> {
  await chmod(file, 0o600);
  const text = (await readFile(file, 'utf8')).trim();
  const isOld = Date.now() - (await stat(file)).mtimeMs > MAX_TOKEN_AGE_MS;
  return { token: /^[\w-]{43}$/.test(text) ? text : undefined, isOld };
}
