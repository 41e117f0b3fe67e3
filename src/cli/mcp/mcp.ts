import { type CliIo, exitCodes } from '../io.ts';
import { readMcpArgs } from './mcp-args.ts';
import { runDocs } from './mcp-docs.ts';
import { runPlutoServer } from '../../pluto/cli/mcp-server.ts';
import { runRelay } from './mcp-relay.ts';
import type { LoadPlutoToolset } from '../../pluto/tools/pluto-toolset.ts';
import { usage } from '../usage.ts';

/** `atlas-bridge mcp`: serves one MCP client over the standard streams. */
export async function runMcp(args: readonly string[], io: CliIo, loadPluto: LoadPlutoToolset): Promise<number> {
  const wish = readMcpArgs(args);
  if (!wish.ok) {
    io.err(`atlas-bridge: ${wish.error}.\n\n${usage}`);
    return exitCodes.usage;
  }
  switch (wish.value.kind) {
    case 'help':
      io.out(usage);
      return exitCodes.done;
    case 'docs':
      return runDocs(io);
    case 'relay':
      return runRelay(wish.value, io, loadPluto);
    case 'pluto':
      return runPlutoServer(wish.value, io, loadPluto);
  }
}
