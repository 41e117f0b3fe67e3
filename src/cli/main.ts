/** The composition root of the command line: runs each command with the parts that it needs, without VS Code. */
import { executeCommandLine } from './command-line.ts';
import type { CliIo } from './io.ts';
import { processIo } from './process-io.ts';
import { processTerminal } from './review/terminal.ts';
import type { CommandName } from './table/command-table.ts';
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
export const runCommandLine = (args: readonly string[], io: CliIo): Promise<number> =>
  executeCommandLine(args, io, async (name, rest, commandIo) => {
    try {
      return await run(name, rest, commandIo);
    } catch (error) {
      // Loaded on failure only, because it imports the code of projects.
      const { answerFailed } = await import('./command-answer.ts');
      return answerFailed(error, [], { json: rest.includes('--json'), io: commandIo });
    }
  });

/** Runs the command that `args` name. Resolves with the exit code. */
export const main = (args: readonly string[], version: string): Promise<number> =>
  runCommandLine(args, {
    ...processIo(args, version),
    terminal: processTerminal(process.stdin, process.stderr, process.env),
  });
