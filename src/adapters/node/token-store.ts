import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../ports/logger.ts';
import { createWhole } from './create-whole.ts';
import { withFileLock } from './lock-file.ts';
import { writingState } from './writing-state.ts';

/** 256 bits, so that it cannot be guessed; URL-safe, so that it can be pasted anywhere. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * The bearer token in `file`, created on first use. Only the user may read the file (mode 0600; its folder is created with 0700). A file
 * without a valid token is replaced, because a crash may have left it empty.
 *
 * @throws AppError STATE_NOT_WRITABLE
 */
export async function loadOrCreateToken(file: string, log: Pick<Logger, 'warn'>): Promise<string> {
  const folder = dirname(file);
  return await writingState(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const created = newToken();
    if (await createWhole(file, `${created}\n`)) return created;
    const known = await readToken(file);
    if (known !== undefined) return known;
    return await withFileLock(`${file}.lock`, async () => {
      // Another process may have replaced it meanwhile.
      const replaced = await readToken(file);
      if (replaced !== undefined) return replaced;
      await rm(file, { force: true });
      await createWhole(file, `${created}\n`);
      log.warn('the token file was damaged and has a new token; clients with the old token must be set up again', {
        file,
      });
      return created;
    });
  });
}

async function readToken(file: string): Promise<string | undefined> {
  await chmod(file, 0o600);
  const token = (await readFile(file, 'utf8')).trim();
  return /^[\w-]{43}$/.test(token) ? token : undefined;
}
