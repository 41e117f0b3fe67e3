/** A client with MCP Apps around the card, by the extension's own library: runs in the browser of the tests. */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The part of the browser that this needs; the rest of the scripts knows no DOM. */
interface Frame {
  readonly contentWindow: unknown;
  srcdoc: string;
}
declare const document: { querySelector(selector: string): Frame | null };
/** Set by the test. */
declare const cardHost: {
  readonly html: string;
  readonly context: object;
  readonly answer: CallToolResult;
  callTool(name: string, args: object): Promise<CallToolResult>;
  told(text: string): Promise<void>;
};

const frame = document.querySelector('iframe');
if (frame === null) throw new Error('there is no frame');
const bridge = new AppBridge(
  null,
  { name: 'Test Host', version: '1' },
  { serverTools: {}, updateModelContext: { text: {} } },
  { hostContext: cardHost.context },
);
bridge.oncalltool = ({ name, arguments: args }) => cardHost.callTool(name, args ?? {});
bridge.onupdatemodelcontext = async ({ content }) => {
  await cardHost.told(JSON.stringify(content));
  return {};
};
bridge.oninitialized = () =>
  void bridge.sendToolInput({ arguments: {} }).then(() => bridge.sendToolResult(cardHost.answer));
const around = frame.contentWindow as ConstructorParameters<typeof PostMessageTransport>[0];
await bridge.connect(new PostMessageTransport(around, around as never));
frame.srcdoc = cardHost.html;
