import type { Tool, ToolCall, ToolListing, Toolset } from './tool.ts';
import type { ToolResult } from './result.ts';

/** The tools that one endpoint serves, in the order in which agents see them. */
export interface ToolView {
  readonly listings: readonly ToolListing[];
  /** `undefined` when there is no tool of that name here. */
  call(name: string, rawArguments: unknown, call: ToolCall): Promise<ToolResult> | undefined;
}

export interface ToolRegistry {
  /** Every tool. */
  readonly all: ToolView;
  /** `undefined` while no tool belongs to that toolset. */
  ofToolset(toolset: string): ToolView | undefined;
}

/** @throws Error when two tools have the same name */
export function createToolRegistry<Deps>(tools: readonly Tool<Deps>[], deps: Deps): ToolRegistry {
  const view = (some: readonly Tool<Deps>[]): ToolView => {
    const byName = new Map(some.map(tool => [tool.listing.name, tool]));
    if (byName.size < some.length) throw new Error('two tools have the same name');
    return {
      listings: some.map(tool => tool.listing),
      call: (name, rawArguments, call) => byName.get(name)?.call(deps, rawArguments, call),
    };
  };
  const toolsets = new Set<Toolset>(tools.map(tool => tool.toolset));
  const views = new Map<string, ToolView>(
    [...toolsets].map(toolset => [toolset, view(tools.filter(tool => tool.toolset === toolset))]),
  );
  return { all: view(tools), ofToolset: toolset => views.get(toolset) };
}
