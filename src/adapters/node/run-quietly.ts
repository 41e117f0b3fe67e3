import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program and resolves with what it printed; `undefined` when it cannot be run or fails. Never asks anybody anything. */
export type RunQuietly = (program: string, args: readonly string[], folder: string) => Promise<Uint8Array | undefined>;

/** Windows starts slowly when WSL calls it for the first time. Milliseconds. */
const BUDGET_MS = 10_000;

const execute = promisify(execFile);

export const runQuietly: RunQuietly = async (program, args, folder) => {
  try {
    const options = { cwd: folder, timeout: BUDGET_MS, encoding: 'buffer', windowsHide: true } as const;
    return (await execute(program, [...args], options)).stdout;
  } catch {
    return undefined;
  }
};
