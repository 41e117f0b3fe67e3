/** The composition root of the command line: everything that the extension can do to a project, without VS Code. */
import { isColored, readArgs, readGlobalArgs } from './args.ts';
import { type CliIo, createCliOutput, exitCodes } from './io.ts';
import { processTerminal } from './review/terminal.ts';
import { reportWrongUsage } from './report-failure.ts';
import { unreadLogFilter, withVerbosity } from './log-level.ts';
import { type CommandName, commandTable, specOf } from './table/command-table.ts';
import { helpText, overview } from './table/help-text.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';

/** Loads the Pluto language on first use, because few MCP clients need it. */
const loadToolset: LoadPlutoToolset = async () => {
  const { openToolset } = await import('../pluto/cli/open-toolset.ts');
  return openToolset;
};

/** Loads only the code of the command that runs, which keeps every command quick to start. */
async function run(name: CommandName, args: readonly string[], io: CliIo): Promise<number> {
  switch (name) {
    case 'init': {
      const { runInit } = await import('./init/init.ts');
      return runInit(args, io);
    }
    case 'build': {
      const { runBuild } = await import('./build.ts');
      return runBuild(args, io);
    }
    case 'syncback': {
      const { runSyncback } = await import('./syncback.ts');
      return runSyncback(args, io);
    }
    case 'sourcemap': {
      const { runSourcemap } = await import('./sourcemap.ts');
      return runSourcemap(args, io);
    }
    case 'fmt-project': {
      const { runFmtProject } = await import('./fmt-project.ts');
      return runFmtProject(args, io);
    }
    case 'upload': {
      const { runUpload } = await import('./upload.ts');
      return runUpload(args, io);
    }
    case 'sync': {
      const { runSyncCommand } = await import('./sync.ts');
      return runSyncCommand(args, io, loadToolset);
    }
    case 'restore': {
      const { runRestore } = await import('./restore.ts');
      return runRestore(args, io);
    }
    case 'serve': {
      const { runServe } = await import('./serve.ts');
      return runServe(args, io, loadToolset);
    }
    case 'mcp': {
      const { runMcp } = await import('./mcp/mcp.ts');
      return runMcp(args, io, loadToolset);
    }
    case 'headless': {
      const { runHeadless } = await import('./headless/headless.ts');
      return runHeadless(args, io);
    }
    case 'test': {
      const { runTest } = await import('../game-tests/cli/test-command.ts');
      return runTest(args, io);
    }
    case 'pluto': {
      const { runPluto } = await import('../pluto/cli/pluto.ts');
      return runPluto(args, io);
    }
    case 'plugin': {
      const { runPlugin } = await import('./plugin.ts');
      return runPlugin(args, io);
    }
    case 'doc': {
      const { runDoc } = await import('./doc.ts');
      return runDoc(args, io);
    }
    case 'completions': {
      const { runCompletions } = await import('./shell/shell-commands.ts');
      return runCompletions(args, io);
    }
    case 'man': {
      const { runMan } = await import('./shell/shell-commands.ts');
      return runMan(args, io);
    }
  }
}

/** Runs a command line in a given process. Resolves with the exit code. */
export async function runCommandLine(args: readonly string[], outer: CliIo): Promise<number> {
  const read = readGlobalArgs(args);
  if (!read.ok) return reportWrongUsage(read.error, undefined, outer);
  const { globals, rest } = read.value;
  if (rest.length === 0 && globals.verbosity > 0) {
    // `-v` alone asks for the version, as in most programs.
    outer.out(outer.version);
    return exitCodes.done;
  }
  const unread = unreadLogFilter(outer.env['ATLAS_BRIDGE_LOG']);
  if (unread !== undefined) outer.err(unread);
  const log = withVerbosity(outer.env['ATLAS_BRIDGE_LOG'], globals.verbosity);
  const io: CliIo = { ...outer, env: { ...outer.env, ATLAS_BRIDGE_LOG: log } };
  const parsed = readArgs(rest);
  if (!parsed.ok) return reportWrongUsage(parsed.error, undefined, io);
  const command = parsed.value;
  switch (command.kind) {
    case 'help':
      io.out(command.command === undefined ? overview(commandTable) : helpText(specOf(command.command)), 'data');
      return exitCodes.done;
    case 'version':
      io.out(io.version);
      return exitCodes.done;
    case 'command':
      try {
        return await run(command.command, command.args, io);
      } catch (error) {
        // Loaded on failure only: it loads the code of projects.
        const { answerFailed } = await import('./command-answer.ts');
        return answerFailed(error, [], { json: command.args.includes('--json'), io });
      }
  }
}

/** Runs the command that `args` name. Resolves with the exit code. */
export async function main(args: readonly string[], version: string): Promise<number> {
  const stop = new AbortController();
  // The first signal lets the command finish cleanly. `once`: the second one ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const io: CliIo = {
    ...createCliOutput(
      text => process.stdout.write(text),
      text => process.stderr.write(text),
      isColored(args, process.env, process.stderr.isTTY),
    ),
    cwd: process.cwd(),
    env: process.env,
    stop: stop.signal,
    terminal: processTerminal(process.stdin, process.stderr, process.env),
    version,
  };
  return runCommandLine(args, io);
}
