import type { Tool } from './tool.ts';

/** Tools with what they work on, for a list whose members work on different things. */
export const bindTools = <Deps>(tools: readonly Tool<Deps>[], deps: Deps): readonly Tool<undefined>[] =>
  tools.map(tool => ({
    toolset: tool.toolset,
    listing: tool.listing,
    call: (_, rawArguments, call) => tool.call(deps, rawArguments, call),
  }));
