import type { AppError } from '../base/errors.ts';
import { commandHint } from '../protocol/error-body.ts';
import { type CliIo, exitCodes } from './io.ts';

/** Prints `error: …`, and the next step as `hint: …`. */
export function reportFailure(error: AppError, io: CliIo): void {
  io.err(`error: ${asPhrase(error.message)}\nhint: ${asPhrase(commandHint(error))}`);
}

/** Prints what is wrong with the arguments of a command, and how to get help. Returns the exit code. */
export function reportWrongUsage(error: string, command: string | undefined, io: CliIo): number {
  const name = command === undefined ? 'atlas-bridge' : `atlas-bridge ${command}`;
  io.err(`error: ${error}\nhint: run '${name} --help' for usage`);
  return exitCodes.usage;
}

const properNames = /^(?:Atlas|Git|Luau|MCP|Node|Pluto|Roblox|Rojo|Studio)\b/;

/** A sentence in the style of a terminal: lower case, no full stop at the end. */
function asPhrase(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  // A word with further capitals is an identifier.
  return properNames.test(text) || !/^[A-Z][a-z]*\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
