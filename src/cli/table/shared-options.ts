import type { ArgumentSpec, OptionSpec } from './command-spec.ts';

/** Options that several commands have. */
export const dialectOption = {
  type: 'string',
  value: 'dialect',
  choices: ['rojo', 'atlas'],
  text: 'Read the project as rojo or atlas [default: detected from the project file]',
} as const satisfies OptionSpec;

export const jsonOption = {
  type: 'boolean',
  text: 'Print the result as one line of JSON',
} as const satisfies OptionSpec;

export const placeIdOption = {
  type: 'string',
  value: 'id',
  text: 'Value of game.PlaceId, for projects with servePlaceIds or blockedPlaceIds',
} as const satisfies OptionSpec;

/** The option of every command that runs a bridge. */
export const setOption = {
  type: 'string',
  value: 'name=value',
  multiple: true,
  text: 'Value of a setting, such as review.timeoutMinutes=5; may be repeated',
} as const satisfies OptionSpec;

export const projectArgument: ArgumentSpec = {
  name: 'project',
  text: 'Project file or its folder [default: current folder]',
};

/** The alternative to Argon's options for roblox-ts. */
export const robloxTs = "run 'npx rbxtsc -w' beside this command";
/** The alternative to Argon's options for programs in the background. */
export const background = "let your shell run the command in the background, with '&'";
