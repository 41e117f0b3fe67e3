import { AppError } from '../../base/errors.ts';
import type { ToolView } from '../../mcp/registry.ts';
import type { ToolResult } from '../../mcp/result.ts';
import type { Clock } from '../../ports/clock.ts';

/**
 * Logs one line of JSON when a call ends: tool, roots and duration, and the code and message of a failure. Never logs queries, paths or
 * results.
 */
export function recordCalls(view: ToolView, clock: Clock, write: (line: string) => void): ToolView {
  return {
    ...view,
    call(name, rawArguments, call) {
      const startedAt = clock.now();
      const running = view.call(name, rawArguments, call);
      if (running === undefined) return undefined;
      const record = (fields: object): void => write(JSON.stringify(fields));
      const duration = (): number => Math.round(clock.now() - startedAt);
      return running.then(
        result => {
          record(result.isError ? failed(name, result, duration()) : succeeded(name, result, duration()));
          return result;
        },
        (error: unknown) => {
          const { code, message } = oldError(error);
          record({ level: 'error', event: 'tool_error', tool: name, code, message, duration_ms: duration() });
          throw error;
        },
      );
    },
  };
}

function succeeded(tool: string, result: ToolResult, durationMs: number): object {
  const { repo, scope } = objectAt(result.structuredContent, 'meta');
  const { deprecated } = objectAt(result, '_meta');
  return {
    level: 'info',
    event: 'tool_request',
    tool,
    ...(repo === undefined ? {} : { repo }),
    ...(scope === undefined ? {} : { scope }),
    duration_ms: durationMs,
    ...(deprecated === undefined ? {} : { deprecated }),
  };
}

function failed(tool: string, result: ToolResult, durationMs: number): object {
  const { code, message } = objectAt(result.structuredContent, 'error');
  return { level: 'error', event: 'tool_error', tool, code, message, duration_ms: durationMs };
}

/** Reads an error of the old tools, which wraps the tool's own code. */
function oldError(error: unknown): { readonly code: unknown; readonly message: unknown } {
  const { code, message } = objectAt(objectAt({ error }, 'error')['data'], 'error');
  if (code !== undefined) return { code, message };
  return error instanceof Error && 'data' in error
    ? { code: 'TOOL_NOT_FOUND', message: error.message }
    : AppError.from(error);
}

function objectAt(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  if (typeof found !== 'object' || found === null) return {};
  return Object.fromEntries(Object.entries(found));
}
