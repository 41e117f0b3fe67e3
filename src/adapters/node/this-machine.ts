import { homedir } from 'node:os';
import { basename } from 'node:path';
import { env, platform } from 'node:process';
import { windowsLocalData } from './windows-of-wsl.ts';

/**
 * Returns a function that reads the facts that determine Studio's plugin folders on this machine. In WSL, it asks Windows until Windows has
 * answered once, because Windows may be slow at first.
 */
export function thisMachine(askWindows: () => Promise<string | undefined> = () => windowsLocalData(env)) {
  let asking: Promise<string | undefined> | undefined;
  const windows = (): Promise<string | undefined> =>
    (asking ??= askWindows().then(found => {
      if (found === undefined) asking = undefined;
      return found;
    }));
  return async () => ({
    platform,
    home: homedir(),
    userName: env['USER'] ?? basename(homedir()),
    env,
    windowsLocalData: await windows(),
  });
}
