import type * as z from 'zod';
import type { AppError } from '../base/errors.ts';
import type { Acknowledgement } from '../protocol/acknowledgement.ts';
import type { ToolResult } from './result.ts';

/** The groups of tools; `/mcp/<toolset>` serves one of them. */
export type Toolset = 'sync' | 'docs' | 'pluto';

/**
 * What a call may do at most. `read`: nothing changes. `write`: adds, and what was there stays. `destructive`: may replace or remove
 * what somebody made. Three of the four MCP hints follow from it.
 */
export type Effect = 'read' | 'write' | 'destructive';

/** One call, as a tool sees it. */
export interface ToolCall {
  /** Aborts when the client cancels the call or its session ends. */
  readonly signal: AbortSignal;
  /** Name of the client, as a person reads it. */
  readonly requestedBy: string;
  /** Reports progress to the client, which keeps it from timing out; `undefined` if the client did not request progress. */
  readonly progress: ((message: string) => void) | undefined;
}

export type ToolSpec<In extends z.ZodObject, Out extends z.ZodObject, Deps> = Described<In, Out> &
  (
    | {
        readonly effect: 'read';
        /** @throws AppError, which becomes a result with `isError` */
        run(deps: Deps, args: z.output<In>, call: ToolCall): Promise<z.output<Out>>;
      }
    | {
        readonly effect: 'write' | 'destructive';
        /**
         * What acts answers with what became of it.
         * @throws AppError only where nothing was changed, or nobody can know; it becomes a result with `isError`
         */
        run(deps: Deps, args: z.output<In>, call: ToolCall): Promise<z.output<Out> & Acknowledgement>;
      }
  );

interface Described<In extends z.ZodObject, Out extends z.ZodObject> {
  /** `snake_case`. */
  readonly name: string;
  /** What a person reads when asked whether the tool may run. */
  readonly title: string;
  /** For the agent: what it does, when to use it, what comes next. The first sentence is also for a person. */
  readonly description: string;
  readonly toolset: Toolset;
  /** Address of the card that clients with MCP Apps (`io.modelcontextprotocol/ui`) show with the answer. */
  readonly card?: string;
  /** It asks machines other than this one; no tool does so without saying it here. */
  readonly reachesOut?: true;
  /** Strict: an unknown argument is an error that names it. */
  readonly input: In;
  readonly output: Out;
  /** Arguments that are refused with a code of the tool's own, before the schema is asked. */
  refuse?(rawArguments: unknown): AppError | undefined;
  /** The same facts in words, above the `<json>` block. */
  inWords(output: z.output<Out>): string;
  /** Whether this output is a failure; without it none is. */
  isError?(output: z.output<Out>): boolean;
}

/** A tool whose schemas are known to itself alone: what it says of itself, and how it is called with arguments of unknown shape. */
export interface Tool<Deps> {
  readonly listing: ToolListing;
  readonly toolset: Toolset;
  /** Never rejects: whatever goes wrong is a result with `isError`. */
  call(deps: Deps, rawArguments: unknown, call: ToolCall): Promise<ToolResult>;
}

/** An entry of `tools/list`. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObjectSchema;
  readonly outputSchema: JsonObjectSchema;
  readonly _meta?: { readonly ui: { readonly resourceUri: string } };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}
export type JsonObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };
