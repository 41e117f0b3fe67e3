import { readArgs, readGlobalArgs } from './args.ts';
import { type CliIo, exitCodes } from './io.ts';
import { unreadLogFilter, withVerbosity } from './log-level.ts';
import { reportWrongUsage } from './report-failure.ts';
import { type CommandName, commandTable, specOf } from './table/command-table.ts';
import { helpText, overview } from './table/help-text.ts';

/** Reads a command line and runs its command, or prints help, the version or what is wrong. Resolves with the exit code. */
export async function executeCommandLine(
  args: readonly string[],
  outer: CliIo,
  run: (name: CommandName, args: readonly string[], io: CliIo) => Promise<number>,
): Promise<number> {
  const read = readGlobalArgs(args);
  if (!read.ok) return reportWrongUsage(read.error, undefined, outer);
  const { globals, rest } = read.value;
  if (rest.length === 0 && globals.verbosity > 0) {
    // `-v` alone asks for the version, as in most programs.
    outer.out(outer.version);
    return exitCodes.done;
  }
  const unread = unreadLogFilter(outer.env['ATLAS_BRIDGE_LOG']);
  if (unread !== undefined) outer.err(unread);
  const log = withVerbosity(outer.env['ATLAS_BRIDGE_LOG'], globals.verbosity);
  const io: CliIo = { ...outer, env: { ...outer.env, ATLAS_BRIDGE_LOG: log } };
  const parsed = readArgs(rest);
  if (!parsed.ok) return reportWrongUsage(parsed.error, undefined, io);
  const command = parsed.value;
  switch (command.kind) {
    case 'help':
      io.out(command.command === undefined ? overview(commandTable) : helpText(specOf(command.command)), 'data');
      return exitCodes.done;
    case 'version':
      io.out(io.version);
      return exitCodes.done;
    case 'command':
      return run(command.command, command.args, io);
  }
}
