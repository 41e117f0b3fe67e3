import type { ServerResponse } from 'node:http';

/** Answers with an error of the protocol itself; what a tool could not do is a tool result instead. */
export function sendJsonRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
}
