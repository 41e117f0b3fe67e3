import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';

/** 256 bits, so that it cannot be guessed; URL-safe, so that it can be pasted anywhere. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/**
 * The bearer token of `file`, made on first use. Only the user may read the file (mode 0600; its folder is created with 0700); one
 * that others could read is closed again before it is used.
 */
export async function loadOrCreateToken(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await using handle = await open(file, 'wx', 0o600);
    const token = newToken();
    await handle.writeFile(`${token}\n`);
    await handle.sync();
    return token;
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
  }
  await chmod(file, 0o600);
  const token = (await readFile(file, 'utf8')).trim();
  // Another process may have created the file and not written it yet, or a crash may have left it empty.
  if (!/^[\w-]{43}$/.test(token)) throw new Error(`${file} holds no token; remove the file and start again`);
  return token;
}
