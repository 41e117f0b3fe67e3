/** Worker thread that starts git. Starting a process copies the page tables of this one, which blocks the thread for 20 ms at 850 MB. */
import { parentPort } from 'node:worker_threads';
import { GitError, type GitProcess, runGit } from './run-git.ts';

export type GitCommand = Omit<GitProcess, 'signal' | 'onOutput'>;

/** Runs a command, or ends the one with that id. */
export type GitRequest =
  | { readonly id: number; readonly command: GitCommand; readonly args: readonly string[] }
  | { readonly id: number; readonly command: undefined };

export type GitReply =
  | { readonly id: number; readonly output: Uint8Array }
  | { readonly id: number; readonly output: undefined; readonly message: string; readonly exitCode?: number | null };

const running = new Map<number, AbortController>();

async function reply({ id, command, args }: GitRequest & { readonly command: GitCommand }): Promise<GitReply> {
  const control = new AbortController();
  running.set(id, control);
  try {
    return { id, output: await runGit({ ...command, signal: control.signal }, args) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, output: undefined, message, ...(error instanceof GitError && { exitCode: error.exitCode }) };
  } finally {
    running.delete(id);
  }
}

/** The memory of a large output, which is passed on and not copied. A small one is a part of memory that others use. */
function buffersOf({ output }: GitReply): ArrayBuffer[] {
  const buffer = output?.buffer;
  return buffer instanceof ArrayBuffer && buffer.byteLength === output?.byteLength ? [buffer] : [];
}

parentPort?.on('message', (request: GitRequest) => {
  if (request.command === undefined) return running.get(request.id)?.abort();
  void reply(request).then(answer => parentPort?.postMessage(answer, buffersOf(answer)));
});
