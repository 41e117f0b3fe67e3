import { HTTP_LIMITS } from '../protocol/limits.ts';

export const usage = `Usage: atlas-bridge <command> [options]

Commands:
  serve <project folder>   Run the bridge for a project, without VS Code, until it is stopped.
  build [project] …        Make a model or place file of a project; see atlas-bridge build --help.
  syncback [project] --input <file> …
                           Write what a place file holds into a project; see atlas-bridge syncback --help.
  sourcemap [project] …    Say which file is which instance; see atlas-bridge sourcemap --help.
  sync [project] --place <file> …
                           Compare a project with a place file, or sync the two; see atlas-bridge sync --help.
  mcp [--project <folder>] [--toolset sync|docs|pluto]
                           Serve one MCP client over the standard streams: from the bridge that runs for the folder (default: the
                           current one), or from one of its own.
  mcp --stdio --toolset docs
                           Serve the docs tools to one MCP client, configured by environment variables.
  mcp --stdio --toolset pluto [--project <folder>] [--read-only]
                           Serve the Pluto tools for a folder (default: the current one) to one MCP client, without a bridge.
  pluto …                  Work on Pluto modules; see atlas-bridge pluto --help.
  headless …               Run headless Studio; see atlas-bridge headless --help.

Options of serve:
  --port <number>   Port to listen on (default ${HTTP_LIMITS.defaultPort}); the next free one when it is taken, any when 0.
  --dialect <name>  The Studio plugin that is greeted there: atlas (and ours; the default) or rojo. Without it and --port, the usual
                    port of Rojo's plugin (${HTTP_LIMITS.rojoPort}) is served as well, if it is free.
  --json            Print one line of JSON with the addresses instead of words.

Options:
  -h, --help        Show this text.
  -v, --version     Show the version.

The log goes to the standard error output; ATLAS_BRIDGE_LOG=debug|info|warn|error says how much of it.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;
