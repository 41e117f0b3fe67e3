import { relative, resolve } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { commandHint } from '../../protocol/error-body.ts';
import { type CliIo, exitCodes } from '../../cli/io.ts';
import { runCommand } from '../../cli/run-command.ts';
import { plutoSpec } from '../../cli/table/tool-specs.ts';
import { printStack, reportFailure } from '../../cli/report-failure.ts';
import { JournalUnavailable, type LoadJournal, openTarget, type PlutoTarget } from './open-session.ts';
import type { PlutoAnswer } from './pluto-answer.ts';
import { type PlutoArgs, readPlutoArgs } from './pluto-args.ts';

type Run = (target: PlutoTarget, args: PlutoArgs, io: CliIo) => Promise<PlutoAnswer>;

/** Code that a command may need. */
export interface PlutoCode {
  readonly loadCommand: (name: PlutoArgs['command']) => Promise<Run>;
  readonly loadJournal: LoadJournal;
}

/** Runs the command of `atlas-bridge pluto …`. Resolves with the exit code. @throws JournalUnavailable as of `loadJournal` */
export const executePluto = (args: readonly string[], io: CliIo, code: PlutoCode): Promise<number> =>
  runCommand({ spec: plutoSpec, read: readPlutoArgs }, args, io, parsed => execute(parsed, io, code));

async function execute(args: PlutoArgs, io: CliIo, { loadCommand, loadJournal }: PlutoCode): Promise<number> {
  let target: PlutoTarget | undefined;
  try {
    const run = await loadCommand(args.command);
    target = await openTarget(args, io, false, loadJournal);
    let answer = await run(target, args, io);
    // Missing names may be in another file of the folder, which belongs to the module.
    if (!target.isFolder && answer.findings?.some(({ severity }) => severity === 'error') === true) {
      target = await openTarget(args, io, true, loadJournal);
      answer = await run(target, args, io);
    }
    const { folder } = target;
    const { isDone, json, outputLines, isProgramOutput = false, findings = [], exitCode } = answer;
    const shownFindings = findings.map(one => ({ ...one, file: relative(io.cwd, resolve(folder, one.file)) }));
    if (args.json)
      io.out(JSON.stringify({ ...json, ...(findings.length > 0 && { diagnostics: shownFindings }) }), 'data');
    else {
      for (const { file, line, column, severity, message } of shownFindings)
        io.err(`${file}:${line}:${column}: ${severity}: ${message}`);
      for (const line of outputLines) io.out(line, isProgramOutput ? 'program' : undefined);
    }
    return exitCode ?? (isDone ? exitCodes.done : exitCodes.failed);
  } catch (failure) {
    if (failure instanceof JournalUnavailable) throw failure;
    const error = AppError.from(failure);
    const { code, message, details } = error;
    const hint = commandHint(error);
    if (args.json) {
      io.out(JSON.stringify({ success: false, error: { code, message, hint, details }, diagnostics: [] }), 'data');
      printStack(error, io);
    } else reportFailure(target === undefined ? error : withShownPaths(error, target), io);
    return exitCodes.failed;
  }
}

/** Converts project paths in the error for display. */
function withShownPaths(error: AppError, { path, displayPath }: PlutoTarget): AppError {
  const seen = Object.entries(error.details).map(([key, value]: [string, unknown]) => {
    const isPath = typeof value === 'string' && (key === 'path' || (key === 'what' && value === path));
    return [key, isPath ? displayPath(value) || '.' : value] as const;
  });
  // Only strings are replaced by strings.
  const details = Object.fromEntries(seen) as unknown as AppError['details'];
  return new AppError(error.code, details, { cause: error.cause });
}
