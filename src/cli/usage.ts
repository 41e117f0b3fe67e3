import { settingUsage } from './setting-args.ts';
import { HTTP_LIMITS } from '../protocol/limits.ts';

export const usage = `Usage: atlas-bridge <command> [options]

Commands:
  build       Build a place or model file
  syncback    Write the content of a place or model file into a project
  sourcemap   Write a sourcemap for the Luau language server
  sync        Compare a project with a place file or Studio, or sync them
  restore     Restore the files as they were before a recorded sync
  serve       Run the bridge for a project without VS Code
  mcp         Serve an MCP client over standard input and output
  headless    Open a place in headless Studio
  pluto       Check, format, run and convert Pluto modules

Options:
  -h, --help     Print help, for a command after its name
  -v, --version  Print the version

The log is written to standard error; ATLAS_BRIDGE_LOG sets its level: debug, info, warn or error.
Exit codes: 0 success, 1 failure, 2 wrong usage.`;

export const serveUsage = `Usage: atlas-bridge serve <folder> [options]

Run the bridge for a project without VS Code. If a bridge runs for the folder already, relay MCP clients to it until it ends.

Options:
  --port <port>        Port to listen on [default: ${HTTP_LIMITS.defaultPort}, or the next free port]; 0 chooses a free one
  --plugin <plugin>    Studio plugin on that port: atlas (also Atlas Bridge's own) or rojo. Without --port and --plugin, the
                       bridge also listens on ${HTTP_LIMITS.rojoPort} for the Rojo plugin when that port is free
  --dialect <dialect>  Read the project as rojo or atlas [default: detected from the project file]
${settingUsage}
  --allow-unpaired     Let every local program connect as a Studio. Plugins of Rojo and Atlas require this, because they cannot
                       prove that they belong to you
  --json               Print the addresses as one line of JSON
  -h, --help           Print help`;

export const mcpUsage = `Usage: atlas-bridge mcp [options]

Serve an MCP client over standard input and output. Uses the bridge that runs for the folder, or starts one.

Options:
  --project <folder>   Folder of the project [default: current folder]
  --toolset <toolset>  Serve only these tools: sync, docs or pluto
  --dialect <dialect>  Read the project as rojo or atlas [default: detected from the project file]
  --stdio              With --toolset docs or pluto: serve the tools without a bridge; docs reads environment variables only
${settingUsage}
  --read-only          With --stdio --toolset pluto: refuse every edit
  -h, --help           Print help`;
