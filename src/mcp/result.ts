import * as z from 'zod';
import type { AppError } from '../base/errors.ts';
import { ActionOutcome } from '../protocol/acknowledgement.ts';
import { toErrorBody } from '../protocol/error-body.ts';
import { ErrorBody } from '../protocol/sync.ts';

/** What every tool answers when it failed before it had an output of its own. */
export const ToolFailure = z.object({
  status: z.literal('error'),
  summary: z.string(),
  /** Of a tool that acts; one that only reads changed nothing. */
  outcome: ActionOutcome.optional(),
  error: ErrorBody,
});

/**
 * A result on its way to the client. Clients show either `structuredContent` (VS Code hands the model nothing else) or the text, so
 * each of the two says everything.
 */
export interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly isError: boolean;
}

export function toolResult(
  structuredContent: Readonly<Record<string, unknown>>,
  inWords: string,
  isError: boolean,
): ToolResult {
  const text = `${inWords}\n\n<json>\n${JSON.stringify(structuredContent)}\n</json>`;
  return { structuredContent, content: [{ type: 'text', text }], isError };
}

/** @param acts whether the tool changes something; then the failure says what is known of that */
export function toolFailure(error: AppError, acts: boolean): ToolResult {
  const failure: z.infer<typeof ToolFailure> = {
    status: 'error',
    summary: error.message,
    ...(acts ? { outcome: error.retry === 'ask' ? ('unknown' as const) : ('refused' as const) } : {}),
    error: toErrorBody(error),
  };
  return toolResult(failure, `${error.message}\n${error.hint}`, true);
}
