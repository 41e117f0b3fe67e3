/** Commands on the files of a project. */
import type { CommandSpec } from './command-spec.ts';
import { background, dialectOption, jsonOption, projectArgument, robloxTs } from './shared-options.ts';

const buildFormats = '.rbxl or .rbxlx (place), .rbxm or .rbxmx (model)';

export const initSpec = {
  name: 'init',
  summary: 'Create a project',
  description:
    'Create a project that builds, with a .gitignore, a .luaurc and a git repository. Never changes a file that exists.',
  arguments: [{ name: 'path', text: 'Folder of the project, created if missing [default: current folder]' }],
  options: {
    kind: {
      type: 'string',
      value: 'kind',
      choices: ['place', 'model', 'plugin', 'library'],
      text: 'place, model, plugin or library [default: place]',
    },
    'skip-git': { type: 'boolean', text: 'Do not create a git repository' },
    git: { type: 'boolean', text: 'Create a git repository [default]' },
    json: jsonOption,
  },
  aliases: { '--template': '--kind', '-t': '--kind', '-g': '--git' },
  alternatives: {
    '--wally': "run 'wally init' in the new folder",
    '-w': "run 'wally init' in the new folder",
    '--selene': "run 'selene generate-roblox-std' in the new folder",
    '-s': "run 'selene generate-roblox-std' in the new folder",
    '--license': 'add the file LICENSE yourself',
    '-l': 'add the file LICENSE yourself',
    '--docs': 'add a README.md yourself',
    '-d': 'add a README.md yourself',
    '--ts': "run 'npm create roblox-ts'; the project that it creates works here",
    '-T': "run 'npm create roblox-ts'; the project that it creates works here",
    '--use-lua': 'new files end in .luau; files that end in .lua work too',
    '-L': 'new files end in .luau; files that end in .lua work too',
  },
} as const satisfies CommandSpec;

export const buildSpec = {
  name: 'build',
  summary: 'Build a place or model file',
  usage: ['build [project] --output <file> [options]', 'build [project] --plugin <name> [options]'],
  description: 'Build a place or model file.',
  arguments: [projectArgument],
  options: {
    output: { type: 'string', short: 'o', value: 'file', text: `File to write: ${buildFormats}` },
    plugin: {
      type: 'string',
      short: 'p',
      value: 'name',
      text: "Write a model file with that name into Studio's plugin folder: .rbxm or .rbxmx [default: .rbxm]",
    },
    watch: { type: 'boolean', text: 'Build again whenever the project changes' },
    dialect: dialectOption,
    json: jsonOption,
  },
  aliases: { '-w': '--watch' },
  alternatives: {
    '--xml': 'end the name of the output in .rbxlx or .rbxmx',
    '-x': 'end the name of the output in .rbxlx or .rbxmx',
    '--sourcemap': "run 'atlas-bridge sourcemap --output sourcemap.json'",
    '-s': "run 'atlas-bridge sourcemap --output sourcemap.json'",
    '--async': background,
    '-a': background,
    '--ts': robloxTs,
    '-t': robloxTs,
  },
  notes: 'If any file of the project has an error, the command prints it as file:line:column and builds nothing.',
} as const satisfies CommandSpec;

export const syncbackSpec = {
  name: 'syncback',
  summary: 'Write the content of a place or model file into a project',
  usage: ['syncback [project] --input <file> [options]'],
  description:
    'Write the content of a place or model file into a project. Writes only differences, each to the file that already describes the instance. Keeps files that describe no instance. To restore the previous files, use atlas-bridge restore.',
  arguments: [projectArgument],
  options: {
    input: { type: 'string', short: 'i', value: 'file', text: `File to read: ${buildFormats}` },
    list: { type: 'boolean', short: 'l', text: 'Print every file that is written or removed' },
    'dry-run': { type: 'boolean', text: 'Write nothing' },
    confirm: {
      type: 'boolean',
      text: 'Print the plan, then wait for a line "yes" on standard input; --dry-run does not wait',
    },
    preview: {
      type: 'string',
      value: 'folder',
      text: 'Copy the new content of each planned file into this folder first; replaces no file',
    },
    'non-interactive': { type: 'boolean', short: 'y', text: 'Write without asking [default]' },
    incremental: { type: 'boolean', text: 'Write only differences [default]' },
    dialect: dialectOption,
    json: {
      type: 'boolean',
      text: 'Print the result as one line of JSON; with --confirm, the plan in lines before it',
    },
  },
  aliases: { '--yes': '--non-interactive' },
  alternatives: {
    '--download': 'save the place with File > Download a Copy in Studio, and pass it as --input',
    '-d': 'save the place with File > Download a Copy in Studio, and pass it as --input',
    '--sourcemap': "run 'atlas-bridge sourcemap --output sourcemap.json' afterwards",
  },
  notes: 'If any file of the project has an error, the command prints it as file:line:column and writes nothing.',
  exitCodes: '0 success, 1 failure or incomplete, 2 wrong usage',
} as const satisfies CommandSpec;

export const sourcemapSpec = {
  name: 'sourcemap',
  summary: 'Write a sourcemap for the Luau language server',
  description: 'Write a sourcemap for the Luau language server.',
  arguments: [projectArgument],
  options: {
    output: { type: 'string', short: 'o', value: 'file', text: 'File to write, or - for standard output [default: -]' },
    watch: { type: 'boolean', text: 'Rewrite the file whenever the project changes; requires --output' },
    'include-non-scripts': { type: 'boolean', text: 'Include instances that are not scripts and contain none' },
    absolute: { type: 'boolean', text: 'Write absolute paths instead of paths relative to the project file' },
    dialect: dialectOption,
    json: {
      type: 'boolean',
      text: 'Print the result as one line of JSON; without --output, that line is the sourcemap',
    },
  },
  aliases: { '-w': '--watch', '--non-scripts': '--include-non-scripts', '-n': '--include-non-scripts' },
  alternatives: { '--async': background, '-a': background },
  notes: 'If any file of the project has an error, the command writes nothing, except with --watch.',
} as const satisfies CommandSpec;

const cookie = 'create an API key for Open Cloud and pass it as --api-key';

export const uploadSpec = {
  name: 'upload',
  summary: 'Upload a place or model to Roblox',
  usage: ['upload [project] --asset-id <id> [--universe-id <id>] [--version-type <type>] [options]'],
  description: 'Build a project in memory and upload it with Open Cloud. Without --version-type, nothing is uploaded.',
  arguments: [projectArgument],
  options: {
    'asset-id': { type: 'string', value: 'id', text: 'Id of the place or model' },
    'universe-id': {
      type: 'string',
      value: 'id',
      text: 'Id of the universe of the place; a model has none [default: gameId of the project]',
    },
    'version-type': {
      type: 'string',
      value: 'type',
      choices: ['saved', 'published'],
      text: 'saved, or published for players; without it, nothing is uploaded',
    },
    'api-key': {
      type: 'string',
      value: 'key',
      text: 'API key with permission to write the place or model. Other programs can read it here: prefer the environment variable ATLAS_BRIDGE_API_KEY [default]',
    },
    dialect: dialectOption,
    json: jsonOption,
  },
  aliases: { '--asset_id': '--asset-id', '--universe_id': '--universe-id', '--api_key': '--api-key' },
  alternatives: { '--cookie': cookie, '-c': cookie },
  notes: 'If any file of the project has an error, the command prints it as file:line:column and uploads nothing.',
} as const satisfies CommandSpec;

export const fmtProjectSpec = {
  name: 'fmt-project',
  summary: 'Format a project file',
  description: 'Format a project file: two spaces, one member per line. Comments and the order of members are kept.',
  arguments: [projectArgument],
  options: {
    check: { type: 'boolean', text: 'Write nothing; exit 1 if the file is not formatted' },
    dialect: dialectOption,
    json: jsonOption,
  },
} as const satisfies CommandSpec;
