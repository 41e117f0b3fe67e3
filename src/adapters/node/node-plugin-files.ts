import { temporaryBeside } from './temporary-beside.ts';
import { describeCause } from '../../base/describe-cause.ts';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { AppError } from '../../base/errors.ts';
import { writeFlushed } from './flushed-files.ts';
import { readStateFile, writeStateFile } from './state-file.ts';
import type { PluginFiles } from '../../ports/plugin-files.ts';
import { makeStateFolder } from './make-state-folder.ts';

/** Version of a receipt's content. */
const RECEIPT_VERSION = 1;

/** `replaceWholeFile` and `removeWholeFile` of `adapters/fs`, which this folder may not import. */
interface WholeFiles {
  readonly replace: (path: string, bytes: Uint8Array, mayReplace: (there: Uint8Array) => boolean) => Promise<boolean>;
  readonly remove: (path: string, mayRemove: (there: Uint8Array) => boolean) => Promise<boolean>;
}

/**
 * Files of this machine.
 *
 * @param receipt absolute path of the file that holds the receipt
 */
export function createNodePluginFiles(receipt: string, { replace, remove }: WholeFiles): PluginFiles {
  return {
    isFolder: async path => (await ifFound(stat(path)))?.isDirectory() === true,
    read: async path => ifFound(readFile(path)),
    replace: (path, bytes, expected) =>
      replace(path, bytes, there => expected !== undefined && Buffer.compare(there, expected) === 0),
    async writeSecret(path, bytes, mayReplace) {
      const beside = temporaryBeside(path);
      try {
        await mkdir(dirname(path), { recursive: true });
        await writeFlushed(beside, bytes);
        const isReplaced = mayReplace(await ifFound(readFile(path)));
        if (isReplaced) await rename(beside, path);
        else await rm(beside, { force: true });
        return isReplaced;
      } catch (error) {
        await rm(beside, { force: true });
        const reason = describeCause(error);
        throw new AppError('FS_WRITE_FAILED', { file: path, reason }, { cause: error });
      }
    },
    remove: (path, expected) => remove(path, there => Buffer.compare(there, expected) === 0),
    receipt: async () => (await readStateFile(receipt, RECEIPT_VERSION))?.value,
    async saveReceipt(value) {
      try {
        await makeStateFolder(dirname(receipt));
        await writeStateFile(receipt, RECEIPT_VERSION, value);
      } catch (error) {
        const reason = describeCause(error);
        throw new AppError('FS_WRITE_FAILED', { file: receipt, reason }, { cause: error });
      }
    },
  };
}
