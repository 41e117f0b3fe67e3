import { homedir } from 'node:os';
import { basename } from 'node:path';
import { env, platform } from 'node:process';
import { windowsLocalData } from './windows-of-wsl.ts';

/** What decides where Studio looks for plugins on this machine. Windows is asked until it has answered once: it may be starting. */
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
