import type { ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';
import { runQuietly } from './run-quietly.ts';

/**
 * Ends a program and what it has started. POSIX programs get a signal, which they forward; Windows has no signals, so its programs are ended
 * with their process tree.
 */
export async function endProgram(
  child: Pick<ChildProcess, 'pid' | 'kill'>,
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  run = runQuietly,
): Promise<void> {
  if (platform !== 'win32' || child.pid === undefined) return void child.kill();
  // Not looked for on the PATH, where anybody's program could have that name.
  const windows = env['SystemRoot'] ?? String.raw`C:\Windows`;
  const taskkill = win32.join(windows, 'System32', 'taskkill.exe');
  const said = await run(taskkill, ['/T', '/F', '/PID', String(child.pid)], windows);
  if (said === undefined) child.kill();
}
