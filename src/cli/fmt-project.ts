import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { format } from 'jsonc-parser';
import { firstThere } from '../adapters/fs/project-reach.ts';
import { replaceWholeFile } from '../adapters/fs/write-whole-file.ts';
import { AppError } from '../base/errors.ts';
import { ok } from '../base/result.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';
import { exactJsonValue, parseJsonDocument } from '../roblox/formats/json5-document.ts';
import { answerDone, answerFailed } from './command-answer.ts';
import { type CliIo, exitCodes } from './io.ts';
import { findProject } from './open-project.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type Command, runCommand } from './run-command.ts';
import { fmtProjectSpec } from './table/project-specs.ts';

interface FmtArgs extends ProjectArgs {
  readonly check: boolean;
}

const fmtCommand: Command<FmtArgs> = {
  spec: fmtProjectSpec,
  read: args => readProjectArgs(args, fmtProjectSpec, ({ check = false }) => ok({ check })),
};

/** `atlas-bridge fmt-project`. Resolves with the exit code. */
export function runFmtProject(args: readonly string[], io: CliIo): Promise<number> {
  return runCommand(fmtCommand, args, io, async command => {
    const answer = { json: command.json, io };
    try {
      return await formatProject(command, io);
    } catch (error) {
      return answerFailed(error, [], answer);
    }
  });
}

async function formatProject({ project, dialect, check, json }: FmtArgs, io: CliIo): Promise<number> {
  const { folder, projectFile } = await findProject(resolve(io.cwd, project), dialect);
  const names = defaultProjectNames(dialect);
  const name = projectFile ?? (await firstThere(folder, names));
  if (name === undefined) throw new AppError('NO_PROJECT', { folder, lookedFor: names });
  const file = join(folder, name);
  const shown = relative(io.cwd, file);
  const bytes = await readFile(file);
  const formatted = layOut(bytes.toString('utf8'), shown);
  const isFormatted = Buffer.from(formatted).equals(bytes);
  if (isFormatted) return answerDone({ file, changed: false }, `${shown} is formatted`, { json, io });
  if (check) {
    if (json) io.out(JSON.stringify({ ok: false, file, changed: false }));
    else io.err(`error: ${shown} is not formatted\nhint: run 'atlas-bridge fmt-project'`);
    return exitCodes.failed;
  }
  const isReplaced = await replaceWholeFile(file, Buffer.from(formatted), there => bytes.equals(there));
  if (!isReplaced) throw new AppError('FS_WRITE_FAILED', { file, reason: 'it has changed meanwhile' });
  return answerDone({ file, changed: true }, `Formatted ${shown}`, { json, io });
}

/** The text with the standard layout. @throws AppError PROJECT_INVALID */
function layOut(text: string, file: string): string {
  const before = parseJsonDocument(text);
  if (!before.ok) throw new AppError('PROJECT_INVALID', { file, ...before.error });
  const edits = format(text, undefined, { tabSize: 2, insertSpaces: true, eol: '\n', insertFinalNewline: true });
  const changed = edits
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (whole, { offset, length, content }) => whole.slice(0, offset) + content + whole.slice(offset + length),
      text,
    );
  const after = parseJsonDocument(changed);
  // The formatter knows JSON with comments. It must not change the meaning of what only JSON5 has, such as single quotes.
  const isSame =
    after.ok &&
    isDeepStrictEqual(exactJsonValue(after.value.root), exactJsonValue(before.value.root)) &&
    inked(changed) === inked(text);
  return isSame ? changed : text;
}

const inked = (text: string): string => text.replaceAll(/\s/g, '');
