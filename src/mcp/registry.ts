import type { Prompt } from './prompt.ts';
import type { ResourceSource } from './resource.ts';
import type { Tool, ToolCall, ToolListing, Toolset } from './tool.ts';
import type { ToolResult } from './result.ts';

/** What a toolset offers besides its tools. */
export interface ToolsetExtras {
  readonly toolset: Toolset;
  readonly prompts: readonly Prompt[];
  readonly resources: ResourceSource | undefined;
}

/** What one endpoint serves: tools in the order in which agents see them, prompts, resources. */
export interface ToolView {
  readonly listings: readonly ToolListing[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly ResourceSource[];
  /** `undefined` when there is no tool of that name here. */
  call(name: string, rawArguments: unknown, call: ToolCall): Promise<ToolResult> | undefined;
}

export interface ToolRegistry {
  /** Every tool. */
  readonly all: ToolView;
  /** One toolset, or several joined by `+`; `undefined` when no tool belongs to one of them. */
  ofToolset(toolsets: string): ToolView | undefined;
}

/** @throws Error when two tools have the same name */
export function createToolRegistry<Deps>(
  tools: readonly Tool<Deps>[],
  deps: Deps,
  extras: readonly ToolsetExtras[] = [],
): ToolRegistry {
  const view = (some: readonly Tool<Deps>[], its: readonly ToolsetExtras[]): ToolView => {
    const byName = new Map(some.map(tool => [tool.listing.name, tool]));
    if (byName.size < some.length) throw new Error('two tools have the same name');
    return {
      listings: some.map(tool => tool.listing),
      prompts: its.flatMap(({ prompts }) => prompts),
      resources: its.flatMap(({ resources }) => resources ?? []),
      call: (name, rawArguments, call) => byName.get(name)?.call(deps, rawArguments, call),
    };
  };
  const known = new Set<string>(tools.map(tool => tool.toolset));
  const views = new Map<string, ToolView>();
  return {
    all: view(tools, extras),
    ofToolset(toolsets) {
      const wanted = new Set(toolsets.split('+'));
      if (![...wanted].every(one => known.has(one))) return undefined;
      const key = [...wanted].toSorted().join('+');
      const made =
        views.get(key) ??
        view(
          tools.filter(tool => wanted.has(tool.toolset)),
          extras.filter(extra => wanted.has(extra.toolset)),
        );
      views.set(key, made);
      return made;
    },
  };
}
