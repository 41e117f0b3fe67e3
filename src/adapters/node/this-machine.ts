import { homedir } from 'node:os';
import { basename } from 'node:path';
import { env, platform } from 'node:process';
import { windowsLocalData } from './windows-of-wsl.ts';

/** What decides where Studio looks for plugins on this machine; Windows is asked once. */
export function thisMachine() {
  let windows: Promise<string | undefined> | undefined;
  return async () => ({
    platform,
    home: homedir(),
    userName: env['USER'] ?? basename(homedir()),
    env,
    windowsLocalData: await (windows ??= windowsLocalData(env)),
  });
}
