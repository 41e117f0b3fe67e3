import type { Tool } from './tool.ts';

/** Binds tools to their dependencies, so that tools with different dependencies fit into one list. */
export const bindTools = <Deps>(tools: readonly Tool<Deps>[], deps: Deps): readonly Tool<undefined>[] =>
  tools.map(tool => ({
    toolset: tool.toolset,
    listing: tool.listing,
    call: (_, rawArguments, call) => tool.call(deps, rawArguments, call),
  }));
