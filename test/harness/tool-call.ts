import type { ToolCall } from '../../src/mcp/tool.ts';

/** A tool call without cancellation and progress, with the overrides of a test. */
export const toolCall = (changed: Partial<ToolCall> = {}): ToolCall => ({
  signal: new AbortController().signal,
  requestedBy: 'a test',
  progress: undefined,
  ...changed,
});
