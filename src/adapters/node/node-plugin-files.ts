import { readFile, rm, stat } from 'node:fs/promises';
import { AppError } from '../../base/errors.ts';
import type { PluginFiles } from '../../ports/plugin-files.ts';

/**
 * Files of this machine.
 *
 * @param receipt absolute path of the file that holds the receipt
 * @param write   writes a file whole, with its missing folders
 */
export function createNodePluginFiles(
  receipt: string,
  write: (path: string, bytes: Uint8Array) => Promise<void>,
): PluginFiles {
  return {
    isFolder: async path => (await stat(path).catch(absent))?.isDirectory() === true,
    read: async path => readFile(path).catch(absent),
    write,
    async remove(path) {
      try {
        await rm(path);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new AppError('FS_WRITE_FAILED', { file: path, reason }, { cause: error });
      }
    },
    receipt: async () => readFile(receipt, 'utf8').catch(absent),
    keepReceipt: text => write(receipt, new TextEncoder().encode(text)),
  };
}

/** A path that cannot be looked at is no file that is not there. */
function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
    return undefined;
  throw error;
}
