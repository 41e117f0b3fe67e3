import { stdin, stdout } from 'node:process';
import { nodeClock } from '../../adapters/node/clock.ts';
import { configurationError } from '../scope/open-scope.ts';
import { namesRoots, readConfiguration, type RootConfiguration } from '../roots/configuration.ts';
import { retrievalOfHost } from '../retrieval.ts';
import { createToolRegistry } from '../../mcp/registry.ts';
import { docsTools } from '../tools/docs-toolset.ts';
import { createCompatView } from '../tools/compat/compat-view.ts';
import { recordCalls } from '../tools/record-calls.ts';
import { instructions } from '../../mcp/instructions.ts';
import { serveStdio } from '../../transport/mcp/serve-stdio.ts';
import { type CliIo, exitCodes } from '../../cli/io.ts';
import { commandLog } from '../../cli/log-level.ts';
import { createEnvironmentRootHost } from '../adapters/node/environment-root-host.ts';

/**
 * Runs `atlas-bridge mcp --stdio --toolset docs`: serves the docs tools to one client, configured by environment variables alone.
 * Writes only the protocol to standard output, and one line of JSON per call to standard error.
 */
export async function runDocs(io: CliIo): Promise<number> {
  const host = await createEnvironmentRootHost(io.env, [], undefined);
  const retrieval = retrievalOfHost(host, nodeClock);
  // The standalone server has no workspace folders to use as roots.
  const { problems } = namesRoots(io.env) ? await retrieval.listRoots() : readConfiguration(io.env);
  if (problems.length > 0) {
    const { code, message, details, hint } = configurationError(problems);
    io.err(JSON.stringify({ level: 'error', event: 'config_error', code, message, details, hint }), 'data');
    return exitCodes.failed;
  }
  const deps = { retrieval, clock: nodeClock, gitRoots: host.gitRoots };
  const strict = createToolRegistry(docsTools, deps, [
    { toolset: 'docs', prompts: [], resources: undefined, instructions: instructions.docs },
  ]).all;
  const isCompat = servesOldClients(await retrieval.configuration());
  const view = recordCalls(isCompat ? createCompatView(deps, strict) : strict, nodeClock, line => io.err(line, 'data'));
  // Errors only, so that no log line precedes the record of a call.
  const log = commandLog(io, 'error');
  const server = { clock: nodeClock, log, version: io.version };
  await serveStdio(server, view, { input: stdin, output: stdout }, isCompat, io.stop);
  return exitCodes.done;
}

/** Whether to serve the old tools: on request, or if only the old variables are set. */
const servesOldClients = ({ api, isLegacy }: RootConfiguration): boolean =>
  api === 'compat' || (api === 'auto' && isLegacy);
