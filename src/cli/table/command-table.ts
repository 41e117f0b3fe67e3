import { headlessSpec, mcpSpec, restoreSpec, serveSpec, syncSpec } from './bridge-specs.ts';
import type { CommandSpec } from './command-spec.ts';
import { buildSpec, fmtProjectSpec, initSpec, sourcemapSpec, syncbackSpec, uploadSpec } from './project-specs.ts';
import { testSpec } from './test-spec.ts';
import { completionsSpec, docSpec, manSpec, pluginSpec, plutoSpec } from './tool-specs.ts';

/** Every command, in the order of the help. */
export const commandTable = [
  initSpec,
  buildSpec,
  syncbackSpec,
  sourcemapSpec,
  fmtProjectSpec,
  uploadSpec,
  syncSpec,
  restoreSpec,
  serveSpec,
  mcpSpec,
  headlessSpec,
  testSpec,
  plutoSpec,
  pluginSpec,
  docSpec,
  completionsSpec,
  manSpec,
] as const satisfies readonly CommandSpec[];

export type CommandName = (typeof commandTable)[number]['name'];

/** Commands of Rojo, Argon and Atlas without a counterpart, each with a phrase that names the alternative. */
export const commandAlternatives: Readonly<Record<string, string>> = {
  stop: "press Ctrl+C where 'atlas-bridge serve' runs",
  exec: "run Luau with 'atlas-bridge headless --place <file>', or in Studio with the tools of an agent",
  debug: 'start the playtest in Studio',
  studio: 'open the built place with your file manager',
  config: 'pass settings as --set <name=value>, or keep them in .vscode/settings.json',
  update: 'update the VS Code extension or the npm package',
  clone:
    "create a project with 'atlas-bridge init', save the place with File > Download a Copy in Studio, and write it with 'atlas-bridge syncback --input <file>'",
};

/** Global options of Argon without a counterpart, each with a phrase that names the alternative. */
export const globalOptionAlternatives: Readonly<Record<string, string>> = {
  '--yes': 'leave it out, because no command asks a question unless you pass --confirm',
  '--quiet': 'set ATLAS_BRIDGE_LOG=off',
  '-q': 'set ATLAS_BRIDGE_LOG=off',
  '--profile': 'leave it out, because there is no profile to choose',
};

export const isCommandName = (name: string): name is CommandName => commandTable.some(spec => spec.name === name);

/** The row of a command. */
export function specOf(name: CommandName): CommandSpec {
  const spec = commandTable.find(one => one.name === name);
  if (spec === undefined) throw new Error(`no row for ${name}`);
  return spec;
}
