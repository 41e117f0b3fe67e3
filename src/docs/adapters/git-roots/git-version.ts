import { devNull } from 'node:os';
import { messageOf } from '../../../base/describe-cause.ts';
import { AppError } from '../../../base/errors.ts';
import { hardenedGit } from './hardened-git.ts';

/** The first version that can ignore the user's git configuration (`GIT_CONFIG_GLOBAL`). */
const MIN_GIT_VERSION = '2.32';

/** Checks that a supported git is installed. @throws AppError GIT_NOT_FOUND, GIT_TOO_OLD */
export async function checkGit(signal: AbortSignal): Promise<void> {
  let text: string;
  try {
    text = await hardenedGit({ gitDir: devNull, protocols: [], signal }, ['version']);
  } catch (error) {
    signal.throwIfAborted();
    const [reason = ''] = messageOf(error).split('\n');
    throw new AppError('GIT_NOT_FOUND', { reason });
  }
  const version = /\d+\.\d+(?:\.\d+)?/.exec(text)?.[0] ?? text.trim();
  if (!isAtLeast(version, MIN_GIT_VERSION)) throw new AppError('GIT_TOO_OLD', { version, needed: MIN_GIT_VERSION });
}

export function isAtLeast(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
