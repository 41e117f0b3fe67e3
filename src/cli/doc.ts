import { stat } from 'node:fs/promises';
import { dirname, win32 } from 'node:path';
import { platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { findOnPath } from '../adapters/node/find-on-path.ts';
import { runQuietly } from '../adapters/node/run-quietly.ts';
import { ifFound } from '../base/errno.ts';
import { isBundled } from '../base/is-bundled.ts';
import { answerDone } from './command-answer.ts';
import type { CliIo } from './io.ts';
import { readOnlyJson, runCommand } from './run-command.ts';
import { docSpec } from './table/tool-specs.ts';

/** `atlas-bridge doc`: prints the start page, and opens it for a person at a terminal. Resolves with the exit code. */
export function runDoc(args: readonly string[], io: CliIo): Promise<number> {
  const read = (args: readonly string[]) => readOnlyJson(args, docSpec);
  return runCommand({ spec: docSpec, read }, args, io, async ({ json }) => {
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
