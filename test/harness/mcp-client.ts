import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Connects the official client, which validates every structured answer against the tool's output schema. */
export async function connectClient(
  url: string,
  token: string,
): Promise<AsyncDisposable & { readonly client: Client; readonly transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test-client', title: 'The test', version: '1' });
  // The SDK's own transport does not fit its interface under `exactOptionalPropertyTypes`.
  await client.connect(transport as Transport);
  // The client validates output schemas only after it has listed the tools.
  await client.listTools();
  return { client, transport, [Symbol.asyncDispose]: () => client.close() };
}

/** Calls a tool and returns its structured content, error or not. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ readonly isError: boolean; readonly text: string; readonly answer: Record<string, unknown> }> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
  const [content] = result.content;
  return {
    isError: result.isError === true,
    text: content?.type === 'text' ? content.text : '',
    answer: result.structuredContent ?? {},
  };
}
