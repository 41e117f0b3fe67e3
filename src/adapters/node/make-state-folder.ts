import { mkdir } from 'node:fs/promises';

/**
 * Makes a folder for state and those above it that are missing, which only the user may open: the state holds texts of the project and keys.
 * The first program that needs one of them makes it, so each makes it so.
 */
export async function makeStateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}
