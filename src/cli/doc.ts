import { stat } from 'node:fs/promises';
import { dirname, win32 } from 'node:path';
import { platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { findOnPath } from '../adapters/node/find-on-path.ts';
import { runQuietly } from '../adapters/node/run-quietly.ts';
import { ifFound } from '../base/errno.ts';
import { isBundled } from '../base/is-bundled.ts';
import { err, ok, type Result } from '../base/result.ts';
import { answerDone } from './command-answer.ts';
import type { CliIo } from './io.ts';
import { type Command, parseOptions, runCommand } from './run-command.ts';
import { docSpec } from './table/tool-specs.ts';

interface DocArgs {
  readonly json: boolean;
}

const docCommand: Command<DocArgs> = { spec: docSpec, read: readDocArgs };

function readDocArgs(args: readonly string[]): Result<DocArgs | 'help', string> {
  const parsed = parseOptions(args, docSpec);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [unexpected] = positionals;
  return unexpected === undefined ? ok({ json: values.json === true }) : err(`unexpected argument '${unexpected}'`);
}

/** `atlas-bridge doc`: prints the start page, and opens it for a person at a terminal. Resolves with the exit code. */
export function runDoc(args: readonly string[], io: CliIo): Promise<number> {
  return runCommand(docCommand, args, io, async ({ json }) => {
    const page = startPage();
    if ((await ifFound(stat(page))) === undefined) throw new Error('the documentation is not beside the program');
    const opener = io.terminal === undefined || json ? undefined : await findPageOpener(platform, io.env);
    if (opener !== undefined) await runQuietly(opener, [page], dirname(page));
    return answerDone({ page }, page, { json, io });
  });
}

/** The absolute path of the program that opens a page; `undefined` if there is none. */
export async function findPageOpener(system: NodeJS.Platform, env: CliIo['env']): Promise<string | undefined> {
  if (system === 'darwin') return '/usr/bin/open';
  if (system === 'win32') return win32.join(env['SystemRoot'] ?? String.raw`C:\Windows`, 'explorer.exe');
  return findOnPath('xdg-open', env['PATH']);
}

/** Absolute path of the start page: beside the bundle, or in the repository. */
const startPage = (): string =>
  fileURLToPath(new URL(isBundled(import.meta.url) ? '../docs/README.md' : '../../docs/README.md', import.meta.url));
