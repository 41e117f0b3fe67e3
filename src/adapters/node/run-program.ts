import { createInterface } from 'node:readline';
import { CommandAnswer } from '../../protocol/command-answer.ts';
import {
  type SyncbackAnswer,
  SyncbackEnding,
  SyncbackEvent,
  type SyncbackPreview,
} from '../../protocol/syncback-answer.ts';
import { UploadAnswer } from '../../protocol/upload-answer.ts';
import { parseJson } from '../../base/parse-json.ts';
import { JsonSyntaxError, parseJsonPausable } from '../../base/decode/paced-json.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { nodeClock } from './clock.ts';
import { startProcess } from './start-process.ts';

/**
 * Runs a command of `atlas-bridge` with `--json` in a new process, so that long work blocks nothing here. A cancelled command ends before
 * it writes, or after it has written everything.
 *
 * @param cli the program, absolute
 * @throws Error when the process prints no valid answer
 */
export async function runProgram(cli: string, args: readonly string[], signal: AbortSignal): Promise<CommandAnswer> {
  return converse(cli, args, signal, CommandAnswer, {}, async () => undefined);
}

/**
 * Runs `atlas-bridge upload` like `runProgram`.
 *
 * @param apiKey of Open Cloud; passed in the environment, because every program sees arguments
 */
export const runUploadProgram = (
  cli: string,
  args: readonly string[],
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<UploadAnswer> =>
  converse(
    cli,
    ['upload', ...args],
    signal,
    UploadAnswer,
    apiKey === undefined ? {} : { env: { ATLAS_BRIDGE_API_KEY: apiKey } },
    async () => undefined,
  );

/**
 * Runs `atlas-bridge syncback` like `runProgram`. The command prints its plan first, and carries out exactly this plan after a yes.
 *
 * @param ask gets the plan; false changes nothing
 */
export async function runSyncbackProgram(
  cli: string,
  args: readonly string[],
  signal: AbortSignal,
  ask: (plan: SyncbackPreview) => Promise<boolean>,
): Promise<SyncbackAnswer> {
  const plan: Omit<SyncbackPreview, 'counts'> = { writing: [], removing: [], refused: [], notes: [] };
  const ending = await converse(cli, ['syncback', ...args, '--confirm'], signal, SyncbackEnding, {}, async line => {
    const event = SyncbackEvent.safeParse(parseJson(line));
    if (!event.success) return undefined;
    if (event.data.event === 'asking') {
      const { event: _, ...counts } = event.data;
      return (await ask({ ...plan, counts })) ? 'yes\n' : 'no\n';
    }
    const { writing, removing, refused, notes } = event.data;
    plan.writing.push(...writing);
    plan.removing.push(...removing);
    plan.refused.push(...refused);
    plan.notes.push(...notes);
    return undefined;
  });
  return 'error' in ending ? ending : { ...ending, refused: plan.refused, notes: plan.notes };
}

/**
 * Runs a command of `atlas-bridge` with `--json`, and returns its last line.
 *
 * @param reply returns the answer to a line of the program, if any
 * @throws Error when the last line does not fit the schema
 */
export async function converse<T>(
  cli: string,
  args: readonly string[],
  signal: AbortSignal,
  schema: { safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false } },
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  reply: (line: string) => Promise<string | undefined>,
): Promise<T | typeof cancelled> {
  const child = startProcess({
    program: process.execPath,
    args: [cli, ...args, '--json'],
    // Inside VS Code, this is the program of the editor, which can run as Node.
    env: { ...process.env, ...options.env, ELECTRON_RUN_AS_NODE: '1' },
    cwd: options.cwd,
  });
  const stop = (): void => child.kill();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let last = '';
  const talk = async (): Promise<void> => {
    const slice = new TimeSlice(nodeClock);
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.trim() !== '') last = line;
      // Several lines can arrive at once.
      await slice.yieldToEventLoop();
      const answer = await reply(line);
      if (answer !== undefined) child.write(answer);
    }
  };
  try {
    const [, err, code] = await Promise.all([talk(), textOf(child.stderr), child.ended]);
    const parsed = await parseInSlices(last);
    const answer = schema.safeParse(parsed);
    if (answer.success) return answer.data;
    if (signal.aborted) return cancelled;
    throw new Error(`atlas-bridge ${args[0] ?? ''} ended with ${code} and no answer: ${err.trim() || last}`);
  } finally {
    child.write(undefined);
    child.stdout.destroy();
    child.stderr.destroy();
    signal.removeEventListener('abort', stop);
  }
}

/** An answer contains the problems of all files of a project. The program is part of Atlas Bridge, so only memory limits its size. */
const ANSWER_LIMITS = { bytes: 2 ** 30, depth: 64, elements: 10_000_000 };

/** Returns `undefined` for text that is not JSON. */
async function parseInSlices(line: string): Promise<unknown> {
  const slice = new TimeSlice(nodeClock);
  try {
    const parsed = await runInSlices(parseJsonPausable(new TextEncoder().encode(line), ANSWER_LIMITS), slice);
    await slice.waitForNextTurn();
    return parsed;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The answer of a process that was ended before it could answer, as on Windows, which has no signals. */
const cancelled: CommandAnswer & { readonly ok: false } = {
  ok: false,
  error: { code: 'CANCELLED', message: 'Cancelled.', hint: 'Run the command again to continue.' },
  problems: [],
};

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += String(chunk);
  return text;
}
