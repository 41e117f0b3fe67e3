import type { ToolCall } from '../../src/mcp/tool.ts';

/** A call that nobody cancels and that asks for no progress, with what a test changes. */
export const toolCall = (changed: Partial<ToolCall> = {}): ToolCall => ({
  signal: new AbortController().signal,
  requestedBy: 'a test',
  progress: undefined,
  ...changed,
});
