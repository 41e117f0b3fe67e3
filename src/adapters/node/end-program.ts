import type { ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';
import { runQuietly } from './run-quietly.ts';

/**
 * Ends a program and its child processes. On POSIX, sends a signal, which the programs forward. Windows has no signals, so the process tree
 * is ended.
 */
export async function endProgram(
  child: Pick<ChildProcess, 'pid' | 'kill'>,
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  run = runQuietly,
): Promise<void> {
  if (platform !== 'win32' || child.pid === undefined) return void child.kill();
  // Not looked up on the PATH, where any program could have that name.
  const windows = env['SystemRoot'] ?? String.raw`C:\Windows`;
  const taskkill = win32.join(windows, 'System32', 'taskkill.exe');
  const output = await run(taskkill, ['/T', '/F', '/PID', String(child.pid)], windows);
  if (output === undefined) child.kill();
}
