import { randomBytes } from 'node:crypto';

/** A new name beside `path` for a file that is written and then renamed or linked to `path`. `makeStateFolder` removes abandoned ones. */
export const temporaryBeside = (path: string): string => `${path}.${randomBytes(8).toString('hex')}.tmp`;

/** Whether a file name is from `temporaryBeside`, or that of a pack that is being written. */
export const isTemporary = (name: string): boolean => /\.(?:[0-9a-f]{16}|pack)\.tmp$/.test(name);
