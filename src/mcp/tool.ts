import type * as z from 'zod';
import type { AppError } from '../base/errors.ts';
import type { Acknowledgement } from '../protocol/acknowledgement.ts';
import type { AskPerson } from './elicitation.ts';
import type { ToolResult } from './result.ts';

/** The groups of tools; `/mcp/<toolset>` serves one of them. */
export type Toolset = 'sync' | 'tests' | 'docs' | 'pluto';

/**
 * The strongest effect of a call. `read`: changes nothing. `write`: only adds. `destructive`: may replace or remove existing work. Three of
 * the four MCP hints are derived from it.
 */
export type Effect = 'read' | 'write' | 'destructive';

/** The context of one tool call. */
export interface ToolCall {
  /** Aborts when the client cancels the call or its session ends. */
  readonly signal: AbortSignal;
  /** The display name of the client. */
  readonly requestedBy: string;
  /** Identifies the client's session. */
  readonly client?: object;
  /** Reports progress to the client, which keeps it from timing out; `undefined` if the client did not request progress. */
  readonly progress: ((message: string) => void) | undefined;
  /** Called with an unexpected error, which the answer describes without its text. */
  readonly onDefect?: (error: unknown) => void;
  /** Asks the person of the client; omitted or `undefined` if the client cannot show forms. */
  readonly ask?: AskPerson | undefined;
}

export type ToolSpec<In extends z.ZodObject, Out extends z.ZodObject, Deps> = Described<In, Out, Deps> &
  (
    | {
        readonly effect: 'read';
        /** @throws AppError, which becomes a result with `isError` */
        run(deps: Deps, args: z.output<In>, call: ToolCall): Promise<z.output<Out>>;
      }
    | {
        readonly effect: 'write' | 'destructive';
        /**
         * Acts and returns the outcome.
         * @throws AppError only if nothing was changed or the outcome is unknown; it becomes a result with `isError`
         */
        run(deps: Deps, args: z.output<In>, call: ToolCall): Promise<z.output<Out> & Acknowledgement>;
      }
  );

interface Described<In extends z.ZodObject, Out extends z.ZodObject, Deps> {
  /** `snake_case`. */
  readonly name: string;
  /** Shown to the person who is asked to allow the call. */
  readonly title: string;
  /**
   * The effect of the tool. A client shows the whole text to the person who allows a call, so it is one short sentence for a tool that
   * acts.
   */
  readonly description: string;
  /** For the agent alone: how to use the tool, and the next step. Listed as the description of the arguments, which no client shows. */
  readonly details?: string;
  readonly toolset: Toolset;
  /** URI of the card that clients with MCP Apps (`io.modelcontextprotocol/ui`) show with the answer. */
  readonly card?: string;
  /** Set for every tool that uses the network. */
  readonly reachesOut?: true;
  /** A strict schema: the error for an unknown argument names it. */
  readonly input: In;
  readonly output: Out;
  /** Rejects arguments with a specific error code before the schema validates them. */
  refuse?(rawArguments: unknown): AppError | undefined;
  /** Answers a call with invalid arguments in the form of the output; omitted: the answer has only the error. */
  answerInvalid?(deps: Deps, error: AppError, call: ToolCall): Promise<z.output<Out>>;
  /** Describes the output in text, above the `<json>` block. */
  formatText(output: z.output<Out>): string;
  /** Whether this output is a failure; omitted: never. */
  isError?(output: z.output<Out>): boolean;
}

/** A tool with hidden schema types: its listing, and a `call` that accepts arguments of unknown shape. */
export interface Tool<Deps> {
  readonly listing: ToolListing;
  readonly toolset: Toolset;
  /** Runs the tool. Never rejects: a failure is a result with `isError`. */
  call(deps: Deps, rawArguments: unknown, call: ToolCall): Promise<ToolResult>;
}

/** A tool of this process, not one that another process or thread runs. */
export interface DefinedTool<Deps> extends Tool<Deps> {
  /** Describes an output of this tool in text, above the `<json>` block. */
  formatText(output: Readonly<Record<string, unknown>>): string;
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
