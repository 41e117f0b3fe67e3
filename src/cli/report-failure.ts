import type { AppError } from '../base/errors.ts';
import { commandHint } from '../protocol/error-body.ts';
import { type CliIo, exitCodes } from './io.ts';
import { isDebugFilter } from './log-level.ts';

/** Prints `error: …`, and the next step as `hint: …`. Adds the stack of an unexpected error if the log shows everything. */
export function reportFailure(error: AppError, io: CliIo): void {
  io.err(`error: ${asPhrase(error.message)}`);
  io.err(`hint: ${asPhrase(commandHint(error))}`);
  printStack(error, io);
}

/** Prints the stack of an unexpected error to standard error if the log shows everything, also with `--json`. */
export function printStack({ code, cause }: AppError, io: CliIo): void {
  if (code !== 'INTERNAL' || !(cause instanceof Error) || !isDebugFilter(io.env['ATLAS_BRIDGE_LOG'])) return;
  // Indented, so that no line of the message looks like one of this program.
  for (const line of (cause.stack ?? String(cause)).split('\n')) io.err(`  ${line}`);
}

/** Prints what is wrong with the arguments of a command, and how to get help. Returns the exit code. */
export function reportWrongUsage(error: string, command: string | undefined, io: CliIo): number {
  const name = command === undefined ? 'atlas-bridge' : `atlas-bridge ${command}`;
  io.err(`error: ${error}`);
  io.err(`hint: run '${name} --help' for usage`);
  return exitCodes.usage;
}

const properNames = /^(?:Atlas|Git|Luau|MCP|Node|Pluto|Roblox|Rojo|Studio)\b/;

/** A sentence in the style of a terminal: lower case, no full stop at the end. */
function asPhrase(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  // A word with further capitals is an identifier.
  return properNames.test(text) || !/^[A-Z][a-z]*\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
