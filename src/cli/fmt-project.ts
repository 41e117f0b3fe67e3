import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { findFirstExisting } from '../adapters/fs/project-reach.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import type { ProjectPath } from '../base/brand.ts';
import { AppError } from '../base/errors.ts';
import { ok } from '../base/result.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';
import { decodeUtf8Text } from '../roblox/formats/utf8-text.ts';
import { answerDone, answerFailed } from './command-answer.ts';
import { type CliIo, exitCodes } from './io.ts';
import { openCommandJournal } from './open-journal.ts';
import { findProject } from '../app/find-project.ts';
import { formatJson5 } from './format-json5.ts';
import { type ProjectArgs, readProjectArgs } from './project-args.ts';
import { type Command, runCommand } from './run-command.ts';
import { fmtProjectSpec } from './table/project-specs.ts';
import { writeTransaction } from './write-transaction.ts';

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
  const name = projectFile ?? (await findFirstExisting(folder, names));
  if (name === undefined) throw new AppError('NO_PROJECT', { folder, lookedFor: names });
  const file = join(folder, name);
  const shown = relative(io.cwd, file);
  const bytes = await readFile(file);
  const decoded = decodeUtf8Text(bytes);
  const formatted = decoded.ok ? formatJson5(decoded.value) : decoded;
  if (!formatted.ok) throw new AppError('PROJECT_INVALID', { file: shown, ...formatted.error });
  const text = Buffer.from(formatted.value);
  if (text.equals(bytes)) return answerDone({ file, changed: false }, `${shown} is formatted`, { json, io });
  if (check) {
    if (json) io.out(JSON.stringify({ ok: false, file, changed: false }), 'data');
    else {
      io.err(`error: ${shown} is not formatted`);
      io.err("hint: run 'atlas-bridge fmt-project'");
    }
    return exitCodes.failed;
  }
  const { transactions } = await openCommandJournal(folder, io);
  // The file is in the project folder, so its name is its path.
  const path = name as ProjectPath;
  const precondition = { kind: 'hash', gitBlob: nodeHasher.gitBlob(bytes) } as const;
  const edits = [{ kind: 'write', path, bytes: text, precondition } as const];
  await writeTransaction({ requestedBy: 'fmt-project', title: `Format of ${name}`, edits }, folder, transactions, io);
  return answerDone({ file, changed: true }, `Formatted ${shown}`, { json, io });
}
