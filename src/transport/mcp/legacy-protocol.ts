import type { ToolView } from '../../mcp/registry.ts';
import type { StdioTransport } from './stdio-transport.ts';

type JsonObject = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

let calls = 0;

/**
 * Adapts messages of older clients. Completes an `initialize` without capabilities or client name, and a tool call without arguments. Treats
 * `{tool, params, id?}` without `jsonrpc` as a tool call and writes its plain answer with the same id. Returns `undefined` if the message
 * was handled.
 */
export function adaptLegacyProtocol(
  message: unknown,
  view: ToolView,
  transport: StdioTransport,
  signal: AbortSignal,
): unknown {
  if (Array.isArray(message) || !isObject(message)) {
    void transport.write(invalid('NOT_OBJECT', undefined));
    return undefined;
  }
  if (message['jsonrpc'] !== undefined) {
    if (message['method'] === 'initialize') return complete(message);
    return message['method'] === 'tools/call' ? withArguments(message) : message;
  }
  const { tool, id } = message;
  if (typeof tool !== 'string') {
    void transport.write(invalid('MISSING_TOOL', id));
    return undefined;
  }
  const answer = callWithoutJsonRpc(view, tool, message['params'], signal).then(body =>
    transport.write(id === undefined ? body : { ...body, id }),
  );
  calls += 1;
  void transport.holdOpen(`plain call ${calls}`, answer);
  return undefined;
}

function complete(message: JsonObject): JsonObject {
  const params = isObject(message['params']) ? message['params'] : {};
  const byDefault = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'a client', version: '0' } };
  return { ...message, params: { ...byDefault, ...params } };
}

/** As in older servers: invalid arguments are ignored, and a call without a name is a call of an unknown tool. */
function withArguments(message: JsonObject): JsonObject {
  const params = isObject(message['params']) ? message['params'] : {};
  const { name, arguments: given } = params;
  const called = { name: typeof name === 'string' ? name : '', arguments: isObject(given) ? given : {} };
  return { ...message, params: { ...params, ...called } };
}

const invalid = (reason: string, id: unknown): object => ({
  error: { code: 'INVALID_REQUEST', message: 'Invalid request', details: { reason } },
  ...(id === undefined ? {} : { id }),
});

async function callWithoutJsonRpc(view: ToolView, tool: string, params: unknown, signal: AbortSignal): Promise<object> {
  try {
    const call = { signal, requestedBy: 'a client', progress: undefined };
    const result = await view.call(tool, params, call);
    return result?.structuredContent ?? {};
  } catch (error) {
    const data = isObject(error) ? error['data'] : undefined;
    if (isObject(data) && isObject(data['error'])) return { error: data['error'] };
    return { error: { code: 'TOOL_NOT_FOUND', message: 'Tool not found', details: { tool } } };
  }
}
