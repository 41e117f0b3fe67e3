import { fstatSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { installedStudioKey } from '../../adapters/node/json-studio-keys.ts';
import { AppError } from '../../base/errors.ts';
import { bundledFiles } from '../../headless-studio/bundled-files.ts';
import { type HeadlessStudio, startHeadlessStudio } from '../../headless-studio/headless-studio.ts';
import type { HeadlessCommand, HeadlessEvent } from '../../protocol/headless.ts';
import { type HeadlessArgs, headlessCommand } from './headless-args.ts';
import { describeEvent, readCommandLine } from './headless-lines.ts';
import { type CliIo, exitCodes } from '../io.ts';
import { commandLog } from '../log-level.ts';
import { printStack } from '../report-failure.ts';
import { checkOutput, writeCommandOutput } from '../write-command-output.ts';
import { runCommand } from '../run-command.ts';

/** The source of command lines: standard input. */
export type CommandInput = NodeJS.ReadableStream & { readonly isTTY?: boolean; readonly fd?: number };

/** `atlas-bridge headless`: runs headless Studio until Ctrl+C, `exit` or the end of the input. Resolves with the exit code. */
export function runHeadless(args: readonly string[], io: CliIo, input: CommandInput = process.stdin): Promise<number> {
  return runCommand(headlessCommand, args, io, command => open(command, io, input));
}

async function open(command: HeadlessArgs, io: CliIo, input: CommandInput): Promise<number> {
  const print = (event: HeadlessEvent): void => {
    if (command.json) io.out(JSON.stringify(event), 'data');
    else for (const line of describeEvent(event, command.port)) io.out(line);
  };
  const start = async (): Promise<HeadlessStudio> => {
    // The work of a session would be lost.
    if (command.save !== undefined) await checkOutput(resolve(io.cwd, command.save));
    return await startHeadlessStudio({
      ...bundledFiles(),
      place: resolve(io.cwd, command.place),
      placeId: command.placeId,
      key: installedStudioKey(io.env),
      log: commandLog(io, 'warn', 'headless'),
    });
  };
  const started = await start().catch((error: unknown) => {
    if (!command.json) throw error;
    return AppError.from(error);
  });
  // With --json, every line is JSON, including errors.
  if (started instanceof AppError) {
    print({ event: 'failed', message: started.message });
    printStack(started, io);
    return exitCodes.failed;
  }
  await using studio = started;
  using _logs = studio.onLog(line => print({ event: 'log', ...line }));
  using _statuses = studio.onStatus(status => print({ event: 'status', status }));
  print({ event: 'loaded', place: basename(command.place), instances: studio.instances });
  if (command.port !== undefined) studio.connect(command.port);
  return await serve(studio, command, io, input, print);
}

async function serve(
  studio: HeadlessStudio,
  command: HeadlessArgs,
  io: CliIo,
  input: CommandInput,
  print: (event: HeadlessEvent) => void,
): Promise<number> {
  const done = Promise.withResolvers<void>();
  const finish = (): void => done.resolve();
  if (io.stop.aborted) finish();
  io.stop.addEventListener('abort', finish, { once: true });

  // Without a bridge, only the input can send commands.
  const endsWithInput = hasEnd(input) || command.port === undefined;
  const lines = createInterface({ input, terminal: false });
  // Chunks run in sequence, so each sees the effects of the previous one.
  let queue: Promise<unknown> = Promise.resolve();
  let current: Task | undefined;
  let isOver = false;
  lines.on('line', line => {
    queue = queue.then(() => handleLine(line));
  });
  lines.on('close', () => {
    if (endsWithInput) void queue.then(finish);
  });
  const handleLine = async (line: string): Promise<void> => {
    if (isOver) return;
    const read = readCommandLine(line, command.json);
    if (!read.ok) return print({ event: 'failed', message: read.error });
    if (read.value === undefined) return;
    if ('exit' in read.value) return finish();
    current = read.value;
    const event = await execute(studio, current, io);
    current = undefined;
    if (!isOver) print(event);
  };

  const termination = await Promise.race([done.promise, studio.terminated]);
  lines.close();
  if (termination !== undefined) {
    print({ event: 'ended', reason: termination.reason });
    return exitCodes.failed;
  }
  isOver = true;
  const interrupted = current;
  if (interrupted !== undefined) {
    const phase = 'save' in interrupted ? 'saving the place' : 'running a chunk';
    print(failedBy(interrupted, new AppError('CANCELLED', { phase })));
  }
  const saved = command.save === undefined ? undefined : await execute(studio, { save: command.save }, io);
  if (saved !== undefined) print(saved);
  // A chunk that loops never reacts to a stop request.
  if (interrupted !== undefined) await studio.kill();
  return interrupted === undefined && saved?.event !== 'failed' ? exitCodes.done : exitCodes.failed;
}

/** Commands that take time. */
type Task = Exclude<HeadlessCommand, { exit: true }>;

const idOf = ({ id }: Task) => (id === undefined ? {} : { id });

const failedBy = (command: Task, error: unknown): HeadlessEvent => ({
  event: 'failed',
  ...idOf(command),
  message: AppError.from(error).message,
});

/** Whether the input can end a session: a terminal, pipe or file can. A program in the background has the null device as its input. */
function hasEnd({ isTTY, fd }: CommandInput): boolean {
  return isTTY === true || fd === undefined || !fstatSync(fd).isCharacterDevice();
}

async function execute(studio: HeadlessStudio, command: Task, io: CliIo): Promise<HeadlessEvent> {
  const id = idOf(command);
  try {
    if ('save' in command) {
      const file = resolve(io.cwd, command.save);
      await writeCommandOutput({ folder: undefined, file, command: 'headless' }, await studio.format(file), io);
      return { event: 'saved', ...id, file };
    }
    const result = await studio.run(command.run);
    if (!result.ok) return { event: 'result', ...id, ...result };
    const { printed, values } = result;
    const json = values.map(value => value.json);
    return { event: 'result', ...id, ok: true, values: json, texts: values.map(value => value.text), printed };
  } catch (error) {
    return failedBy(command, error);
  }
}
