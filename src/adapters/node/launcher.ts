import { temporaryBeside } from './temporary-beside.ts';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { makeStateFolder } from './make-state-folder.ts';

/** The path of the `atlas-bridge` launcher, which is the same for every version. */
export const launcherPath = (state: string, platform: NodeJS.Platform = process.platform): string =>
  join(state, 'bin', platform === 'win32' ? 'atlas-bridge.cmd' : 'atlas-bridge');

/** The text of the launcher: runs the CLI with the Node of VS Code, so that Node need not be installed. */
export function launcherText(node: string, cli: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return `@echo off\r\nset ELECTRON_RUN_AS_NODE=1\r\n"${node}" "${cli}" %*\r\n`;
  const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} ${quoted(cli)} "$@"\n`;
}

/** Writes the launcher unless it is up to date. @param onlyIfExists for updates: a removed launcher stays removed */
export async function writeLauncher(path: string, text: string, onlyIfExists = false): Promise<void> {
  const known = await ifFound(readFile(path, 'utf8'));
  if (known === text || (onlyIfExists && known === undefined)) return;
  await makeStateFolder(dirname(path));
  const beside = temporaryBeside(path);
  await writeFile(beside, text);
  await chmod(beside, 0o755);
  await rename(beside, path);
}
