import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Readable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { type ProgramJob, type ProgramMessage } from './program-thread.ts';
import { type ProgramLimits, runThread, stopResult, type ThreadResult } from './run-thread.ts';
import { appendShared, type SharedOutput } from './output.ts';
import { FrameReader, LOG_DESCRIPTOR, messageFrame, messageIn } from './process-log.ts';

/** Start data of a program process. */
interface ProcessJob {
  readonly job: Omit<ProgramJob, 'output'>;
  readonly limits: ProgramLimits;
}

/** The last message of a program process, and the only one of its main thread. */
interface ProcessEnd {
  readonly kind: 'end';
  readonly result: ThreadResult;
}

/** Milliseconds after the time limit until the process is killed, whatever it does. */
const GRACE_MS = 2_000;
/** Memory of Node and of the compiler that does not belong to the program. */
const OWN_MEGABYTES = 256;
const MEMORY_CHECK_MS = 50;

/**
 * Runs a program in a thread of a new process, until it ends or is stopped. The process is killed from outside: neither a system call that
 * never returns nor memory outside the heap can keep it.
 *
 * @param worker the main program of the process
 * @param output receives what the program printed
 * @throws the abort reason of `signal`
 */
export async function runProcess(
  worker: URL,
  job: Omit<ProgramJob, 'output'>,
  output: SharedOutput,
  limits: ProgramLimits,
  signal: AbortSignal,
  onMessage: (message: ProgramMessage) => void = () => {},
): Promise<ThreadResult> {
  signal.throwIfAborted();
  const systemRoot = process.env['SYSTEMROOT'];
  const child = spawn(process.execPath, [fileURLToPath(worker)], {
    // Inside VS Code this is the editor's program, which acts as Node when asked to.
    // Windows needs its root folder to start Node. The job contains the environment that the program may see.
    env: { ELECTRON_RUN_AS_NODE: '1', ...(systemRoot !== undefined && { SYSTEMROOT: systemRoot }) },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const messages: ProgramMessage[] = [];
  let end: ProcessEnd | undefined;
  let isLate = false;
  const receive = (message: ProgramMessage | ProcessEnd): void => {
    if (message.kind === 'end') {
      end = message;
      kill();
    } else if (message.kind === 'begun' && limits.seconds !== undefined) {
      const late = (): void => {
        isLate = true;
        kill();
      };
      timer = setTimeout(late, limits.seconds * 1_000 + GRACE_MS);
    } else messages.push(message);
  };
  try {
    const problem = await converse(child, { job, limits }, output, receive);
    signal.throwIfAborted();
    if (isLate) end ??= { kind: 'end', result: timeResult(limits) };
    else if (problem.isOutOfMemory) end ??= { kind: 'end', result: memoryResult(limits) };
    if (end === undefined) throw new Error(`the process of the program ended without a result: ${problem.text}`);
    messages.forEach(onMessage);
    return end.result;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

const timeResult = ({ seconds = 0 }: ProgramLimits): ThreadResult =>
  stopResult({ budget: 'time', limit: seconds, unit: 'seconds' });

const memoryResult = ({ megabytes }: ProgramLimits): ThreadResult =>
  stopResult({ budget: 'memory', limit: megabytes, unit: 'megabytes' });

/** Whether V8 ended a process because a block did not fit into its memory. */
const isOutOfMemory = (errors: string): boolean => /out of memory|invalid size error|Allocation failed/i.test(errors);

/** The errors that a process printed. */
interface Problem {
  /** The end of them. */
  readonly text: string;
  /** Whether they say anywhere that V8 had no memory left; a native trace of any length follows. */
  readonly isOutOfMemory: boolean;
}

/** Sends the job and receives output and messages until the process has ended. */
async function converse(
  child: ChildProcess,
  job: ProcessJob,
  output: SharedOutput,
  receive: (message: ProgramMessage | ProcessEnd) => void,
): Promise<Problem> {
  let errors = '';
  let hadNoMemory = false;
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
    hadNoMemory ||= isOutOfMemory(errors);
    errors = errors.slice(-2_000);
  });
  // A process that ends early says why on its error stream.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(serialize(job));
  for (const pipe of [child.stdout, child.stdio[LOG_DESCRIPTOR] as Readable]) {
    const frames = new FrameReader();
    pipe?.on('data', (chunk: Buffer) => {
      for (const frame of frames.take(chunk))
        if (frame.kind === 'message') receive(messageIn(frame) as ProgramMessage | ProcessEnd);
        else appendShared(output, frame.kind, frame.bytes);
    });
    // A killed process may reset its pipes.
    pipe?.on('error', () => undefined);
  }
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  return { text: errors.trim(), isOutOfMemory: hadNoMemory };
}

/** The main thread of a program process: runs the program in a thread, watches its memory, and reports to the parent process. */
export async function serveProgramProcess(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  const { job, limits } = deserialize(Buffer.concat(chunks)) as ProcessJob;
  // Without its parent, nothing would limit or read this process.
  process.stdout.once('error', () => process.exit(1));
  const end = (result: ThreadResult): void => {
    process.stdout.write(messageFrame({ kind: 'end', result } satisfies ProcessEnd));
  };
  const outOfMemory = memoryResult(limits);
  setInterval(() => {
    if (process.memoryUsage.rss() > (limits.megabytes + OWN_MEGABYTES) * 2 ** 20) end(outOfMemory);
  }, MEMORY_CHECK_MS);
  // The thread may be in a system call when its time is over, so its end is not awaited.
  const begun = (): void => {
    if (limits.seconds !== undefined) setTimeout(() => end(timeResult(limits)), limits.seconds * 1_000);
  };
  const untimed = { ...limits, seconds: undefined };
  end(await runThread({ ...job, output: 'log' }, untimed, new AbortController().signal, begun, { isProcessOwn: true }));
}
