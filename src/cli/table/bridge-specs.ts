/** Commands that run a bridge or headless Studio, and those on recorded syncs. */
import { HTTP_LIMITS } from '../../protocol/limits.ts';
import type { CommandSpec } from './command-spec.ts';
import {
  background,
  dialectOption,
  jsonOption,
  placeIdOption,
  projectArgument,
  robloxTs,
  setOption,
} from './shared-options.ts';

export const serveSpec = {
  name: 'serve',
  summary: 'Run the bridge for a project without VS Code',
  description:
    'Run the bridge for a project without VS Code, until Ctrl+C. If a bridge already runs for the folder, relay MCP clients to it until it ends.',
  arguments: [projectArgument],
  options: {
    port: {
      type: 'string',
      value: 'port',
      text: `Port to listen on [default: servePort of the project, or ${HTTP_LIMITS.defaultPort}, or the next free port]; 0 chooses a free one`,
    },
    address: {
      type: 'string',
      value: 'address',
      text: 'Address to listen on: 127.0.0.1 or localhost, because only this computer may connect [default: 127.0.0.1]',
    },
    plugin: {
      type: 'string',
      value: 'plugin',
      choices: ['atlas', 'rojo'],
      text: `Studio plugin that connects to that port: atlas (the plugins of Atlas Bridge and Atlas) or rojo. Without --port and --plugin, the bridge also listens on ${HTTP_LIMITS.rojoPort} for the Rojo plugin when that port is free`,
    },
    dialect: dialectOption,
    set: setOption,
    'allow-unpaired': {
      type: 'boolean',
      text: 'Let every local program connect as a Studio. Plugins of Rojo and Atlas require this, because they cannot prove that they belong to you',
    },
    'new-token': {
      type: 'boolean',
      text: 'Replace the bearer token of MCP clients; the old one is refused. A token is also replaced after 90 days',
    },
    sourcemap: { type: 'boolean', text: 'Keep sourcemap.json in the folder of the project up to date' },
    watch: { type: 'boolean', text: 'Watch the files for changes [default]' },
    json: { type: 'boolean', text: 'Print the addresses as one line of JSON' },
  },
  aliases: { '--host': '--address', '-H': '--address', '-P': '--port', '-s': '--sourcemap' },
  alternatives: {
    '--async': background,
    '-a': background,
    '--ts': robloxTs,
    '-t': robloxTs,
    '--allowed-hosts': 'forward the port instead (docs/remote.md), because only this computer may connect',
  },
} as const satisfies CommandSpec;

export const mcpSpec = {
  name: 'mcp',
  summary: 'Serve an MCP client over standard input and output',
  description:
    'Serve an MCP client over standard input and output. Uses the bridge that already runs for the folder, or starts one.',
  usage: ['mcp [options]'],
  options: {
    project: { type: 'string', value: 'folder', text: 'Folder of the project [default: current folder]' },
    toolset: {
      type: 'string',
      value: 'toolset',
      choices: ['sync', 'tests', 'docs', 'pluto'],
      text: 'Serve only these tools: sync, tests, docs or pluto',
    },
    dialect: dialectOption,
    stdio: {
      type: 'boolean',
      text: 'With --toolset docs or pluto: serve the tools without a bridge; docs reads environment variables only',
    },
    set: setOption,
    'read-only': { type: 'boolean', text: 'With --stdio --toolset pluto: refuse every edit' },
  },
} as const satisfies CommandSpec;

export const syncSpec = {
  name: 'sync',
  summary: 'Compare a project with a place file or Studio, or sync them',
  usage: ['sync [project] --place <file> [options]', 'sync [project] --review [options]'],
  description: 'Compare a project with a place file in headless Studio, or with the connected Studio, and sync them.',
  arguments: [projectArgument],
  options: {
    place: { type: 'string', value: 'file', text: 'Place file: .rbxl or .rbxlx' },
    'place-id': placeIdOption,
    mode: {
      type: 'string',
      value: 'mode',
      choices: ['dryrun', 'fastfail'],
      text: 'dryrun: list the differences and change nothing [default]\nfastfail: sync if every change has a default, else change nothing; without --save, only a dry run',
    },
    review: {
      type: 'boolean',
      text: 'Decide each change in the terminal; without --place, syncs with the connected Studio',
    },
    save: {
      type: 'string',
      value: 'file',
      text: 'With --place and --mode fastfail or --review: place file to write after the sync; may be the file of --place',
    },
    set: setOption,
    dialect: dialectOption,
    json: jsonOption,
  },
  aliases: { '--dry-run': '--mode=dryrun' },
  exitCodes: '0 no differences (or synced), 3 differences, 1 failure, 2 wrong usage',
} as const satisfies CommandSpec;

export const restoreSpec = {
  name: 'restore',
  summary: 'Restore the files to their state before a recorded sync or command',
  description:
    'Restore the files of a project to their state before a recorded sync or command, or list the recorded ones. The restore is recorded too.',
  arguments: [projectArgument],
  options: {
    run: { type: 'string', value: 'id', text: 'Sync or command to undo on disk; without it, list the newest 20' },
    'dry-run': { type: 'boolean', text: 'Print the files and write nothing' },
    dialect: dialectOption,
    json: jsonOption,
  },
} as const satisfies CommandSpec;

export const headlessSpec = {
  name: 'headless',
  summary: 'Open a place in headless Studio',
  usage: ['headless --place <file> [options]'],
  description:
    'Open a place or model file in headless Studio: the Studio plugin over the place, without a window. Each line of standard input runs as Luau in the command bar, and its result is printed.',
  options: {
    place: { type: 'string', value: 'file', text: 'File to open' },
    connect: {
      type: 'string',
      value: 'port',
      text: `Port of the bridge [default: ${HTTP_LIMITS.defaultPort}]; waits until the bridge listens`,
    },
    'place-id': placeIdOption,
    offline: { type: 'boolean', text: 'Do not connect to a bridge' },
    save: {
      type: 'string',
      value: 'file',
      text: 'On exit, save the place to this file (.rbxl, .rbxlx, .rbxm or .rbxmx); may be the file of --place',
    },
    json: {
      type: 'boolean',
      text: 'Print one JSON object per line, and read {"run": "<luau>"}, {"save": "<file>"} and {"exit": true}; the answer repeats the "id" of a command',
    },
  },
  aliases: { '--port': '--connect' },
  alternatives: {
    '--dialect': "headless Studio reads a place and no project; pass --dialect to 'atlas-bridge serve'",
  },
  notes:
    'The command ends on Ctrl+C, on {"exit": true}, and at the end of its input; with the null device as input it stays connected. Ctrl+C cancels a running chunk; --save then saves the place as it is, unless the chunk is an endless loop that never waits.',
  exitCodes: '0 success, 1 failure or cancelled chunk, 2 wrong usage',
} as const satisfies CommandSpec;
