import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type * as z from 'zod';
import type { SyncInput } from '../../src/protocol/sync-request.ts';
import { SyncResult } from '../../src/protocol/sync-result.ts';
import type { PageQuery } from '../../src/protocol/sync-page.ts';

/** An agent: the official MCP client, over HTTP, with the token. */
export interface Agent extends AsyncDisposable {
  /** Without `limit`, the changes are those of the first page. */
  sync(input: z.input<typeof SyncInput> & Pick<PageQuery, 'limit'>): Promise<SyncResult>;
  /** Syncs, and waits for the end of a run that is longer than one call. */
  syncToEnd(input: z.input<typeof SyncInput>): Promise<SyncResult>;
  /** Calls a tool and returns its structured content. @throws Error with the text of the tool if there is none */
  call(tool: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** @param callMs time limit of a call in milliseconds */
export async function connectAgent(mcpUrl: string, token: string, callMs = 60_000): Promise<Agent> {
  const client = new Client({ name: 'start-check', title: 'npm start -- --check', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  // The SDK's own transport does not fit its interface under `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport);

  const call = async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { structuredContent, content } = await client.callTool({ name, arguments: input }, undefined, {
      timeout: callMs,
    });
    if (structuredContent === undefined) throw new Error(`${name} answered ${JSON.stringify(content)}`);
    // The SDK has checked it against the tool's output schema.
    return structuredContent as Record<string, unknown>;
  };
  const resultOf = async (name: string, input: Record<string, unknown>): Promise<SyncResult> => {
    const answer = SyncResult.safeParse(await call(name, input));
    if (!answer.success) throw new Error(`invalid result of ${name}: ${answer.error.message}`);
    return answer.data;
  };
  return {
    call,
    sync: input => resultOf('atlas_sync', { ...input }),
    async syncToEnd(input) {
      let answer = await resultOf('atlas_sync', { ...input });
      while (answer.status === 'review_pending')
        answer = await resultOf('operation_wait', { operationId: answer.runId });
      return answer;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
