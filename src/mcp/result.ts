import * as z from 'zod';
import type { AppError } from '../base/errors.ts';
import { safeLine } from '../base/safe-text.ts';
import { ActionOutcome } from '../protocol/acknowledgement.ts';
import { toErrorBody } from '../protocol/error-body.ts';
import { ErrorBody } from '../protocol/sync-result.ts';
import { asLines, escapeJsonTags, escaped } from './answer-text.ts';
import { hideFolders } from './hide-folders.ts';

/** The answer of a tool that failed without its own output. */
export const ToolFailure = z.object({
  status: z.literal('error'),
  summary: z.string(),
  /** Only for tools that act; a tool that only reads never changes anything. */
  outcome: ActionOutcome.optional(),
  error: ErrorBody,
});

/**
 * A tool result for the client. Clients pass either `structuredContent` (as VS Code does) or the text to the model, so both are complete.
 */
export interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly isError: boolean;
}

export function toolResult(complete: Readonly<Record<string, unknown>>, words: string, isError: boolean): ToolResult {
  const { answer: structuredContent, words: shown } = hideFolders(complete, words);
  const text = `${escapeJsonTags(shown)}${jsonBlock(structuredContent)}`;
  return { structuredContent, content: [{ type: 'text', text }], isError };
}

/** Adds the name of the project that answered. */
export function withProjectName({ structuredContent, content, isError }: ToolResult, project: string): ToolResult {
  const [{ text }] = content;
  const answer = { project, ...structuredContent };
  const shown = text.slice(0, text.length - jsonBlock(structuredContent).length);
  return {
    structuredContent: answer,
    content: [
      { type: 'text', text: `${escapeJsonTags(`Project: ${safeLine(project)}`)}\n${shown}${jsonBlock(answer)}` },
    ],
    isError,
  };
}

/** The end of every text. Escaped, so that no name or text in the answer ends the block or a line. */
const jsonBlock = (answer: ToolResult['structuredContent']): string =>
  `\n\n<json>\n${JSON.stringify(answer).replaceAll(/[<\u0085\u2028\u2029]/g, escaped)}\n</json>`;

/** @param acts whether the tool changes something; the failure then has an outcome */
export function toolFailure(error: AppError, acts: boolean): ToolResult {
  const body = toErrorBody(error);
  const failure: z.infer<typeof ToolFailure> = {
    status: 'error',
    summary: body.message,
    ...(acts ? { outcome: error.retry === 'ask' ? ('unknown' as const) : ('refused' as const) } : {}),
    error: body,
  };
  return toolResult(failure, asLines(body.message, body.hint), true);
}
