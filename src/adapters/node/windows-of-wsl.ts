import { dirname } from 'node:path';
import { type RunQuietly, runQuietly } from './run-quietly.ts';

/**
 * In WSL, the folder of the Windows user for local application data as a Linux path: `/mnt/c/Users/Ada/AppData/Local`. `undefined`
 * elsewhere, and if WSL may not run Windows programs.
 */
export async function windowsLocalData(
  env: Readonly<Record<string, string | undefined>>,
  run: RunQuietly = runQuietly,
): Promise<string | undefined> {
  if (env['WSL_DISTRO_NAME'] === undefined) return undefined;
  const toLinuxPath = async (path: string): Promise<string | undefined> => {
    const printed = await run('/usr/bin/wslpath', ['-u', path], '/');
    const linuxPath = printed === undefined ? '' : new TextDecoder().decode(printed).trim();
    return linuxPath.startsWith('/') ? linuxPath : undefined;
  };
  const cmd = await toLinuxPath(String.raw`C:\Windows\System32\cmd.exe`);
  if (cmd === undefined) return undefined;
  // `/u`: UTF-16, because names outside the code page would be lost. `/d`: skips the commands in the registry.
  const printed = await run(cmd, ['/d', '/u', '/c', 'echo %LOCALAPPDATA%'], dirname(cmd));
  const local = printed === undefined ? '' : new TextDecoder('utf-16le').decode(printed).trim();
  return /^[a-z]:\\[^%]+$/i.test(local) ? toLinuxPath(local) : undefined;
}
