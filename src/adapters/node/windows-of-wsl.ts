import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Runs a program and resolves with what it printed; `undefined` when it cannot be run or fails. Never asks anybody anything. */
export type RunQuietly = (program: string, args: readonly string[], folder: string) => Promise<Uint8Array | undefined>;

/** Windows starts slowly when WSL calls it for the first time. Milliseconds. */
const BUDGET_MS = 10_000;

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

const execute = promisify(execFile);

const runQuietly: RunQuietly = async (program, args, folder) => {
  try {
    const options = { cwd: folder, timeout: BUDGET_MS, encoding: 'buffer', windowsHide: true } as const;
    return (await execute(program, [...args], options)).stdout;
  } catch {
    return undefined;
  }
};
