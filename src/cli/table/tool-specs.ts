/** Commands that do not work on a project: the Studio plugin, Pluto, the documentation and the shell. */
import type { CommandSpec } from './command-spec.ts';
import { jsonOption } from './shared-options.ts';

export const pluginSpec = {
  name: 'plugin',
  summary: 'Install or uninstall the Studio plugin, or change its key',
  usage: ['plugin install [options]', 'plugin uninstall [options]', 'plugin change-key [options]'],
  description: "Install the Studio plugin into Studio's plugin folder, uninstall it, or change its pairing key.",
  commands: [
    ['install', 'Install or update the plugin'],
    ['uninstall', 'Remove the plugin that this program installed'],
    ['change-key', 'Replace the key, update the plugin, and forget the paired plugins of other computers'],
  ],
  options: { json: jsonOption },
} as const satisfies CommandSpec;

export const docSpec = {
  name: 'doc',
  summary: 'Open the documentation',
  description: 'Open the documentation in the browser, or print its path if no browser can be opened.',
  options: { json: jsonOption },
} as const satisfies CommandSpec;

export const completionsSpec = {
  name: 'completions',
  summary: 'Print completions for a shell',
  description: 'Print completions for a shell. For bash, add to ~/.bashrc: source <(atlas-bridge completions bash)',
  arguments: [
    {
      name: 'shell',
      isRequired: true,
      choices: ['bash', 'zsh', 'fish', 'powershell'],
      text: 'bash, zsh, fish or powershell',
    },
  ],
  options: { json: jsonOption },
} as const satisfies CommandSpec;

export const manSpec = {
  name: 'man',
  summary: 'Print the man page',
  description: 'Print the man page. To read it: atlas-bridge man | man -l -',
  options: { json: jsonOption },
} as const satisfies CommandSpec;

export const plutoSpec = {
  name: 'pluto',
  summary: 'Check, format, run and convert Pluto modules',
  usage: ['pluto <command> [<file or folder>] [options]'],
  description:
    'Check, format, run and convert Pluto modules. Every command reads containers and text, in .pluto and .pt files.',
  commands: [
    ['check [<file or folder>]', 'Report all findings; exits 1 if one of them is an error'],
    ['run <file> [-- <args>]', 'Run a program; exits with its status'],
    ['test <file>', 'Run the tests of a module; exits 1 if one fails'],
    ['compile <file> [-o <file>]', 'Compile a program to one JavaScript file for Node'],
    ['analyze <file>', 'Check a module and store the results in its container'],
    ['generate-pt [<file>]', 'Write the .pt views of .pluto modules (default: all)'],
    ['generate-pt <file> -o <file>', 'Write the source of a module with its ids, or print it (-o -): for git diff'],
    ['sync <file.pt>', 'Apply the edits of a view to its .pluto'],
    ['migrate [<file or folder>]', 'Convert text modules to containers: .pluto in place, .pt to a .pluto beside it'],
    ['emit-ast <file> [-o <file>]', 'Write the container of a module'],
    ['fmt <file>', 'Print the canonical source of a module; --write replaces the file'],
  ],
  options: {
    project: {
      type: 'string',
      value: 'folder',
      text: "Folder where imports start [default: the nearest folder with a pluto.toml, or the file's folder]",
    },
    json: { type: 'boolean', text: 'Print one line of JSON' },
    write: { type: 'boolean', text: 'fmt: replace the file' },
    take: {
      type: 'string',
      value: 'pt|pluto',
      choices: ['pt', 'pluto'],
      text: 'sync: which side wins where both have changed',
    },
    filter: { type: 'string', value: 'text', text: 'test: run only tests whose names contain this text' },
    output: {
      type: 'string',
      short: 'o',
      value: 'file',
      text: 'compile, emit-ast, generate-pt: output file; - is standard output, except for emit-ast',
    },
  },
  notes:
    'Findings are printed to standard error as file:line:column: severity: message. run exits with the status of the program (0 to 255; 1 after an uncaught error or a failure), 1 if it does not compile, and 128 plus the signal number if a signal ended it.',
  exitCodes: '0 success, 1 failure or errors found, 2 wrong usage',
} as const satisfies CommandSpec;
