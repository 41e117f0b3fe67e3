/** An MCP client that supports MCP Apps and shows the card. Runs in the browser of the tests, with the official library. */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The browser API that is used here; scripts are compiled without the DOM. */
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
  updateModelContext(text: string): Promise<void>;
};

const frame = document.querySelector('iframe');
if (frame === null) throw new Error('the page has no iframe');
const bridge = new AppBridge(
  null,
  { name: 'Test Host', version: '1' },
  { serverTools: {}, updateModelContext: { text: {} } },
  { hostContext: cardHost.context },
);
bridge.oncalltool = ({ name, arguments: args }) => cardHost.callTool(name, args ?? {});
bridge.onupdatemodelcontext = async ({ content }) => {
  await cardHost.updateModelContext(JSON.stringify(content));
  return {};
};
bridge.oninitialized = () =>
  void bridge.sendToolInput({ arguments: {} }).then(() => bridge.sendToolResult(cardHost.answer));
const around = frame.contentWindow as ConstructorParameters<typeof PostMessageTransport>[0];
await bridge.connect(new PostMessageTransport(around, around as never));
frame.srcdoc = cardHost.html;
