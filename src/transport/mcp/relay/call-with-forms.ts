import { NO_TIMEOUT_MS } from '../../../protocol/limits.ts';
import { ElicitRequestFormParamsSchema, ResultSchema, type Implementation } from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../base/errors.ts';
import type { AskPerson } from '../../../mcp/elicitation.ts';
import { connectUpstream, isAnswer, type RelayTarget } from './upstream.ts';

export interface CallWithForms {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The client that the bridge shows to people. */
  readonly who: Implementation;
  /** Shows the forms of the bridge. */
  readonly ask: AskPerson;
}

/**
 * Calls a tool of a bridge and answers its forms meanwhile. Resolves with the structured content of the result.
 *
 * @throws AppError BRIDGE_LOST when the connection is lost, CANCELLED when `stop` aborts
 */
export async function callWithForms(
  target: RelayTarget,
  { tool, args, who, ask }: CallWithForms,
  stop: AbortSignal,
): Promise<unknown> {
  await using upstream = await connectUpstream(target, who, {
    capabilities: { elicitation: { form: {} } },
    onNotification: () => undefined,
    async onRequest({ method, params }, signal) {
      if (method !== 'elicitation/create') throw new Error(`unexpected request ${method}`);
      const { message, requestedSchema } = ElicitRequestFormParamsSchema.parse(params);
      return { ...(await ask({ message, requestedSchema }, signal)) };
    },
  });
  const request = { method: 'tools/call', params: { name: tool, arguments: { ...args } } };
  const options = { signal: stop, timeout: NO_TIMEOUT_MS, onprogress: () => undefined };
  try {
    const result = await upstream.client.request(request, ResultSchema, options);
    return result['structuredContent'];
  } catch (error) {
    if (stop.aborted) throw new AppError('CANCELLED', { phase: 'waiting for a decision' });
    throw isAnswer(error) ? error : new AppError('BRIDGE_LOST', { request: tool });
  }
}
