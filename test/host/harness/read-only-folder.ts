import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';

/** Makes a folder read-only, until disposed. @returns a sentence if that is not possible here */
export function readOnlyFolder(folder: string): Disposable | string {
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o555);
    return { [Symbol.dispose]: () => chmodSync(folder, 0o755) };
  }
  // Permissions do not apply to root; this attribute does, on most disks of Linux.
  if (spawnSync('chattr', ['+i', folder]).status !== 0) return 'root may change every folder here';
  return { [Symbol.dispose]: () => void spawnSync('chattr', ['-i', folder]) };
}
