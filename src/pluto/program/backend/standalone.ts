import type { Hasher } from '../../../ports/hasher.ts';

const MARK = '// Made by Atlas Bridge (compile) from ';

export interface StandaloneParts {
  /** Path of the module, shown in the header comment. */
  readonly entry: string;
  /** The text of the program, from `lowerProgram`. */
  readonly program: string;
  /** A script that defines `plutoStandalone`. */
  readonly runtime: string;
}

/** Builds a JavaScript file that needs only Node. Its header has a hash, so that manual changes are detected. */
export function standaloneText({ entry, program, runtime }: StandaloneParts, hasher: Hasher): string {
  const body = `${runtime.trimEnd()}\nplutoStandalone.start(function ($rt) {\n${program.trimEnd()}\n});\n`;
  const name = entry.replaceAll(/[\r\n\u2028\u2029]/g, ' ');
  return `#!/usr/bin/env node\n${MARK}${name}. Do not edit: compile the module again.\n// sha256 ${hashOf(body, hasher)}\n${body}`;
}

/** Whether a text is unchanged output of `standaloneText`. */
export function isStandalone(text: string, hasher: Hasher): boolean {
  const match = /^#!.*\n(.*)\n\/\/ sha256 ([\da-f]{64})\n/.exec(text);
  return match?.[1]?.startsWith(MARK) === true && hashOf(text.slice(match[0].length), hasher) === match[2];
}

const hashOf = (text: string, hasher: Hasher): string => hasher.sha256(text);
