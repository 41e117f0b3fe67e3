import { NO_TIMEOUT_MS } from '../protocol/limits.ts';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type ElicitRequestFormParams,
  ElicitResultSchema,
  EmptyResultSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';

/** A question with a form that the client shows to its person. */
export type Question = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>;

/** `decline`: the person said no; `cancel`: the person closed the form without an answer. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** Asks the person through the client. Rejects when `signal` aborts, which closes the form, and when the client cannot ask. */
export type AskPerson = (question: Question, signal: AbortSignal) => Promise<ElicitationAnswer>;

/** The SDK's context of a request: what it sends belongs to that request. */
export type RequestSender = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, 'sendRequest'>;

const withFirstIdUsed = new WeakSet<Server>();

/** Uses the request id 0: clients with the official SDK ignore the cancellation of that request, and would leave its form open. */
export function useFirstId(server: Server, sendPing: () => Promise<unknown>): void {
  if (withFirstIdUsed.has(server)) return;
  withFirstIdUsed.add(server);
  // A ping that fails has used the id too.
  sendPing().catch(() => undefined);
}

/** Returns the function with which a call asks the person of its client; `undefined` if the client cannot show forms. */
export function askThroughClient(server: Server, sender: RequestSender): AskPerson | undefined {
  const supported = server.getClientCapabilities()?.elicitation;
  // An empty object means forms: clients of older protocol versions send it.
  if (supported === undefined || (supported.form === undefined && Object.keys(supported).length > 0)) return undefined;
  return async (question, signal) => {
    useFirstId(server, () => sender.sendRequest({ method: 'ping' }, EmptyResultSchema));
    const params = { mode: 'form' as const, ...question };
    const result = await sender.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, {
      signal,
      timeout: NO_TIMEOUT_MS,
    });
    if (result.action === 'accept') return { action: 'accept', content: result.content ?? {} };
    return { action: result.action === 'decline' ? 'decline' : 'cancel' };
  };
}
