import type { Prompt } from './prompt.ts';
import type { ResourceSource } from './resource.ts';
import type { Tool, ToolCall, ToolListing, Toolset } from './tool.ts';
import type { ToolResult } from './result.ts';

/**
 * Returns the known values of an argument; `undefined` if they are unknown.
 *
 * @param owner the name of a prompt, or the URI template of resources
 */
export type Completer = (owner: string, argument: string) => Promise<readonly string[] | undefined>;

/** The prompts, resources and instructions of a toolset. */
export interface ToolsetContent {
  readonly toolset: Toolset;
  readonly prompts: readonly Prompt[];
  readonly resources: ResourceSource | undefined;
  /** Instructions for the agent, sent before the tools. */
  readonly instructions?: string;
  /** Completes the arguments of its prompts and resource templates. */
  readonly complete?: Completer;
}

/** The tools, prompts and resources of one endpoint, in the order in which agents see them. */
export interface ToolView {
  readonly listings: readonly ToolListing[];
  /** Whether `tools/list` includes the output schemas. */
  readonly listsOutputSchemas?: boolean;
  readonly prompts: readonly Prompt[];
  readonly resources: readonly ResourceSource[];
  /** One text per toolset. */
  readonly instructions: readonly string[];
  readonly completers: readonly Completer[];
  /** Calls a tool; `undefined` if there is no tool with that name. */
  call(name: string, rawArguments: unknown, call: ToolCall): Promise<ToolResult> | undefined;
}

export interface ToolRegistry {
  /** All current tools. */
  readonly all: ToolView;
  /** One toolset, or several joined by `+`; `undefined` if one of them has no tools. */
  ofToolset(toolsets: string): ToolView | undefined;
  /** Adds tools. Views that were returned earlier do not contain them. @throws Error if two tools have the same name */
  add<Deps>(tools: readonly Tool<Deps>[], deps: Deps, extras?: readonly ToolsetContent[]): void;
}

/** A tool bound to its dependencies. */
interface BoundTool extends Pick<Tool<never>, 'toolset' | 'listing'> {
  call(rawArguments: unknown, call: ToolCall): Promise<ToolResult>;
}

/** @throws Error if two tools have the same name */
export function createToolRegistry<Deps>(
  tools: readonly Tool<Deps>[],
  deps: Deps,
  extras: readonly ToolsetContent[] = [],
): ToolRegistry {
  const bound: BoundTool[] = [];
  const contents: ToolsetContent[] = [];
  const views = new Map<string, ToolView>();
  const add: ToolRegistry['add'] = (newTools, toolDeps, newContents = []) => {
    for (const tool of newTools) {
      const { toolset, listing } = tool;
      if (bound.some(one => one.listing.name === listing.name)) throw new Error('two tools have the same name');
      bound.push({ toolset, listing, call: (rawArguments, call) => tool.call(toolDeps, rawArguments, call) });
    }
    contents.push(...newContents);
    views.clear();
  };
  const view = (key: string, isWanted: (toolset: Toolset) => boolean): ToolView => {
    const known = views.get(key);
    if (known !== undefined) return known;
    const listed = bound.filter(({ toolset }) => isWanted(toolset));
    const content = contents.filter(({ toolset }) => isWanted(toolset));
    const byName = new Map(listed.map(tool => [tool.listing.name, tool]));
    const created: ToolView = {
      listings: listed.map(tool => tool.listing),
      prompts: content.flatMap(({ prompts }) => prompts),
      resources: content.flatMap(({ resources }) => resources ?? []),
      instructions: content.flatMap(({ instructions }) => instructions ?? []),
      completers: content.flatMap(({ complete }) => complete ?? []),
      call: (name, rawArguments, call) => byName.get(name)?.call(rawArguments, call),
    };
    views.set(key, created);
    return created;
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
