import { execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs a program and resolves with its output; `undefined` if it cannot be run or fails. Never prompts.
 *
 * @param program absolute, because Windows would search `folder` first, which may contain a program of the repository
 */
export type RunQuietly = (program: string, args: readonly string[], folder: string) => Promise<Uint8Array | undefined>;

/** In milliseconds. The first call of a Windows program from WSL is slow. */
const BUDGET_MS = 10_000;

const execute = promisify(execFile);

export const runQuietly: RunQuietly = async (program, args, folder) => {
  if (!isAbsolute(program)) return undefined;
  try {
    const options = { cwd: folder, timeout: BUDGET_MS, encoding: 'buffer', windowsHide: true } as const;
    return (await execute(program, [...args], options)).stdout;
  } catch {
    return undefined;
  }
};
