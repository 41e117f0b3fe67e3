import type { ServerResponse } from 'node:http';

/** Sends a protocol error. A failure of a tool is sent as a tool result instead. */
export function sendJsonRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}
