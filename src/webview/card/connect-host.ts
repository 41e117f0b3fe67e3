import type { Host, ToolAnswer } from './host.ts';

export interface HostContext {
  readonly theme?: 'light' | 'dark';
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> };
}
interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export interface HostListeners {
  onContext(context: HostContext): void;
  /** Called with the result of the tool call that the card belongs to. */
  onResult(answer: ToolAnswer): void;
}

/** Performs the handshake with the host. Resolves when the host has answered. */
export async function connectHost(version: string, listeners: HostListeners): Promise<Host> {
  const waiting = new Map<number | string, PromiseWithResolvers<unknown>>();
  let last = 0;
  const post = (message: object): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method: string, params: object): Promise<unknown> => {
    last += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(last, answer);
    post({ id: last, method, params });
    return answer.promise;
  };
  window.addEventListener('message', ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return;
    if (data.method === undefined) {
      const answer = waiting.get(data.id ?? '');
      waiting.delete(data.id ?? '');
      if (data.error === undefined) answer?.resolve(data.result);
      else answer?.reject(new Error(data.error.message));
      return;
    }
    if (data.method === 'ui/notifications/tool-result') listeners.onResult(data.params as ToolAnswer);
    if (data.method === 'ui/notifications/host-context-changed') listeners.onContext(data.params as HostContext);
    // Acknowledge every request, including teardown: the card has no state to save.
    if (data.id !== undefined) post({ id: data.id, result: {} });
  });

  const handshake = (await request('ui/initialize', {
    appInfo: { name: 'atlas-bridge-conflict', version },
    appCapabilities: {},
    protocolVersion: '2026-01-26',
  })) as { readonly hostContext?: HostContext; readonly hostCapabilities?: { readonly updateModelContext?: object } };
  listeners.onContext(handshake.hostContext ?? {});
  post({ method: 'ui/notifications/initialized' });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    post({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }).observe(document.documentElement);

  return {
    callTool: async (name, args) => (await request('tools/call', { name, arguments: args })) as ToolAnswer,
    updateContext(text) {
      if (handshake.hostCapabilities?.updateModelContext === undefined) return;
      // The card shows the result to the user, so a failure changes nothing for them.
      request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => undefined);
    },
  };
}
