import { dirname } from 'node:path';
import { type RunQuietly, runQuietly } from './run-quietly.ts';

/**
 * In WSL the folder of the Windows user for local application data, as Linux sees it: `/mnt/c/Users/Ada/AppData/Local`. `undefined`
 * elsewhere, and where WSL may not call Windows programs.
 */
export async function windowsLocalData(
  env: Readonly<Record<string, string | undefined>>,
  run: RunQuietly = runQuietly,
): Promise<string | undefined> {
  if (env['WSL_DISTRO_NAME'] === undefined) return undefined;
  const asLinuxSees = async (path: string): Promise<string | undefined> => {
    const printed = await run('/usr/bin/wslpath', ['-u', path], '/');
    const seen = printed === undefined ? '' : new TextDecoder().decode(printed).trim();
    return seen.startsWith('/') ? seen : undefined;
  };
  const cmd = await asLinuxSees(String.raw`C:\Windows\System32\cmd.exe`);
  if (cmd === undefined) return undefined;
  // `/u`: UTF-16, or names outside the code page are lost. `/d`: nothing that the registry would run first.
  const printed = await run(cmd, ['/d', '/u', '/c', 'echo %LOCALAPPDATA%'], dirname(cmd));
  const local = printed === undefined ? '' : new TextDecoder('utf-16le').decode(printed).trim();
  return /^[a-z]:\\[^%]+$/i.test(local) ? asLinuxSees(local) : undefined;
}
