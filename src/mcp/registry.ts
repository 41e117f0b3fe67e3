import type { Prompt } from './prompt.ts';
import type { ResourceSource } from './resource.ts';
import type { Tool, ToolCall, ToolListing, Toolset } from './tool.ts';
import type { ToolResult } from './result.ts';

/** What a toolset offers besides its tools. */
export interface ToolsetContent {
  readonly toolset: Toolset;
  readonly prompts: readonly Prompt[];
  readonly resources: ResourceSource | undefined;
  /** What an agent should know of it before it sees a tool. */
  readonly instructions?: string;
}

/** What one endpoint serves: tools in the order in which agents see them, prompts, resources. */
export interface ToolView {
  readonly listings: readonly ToolListing[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly ResourceSource[];
  /** One text per toolset. */
  readonly instructions: readonly string[];
  /** `undefined` when there is no tool of that name here. */
  call(name: string, rawArguments: unknown, call: ToolCall): Promise<ToolResult> | undefined;
}

export interface ToolRegistry {
  /** Every tool that there is now. */
  readonly all: ToolView;
  /** One toolset, or several joined by `+`; `undefined` while no tool belongs to one of them. */
  ofToolset(toolsets: string): ToolView | undefined;
  /** Tools that come later; views that were handed out before do not have them. @throws Error when two tools have the same name */
  add<Deps>(tools: readonly Tool<Deps>[], deps: Deps, extras?: readonly ToolsetContent[]): void;
}

/** A tool with what it works on. */
interface BoundTool extends Pick<Tool<never>, 'toolset' | 'listing'> {
  call(rawArguments: unknown, call: ToolCall): Promise<ToolResult>;
}

/** @throws Error when two tools have the same name */
export function createToolRegistry<Deps>(
  tools: readonly Tool<Deps>[],
  deps: Deps,
  extras: readonly ToolsetContent[] = [],
): ToolRegistry {
  const bound: BoundTool[] = [];
  const offered: ToolsetContent[] = [];
  const views = new Map<string, ToolView>();
  const add: ToolRegistry['add'] = (more, its, also = []) => {
    for (const tool of more) {
      const { toolset, listing } = tool;
      if (bound.some(one => one.listing.name === listing.name)) throw new Error('two tools have the same name');
      bound.push({ toolset, listing, call: (rawArguments, call) => tool.call(its, rawArguments, call) });
    }
    offered.push(...also);
    views.clear();
  };
  const view = (key: string, isWanted: (toolset: Toolset) => boolean): ToolView => {
    const known = views.get(key);
    if (known !== undefined) return known;
    const some = bound.filter(({ toolset }) => isWanted(toolset));
    const its = offered.filter(({ toolset }) => isWanted(toolset));
    const byName = new Map(some.map(tool => [tool.listing.name, tool]));
    const made: ToolView = {
      listings: some.map(tool => tool.listing),
      prompts: its.flatMap(({ prompts }) => prompts),
      resources: its.flatMap(({ resources }) => resources ?? []),
      instructions: its.flatMap(({ instructions }) => instructions ?? []),
      call: (name, rawArguments, call) => byName.get(name)?.call(rawArguments, call),
    };
    views.set(key, made);
    return made;
  };
  add(tools, deps, extras);
  return {
    get all() {
      return view('', () => true);
    },
    ofToolset(toolsets) {
      const wanted = new Set(toolsets.split('+'));
      const known = new Set<string>(bound.map(({ toolset }) => toolset));
      if (!Array.from(wanted).every(one => known.has(one))) return undefined;
      return view(Array.from(wanted).toSorted().join('+'), toolset => wanted.has(toolset));
    },
    add,
  };
}
