import { parseArgs, type ParseArgsConfig } from 'node:util';
import { err, ok, type Result } from '../base/result.ts';
import { type CliIo, exitCodes } from './io.ts';
import { reportWrongUsage } from './report-failure.ts';

/** A command of `atlas-bridge` and how to read its arguments. */
export interface Command<A> {
  readonly name: string;
  readonly usage: string;
  /** Reads the arguments after the command name. */
  readonly read: (args: readonly string[]) => Result<A | 'help', string>;
}

/** Runs a command, or prints its help, or reports wrong arguments. Resolves with the exit code. */
export async function runCommand<A>(
  { name, usage, read }: Command<A>,
  args: readonly string[],
  io: CliIo,
  run: (command: A) => Promise<number>,
): Promise<number> {
  const command = read(args);
  if (!command.ok) return reportWrongUsage(command.error, name, io);
  if (command.value !== 'help') return run(command.value);
  io.out(usage);
  return exitCodes.done;
}

/** Reads options and positional arguments. The error is Node's, shortened to one phrase. */
export function parseOptions<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: O,
) {
  try {
    return ok(parseArgs({ args: [...args], allowPositionals: true, options }));
  } catch (error) {
    const [problem = ''] = String(error instanceof Error ? error.message : error).split(/\.\s/);
    return err(
      problem
        .replace(/^Option '(-\w, )?(--\S+).*' argument missing$/, "option '$2' requires a value")
        .replace(/^Option '(--\S+)' argument is ambiguous$/, "option '$1' requires a value")
        .replace(/^(?:Unknown|Option|Unexpected)/, first => first.toLowerCase()),
    );
  }
}
