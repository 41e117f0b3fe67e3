import { parseArgs, type ParseArgsConfig } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';
import { type CliIo, exitCodes } from './io.ts';

/** A command of `atlas-bridge`, before it is run. */
export interface Command<A> {
  readonly name: string;
  readonly usage: string;
  /** The error says what is wrong with the arguments behind the name. */
  readonly read: (args: readonly string[]) => Result<A | 'help', string>;
}

/** Runs a command with its arguments; answers wrong ones and the question for help itself. Answers the exit code. */
export async function runCommand<A>(
  { name, usage, read }: Command<A>,
  args: readonly string[],
  io: CliIo,
  run: (command: A) => Promise<number>,
): Promise<number> {
  const command = read(args);
  if (!command.ok) {
    io.err(`atlas-bridge ${name}: ${command.error}.\n\n${usage}`);
    return exitCodes.usage;
  }
  if (command.value !== 'help') return run(command.value);
  io.out(usage);
  return exitCodes.done;
}

/** Options and positional arguments; the error is that of Node, without its advice on arguments that begin with a dash. */
export function parseOptions<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: O,
) {
  try {
    return ok(parseArgs({ args: [...args], allowPositionals: true, options }));
  } catch (error) {
    const [problem = ''] = String(error instanceof Error ? error.message : error).split(/\.\s/);
    return err(
      problem.replace(/^Option '(.*)' argument missing$/, "option '$1' lacks its value").replace(/^Unknown/, 'unknown'),
    );
  }
}
