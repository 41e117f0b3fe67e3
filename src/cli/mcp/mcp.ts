import { type CliIo, exitCodes } from '../io.ts';
import { readMcpArgs } from './mcp-args.ts';
import { runDocs } from '../../docs/cli/run-docs.ts';
import { runPlutoServer } from '../../pluto/cli/mcp-server.ts';
import { runRelay } from './mcp-relay.ts';
import type { LoadPlutoToolset } from '../../pluto/tools/pluto-toolset.ts';
import { reportWrongUsage } from '../report-failure.ts';
import { mcpSpec } from '../table/bridge-specs.ts';
import { helpText } from '../table/help-text.ts';

/** `atlas-bridge mcp`: serves one MCP client over standard input and output. Resolves with the exit code. */
export async function runMcp(args: readonly string[], io: CliIo, loadPluto: LoadPlutoToolset): Promise<number> {
  const command = readMcpArgs(args);
  if (!command.ok) return reportWrongUsage(command.error, 'mcp', io);
  switch (command.value.kind) {
    case 'help':
      io.out(helpText(mcpSpec), 'data');
      return exitCodes.done;
    case 'docs':
      return runDocs(io);
    case 'relay':
      return runRelay(command.value, io, loadPluto);
    case 'pluto':
      return runPlutoServer(command.value, io, loadPluto);
  }
}
