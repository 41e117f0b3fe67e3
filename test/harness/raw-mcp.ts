/** Sends one bare HTTP request to an MCP endpoint, with the headers of a conforming client by default. */
export async function rawMcp(
  url: string,
  token: string,
  options: {
    readonly method?: string;
    readonly body?: string | object;
    readonly session?: string;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<{ readonly status: number; readonly session: string | undefined; readonly text: string }> {
  const { method = 'POST', body, session, headers = {} } = options;
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(session === undefined ? {} : { 'Mcp-Session-Id': session }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.status,
    session: response.headers.get('mcp-session-id') ?? undefined,
    text: await response.text(),
  };
}

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
export const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
