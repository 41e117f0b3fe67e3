import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifFound } from '../../base/errno.ts';

/** Where `atlas-bridge` lies for programs that start it: the same at every version of ours. */
export const launcherPath = (state: string, platform: NodeJS.Platform = process.platform): string =>
  join(state, 'bin', platform === 'win32' ? 'atlas-bridge.cmd' : 'atlas-bridge');

/** The launcher's text: runs our CLI on the Node that VS Code itself runs on, so that none has to be installed. */
export function launcherText(node: string, cli: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return `@echo off\r\nset ELECTRON_RUN_AS_NODE=1\r\n"${node}" "${cli}" %*\r\n`;
  const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quoted(node)} ${quoted(cli)} "$@"\n`;
}

/** Writes the launcher unless it is up to date. @param onlyIfThere an update: a removed launcher stays removed */
export async function keepLauncher(path: string, text: string, onlyIfThere = false): Promise<void> {
  const known = await ifFound(readFile(path, 'utf8'));
  if (known === text || (onlyIfThere && known === undefined)) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, text);
  await chmod(beside, 0o755);
  await rename(beside, path);
}
