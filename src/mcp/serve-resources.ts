import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../base/errors.ts';
import { formatSentence } from '../base/sentence.ts';
import type { Logger } from '../ports/logger.ts';
import { forAgent, toErrorBody } from '../protocol/error-body.ts';
import { hideFolders } from './hide-folders.ts';
import { affects, type ResourceSource } from './resource.ts';

/** The error code of the protocol for an unknown resource. */
const RESOURCE_NOT_FOUND = -32_002;
/** Maximum number of subscriptions per client. */
const MAX_SUBSCRIPTIONS = 1000;

/** Answers `resources/*` and notifies the client when a subscribed resource may have changed. Stops when `server` closes. */
export function serveResources(server: Server, sources: readonly ResourceSource[], log: Logger): void {
  const followed = new Set<string>();
  const listening = sources.map(source =>
    source.onDidChange(changed => {
      for (const uri of followed) if (affects(changed, uri)) notify(uri);
    }),
  );
  const notify = (uri: string): void =>
    void server.sendResourceUpdated({ uri }).catch((error: unknown) => {
      log.debug('could not notify the client of a changed resource', { uri, reason: String(error) });
    });
  server.onclose = () => listening.forEach(one => one[Symbol.dispose]());

  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: sources.flatMap(({ listings }) => listings.map(listing => ({ ...listing }))),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: sources.flatMap(({ templates }) => templates.map(template => ({ ...template }))),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    try {
      for (const source of sources) {
        const found = await source.read(uri, signal);
        if (found !== undefined) return { contents: [{ uri, ...found }] };
      }
    } catch (error) {
      const failure = AppError.from(error);
      const { answer, words } = hideFolders(toErrorBody(failure), formatSentence(forAgent(failure)));
      throw new McpError(ErrorCode.InternalError, words, answer);
    }
    throw new McpError(RESOURCE_NOT_FOUND, `Unknown resource ${uri}.`, { uri });
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    if (followed.size >= MAX_SUBSCRIPTIONS && !followed.has(uri))
      throw new McpError(ErrorCode.InvalidRequest, `Too many subscriptions (maximum ${MAX_SUBSCRIPTIONS}).`);
    followed.add(uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    followed.delete(uri);
    return {};
  });
}
