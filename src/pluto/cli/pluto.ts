import { relative, resolve } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { commandHint } from '../../protocol/error-body.ts';
import { type CliIo, exitCodes } from '../../cli/io.ts';
import { checkModules, analyzeFile } from './check.ts';
import { emitAst, format } from './convert.ts';
import { runCommand } from '../../cli/run-command.ts';
import { plutoSpec } from '../../cli/table/tool-specs.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import { openTarget, type PlutoTarget } from './open-session.ts';
import type { PlutoAnswer } from './pluto-answer.ts';
import { type PlutoArgs, readPlutoArgs } from './pluto-args.ts';
import { compileFile, runFile, testFile } from './programs.ts';
import { createProgramRunner } from '../program/host/program-runner.ts';
import { openPlutoToolset } from '../tools/open-toolset.ts';
import type { OpenPlutoToolset } from '../tools/pluto-toolset.ts';
import { generateViews, migrate, syncFile } from './views.ts';

const commands: Readonly<
  Record<PlutoArgs['command'], (target: PlutoTarget, args: PlutoArgs, io: CliIo) => Promise<PlutoAnswer>>
> = {
  check: checkModules,
  run: runFile,
  test: testFile,
  compile: compileFile,
  analyze: analyzeFile,
  'generate-pt': generateViews,
  sync: syncFile,
  migrate,
  'emit-ast': emitAst,
  fmt: format,
};

/** Runs `atlas-bridge pluto …`. Resolves with the exit code. */
export function runPluto(args: readonly string[], io: CliIo): Promise<number> {
  return runCommand({ spec: plutoSpec, read: readPlutoArgs }, args, io, parsed => execute(parsed, io));
}

/** The toolset of an MCP server without an editor. */
export const openToolset: OpenPlutoToolset = (host, options, signal) => {
  const programs = createProgramRunner({ folder: host.files.root, environment: process.env, startedBy: 'agent' });
  return openPlutoToolset({ ...host, programs }, options, signal);
};

async function execute(args: PlutoArgs, io: CliIo): Promise<number> {
  let target: PlutoTarget | undefined;
  try {
    target = await openTarget(args, io, false);
    let answer = await commands[args.command](target, args, io);
    // What is missing may be in another file of the folder, which belongs to the module.
    if (!target.isFolder && answer.findings?.some(({ severity }) => severity === 'error') === true) {
      target = await openTarget(args, io, true);
      answer = await commands[args.command](target, args, io);
    }
    const { folder } = target;
    const { isDone, json, outputLines, findings = [], exitCode } = answer;
    const shownFindings = findings.map(one => ({ ...one, file: relative(io.cwd, resolve(folder, one.file)) }));
    if (args.json) io.out(JSON.stringify({ ...json, ...(findings.length > 0 && { diagnostics: shownFindings }) }));
    else {
      for (const { file, line, column, severity, message } of shownFindings)
        io.err(`${file}:${line}:${column}: ${severity}: ${message}`);
      for (const line of outputLines) io.out(line, 'program');
    }
    return exitCode ?? (isDone ? exitCodes.done : exitCodes.failed);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, details } = error;
    const hint = commandHint(error);
    if (args.json) io.out(JSON.stringify({ success: false, error: { code, message, hint, details }, diagnostics: [] }));
    else reportFailure(target === undefined ? error : withShownPaths(error, target), io);
    return exitCodes.failed;
  }
}

/** Converts project paths in the error for display. */
function withShownPaths(error: AppError, { path, displayPath }: PlutoTarget): AppError {
  const seen = Object.entries(error.details).map(([key, value]: [string, unknown]) => {
    const isPath = typeof value === 'string' && (key === 'path' || (key === 'what' && value === path));
    return [key, isPath ? displayPath(value) : value] as const;
  });
  // Only strings are replaced by strings.
  return new AppError(error.code, Object.fromEntries(seen) as unknown as AppError['details']);
}
