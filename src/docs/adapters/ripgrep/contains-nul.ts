import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Whether a file contains a NUL byte and is therefore binary; `false` if it can no longer be read. */
export async function containsNul(path: Buffer): Promise<boolean> {
  try {
    await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const buffer = Buffer.alloc(256 * 1024);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return false;
      if (buffer.subarray(0, bytesRead).includes(0)) return true;
    }
  } catch {
    // The file was removed. Its hits were text when they were found.
    return false;
  }
}
