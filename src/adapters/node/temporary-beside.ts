import { randomBytes } from 'node:crypto';

/** The name of a file that is written before it replaces `path` or is linked there. `makeStateFolder` removes abandoned ones. */
export const temporaryBeside = (path: string): string => `${path}.${randomBytes(8).toString('hex')}.tmp`;

/** Whether a file name is one of `temporaryBeside`, or of a pack that is being written. */
export const isTemporary = (name: string): boolean => /\.(?:[0-9a-f]{16}|pack)\.tmp$/.test(name);
