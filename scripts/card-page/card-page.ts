import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { SyncResult } from '../../src/protocol/sync-result.ts';

const { buildOptions, cardPage } = (await import(new URL('../../esbuild.config.mjs', import.meta.url).href)) as {
  readonly buildOptions: (release: boolean) => Readonly<Record<'webview' | 'style', BuildOptions>>;
  readonly cardPage: (script: string, style: string) => string;
};

/** The card in an MCP client, with the calls that it made. */
export interface ShownCard extends AsyncDisposable {
  readonly page: Page;
  readonly card: FrameLocator;
  readonly calls: readonly { readonly name: string; readonly args: object }[];
  /** Texts that the card sent to the agent's model context. */
  readonly modelContexts: readonly string[];
  /** Exceptions, and errors and warnings on the console. */
  readonly complaints: readonly string[];
}
export interface CardOptions {
  readonly answer: SyncResult;
  /** Results of tools, by name; `isError` in one makes its calls fail. */
  readonly tools: Readonly<Record<string, object>>;
  readonly context?: object;
}

let built: Promise<{ readonly html: string; readonly host: string }> | undefined;

export async function showCard(browser: Browser, { answer, tools, context = {} }: CardOptions): Promise<ShownCard> {
  const { html, host } = await (built ??= buildCard());
  const page = await browser.newPage({ viewport: { width: 640, height: 700 } });
  const calls: { name: string; args: object }[] = [];
  const modelContexts: string[] = [];
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  const asResult = (structuredContent: object): object => ({ content: [], structuredContent });
  await page.exposeFunction('cardCall', (name: string, args: object) => {
    calls.push({ name, args });
    const result = tools[name] ?? {};
    return 'isError' in result ? { content: [], isError: true } : asResult(result);
  });
  await page.exposeFunction('cardModelContext', (text: string) => void modelContexts.push(text));
  const data = JSON.stringify({ html, context, answer: asResult(answer) }).replaceAll('<', String.raw`\u003c`);
  await page.setContent(
    `<!doctype html><html lang="en"><title>Host</title><main><iframe title="card" sandbox="allow-scripts" style="width:600px;height:640px"></iframe></main>
<script>globalThis.cardHost = { ...${data}, callTool: cardCall, updateModelContext: cardModelContext };</script><script type="module">${host}</script></html>`,
  );
  return {
    page,
    card: page.frameLocator('iframe'),
    calls,
    modelContexts,
    complaints,
    [Symbol.asyncDispose]: () => page.close(),
  };
}

async function buildCard(): Promise<{ readonly html: string; readonly host: string }> {
  const { webview, style } = buildOptions(true);
  const text = async (options: BuildOptions, entry: string): Promise<string> => {
    const built = await build({ ...options, entryPoints: [entry], sourcemap: false, write: false });
    return built.outputFiles[0]?.text ?? '';
  };
  const [script, css, host] = await Promise.all([
    text(webview, 'src/webview/card/main.tsx'),
    text(style, 'src/webview/card/card.css'),
    text(webview, fileURLToPath(new URL('host-page.ts', import.meta.url))),
  ]);
  return { html: cardPage(script, css), host: host.replaceAll('</', String.raw`<\/`) };
}
