import { spawn, type SpawnOptions } from 'node:child_process';

/** Runs a program that shares this process's output. Rejects with the command and its exit code or signal. */
export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', error => reject(new Error(`${command} did not start: ${error.message}`, { cause: error })));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}
