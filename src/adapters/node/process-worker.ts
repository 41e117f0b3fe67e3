/** Worker thread that starts processes. Starting one copies the page tables of this process, which blocks the thread for 20 ms at 850 MB. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../base/describe-cause.ts';
import { errorCode } from '../../base/errno.ts';

export interface ProcessOptions {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
}

export type OutputName = 'stdout' | 'stderr';

/** A request about the process with this id. */
export type ProcessRequest = { readonly id: number } & (
  | { readonly kind: 'start'; readonly options: ProcessOptions }
  /** Asks for one piece of output. */
  | { readonly kind: 'read'; readonly output: OutputName }
  /** No more output is read. */
  | { readonly kind: 'close'; readonly output: OutputName }
  /** Writes to the standard input; `undefined` ends it. */
  | { readonly kind: 'write'; readonly text: string | undefined }
  | { readonly kind: 'kill'; readonly signal: NodeJS.Signals }
);

/** The failure of a system call has its code, which messages between threads drop from an error. */
export interface StartFailure {
  readonly message: string;
  readonly code: string | undefined;
}

export type ProcessReply = { readonly id: number } &
  /** A requested piece of output; `undefined` at its end. */
  (
    | { readonly kind: 'output'; readonly output: OutputName; readonly bytes: Uint8Array<ArrayBuffer> | undefined }
    /** The process has ended, or was not started. Output may follow. */
    | { readonly kind: 'ended'; readonly code: number | null; readonly failure?: StartFailure }
  );

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Only requested pieces are read: unread output stays in the pipe and stops the process, not in the memory of this one. */
  readonly pieces: Readonly<Record<OutputName, AsyncIterator<unknown>>>;
}

const running = new Map<number, Running>();

const post = (reply: ProcessReply, transferred: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(reply, transferred);

const failureFrom = (error: unknown): StartFailure => ({ message: messageOf(error), code: errorCode(error) });

function start(id: number, { program, args, env, cwd }: ProcessOptions): void {
  const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  const piecesOf = (stream: Readable): AsyncIterator<unknown> => {
    // The iterator listens from its first piece on, and Node discards the output of an ended process that nothing listens to.
    stream.on('readable', () => undefined);
    return stream[Symbol.asyncIterator]();
  };
  running.set(id, { child, pieces: { stdout: piecesOf(child.stdout), stderr: piecesOf(child.stderr) } });
  // The process may end before it has read its input.
  child.stdin.on('error', () => undefined);
  child.on('error', error => {
    if (child.pid === undefined) post({ id, kind: 'ended', code: null, failure: failureFrom(error) });
  });
  child.on('exit', code => post({ id, kind: 'ended', code }));
  child.on('close', () => running.delete(id));
}

async function sendPiece(id: number, output: OutputName): Promise<void> {
  // A pipe that breaks has no more output; the exit code of the process says why.
  const next = await running
    .get(id)
    ?.pieces[output].next()
    .catch(() => undefined);
  if (next === undefined || next.done === true) return post({ id, kind: 'output', output, bytes: undefined });
  // A copy, because a message passes whole blocks of memory on, and streams share theirs.
  const bytes = Uint8Array.from(next.value as Uint8Array);
  post({ id, kind: 'output', output, bytes }, [bytes.buffer]);
}

parentPort?.on('message', (request: ProcessRequest) => {
  const { id, kind } = request;
  if (kind === 'start') {
    try {
      return start(id, request.options);
    } catch (error) {
      return post({ id, kind: 'ended', code: null, failure: failureFrom(error) });
    }
  }
  if (kind === 'read') return void sendPiece(id, request.output);
  const child = running.get(id)?.child;
  if (kind === 'close') return void child?.[request.output].destroy();
  if (kind === 'kill') return void child?.kill(request.signal);
  if (request.text === undefined) return void child?.stdin.end();
  child?.stdin.write(request.text);
});
