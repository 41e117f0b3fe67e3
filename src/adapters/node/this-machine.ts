import { homedir } from 'node:os';
import { basename } from 'node:path';
import { env, platform } from 'node:process';
import { windowsLocalData } from './windows-of-wsl.ts';

/**
 * The facts that determine Studio's plugin folders on this machine. Retries Windows until it has answered once, because it may be starting.
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
