import { existsSync } from 'node:fs';
import { platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../adapters/node/run-quietly.ts';
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
    if (io.terminal !== undefined && !json) await runQuietly(openers[platform] ?? 'xdg-open', [page], io.cwd);
    return answerDone({ page }, page, { json, io });
  });
}

const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer.exe' };

/** Absolute path of the start page: beside the bundle, or in the repository. */
function startPage(): string {
  const [bundled, source] = ['../docs/README.md', '../../docs/README.md'].map(path => new URL(path, import.meta.url));
  const page = [source, bundled].find(url => url !== undefined && existsSync(url));
  if (page === undefined) throw new Error('the documentation is not beside the program');
  return fileURLToPath(page);
}
