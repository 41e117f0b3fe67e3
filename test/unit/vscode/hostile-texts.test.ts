import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { createCliOutput } from '../../../src/cli/io.ts';
import { withActiveProject } from '../../../src/vscode/project-label.ts';

/** Names from outside, each with a part that some place of VS Code or a terminal acts on. */
const names: Readonly<Record<string, string>> = {
  'line breaks': 'Part\nerror: gone\r\nx\u2028y\u0085z',
  'terminal escapes': 'Part\u001b[2J\u001b[31mred\u009b1A',
  'terminal link': '\u001b]8;;file:///etc/passwd\u0007open\u001b]8;;\u0007',
  'command link': '[Open](command:workbench.action.terminal.new?%5B%5D)',
  'link with title': '[a](https://x.test "t") and [b](file:///x)',
  icon: '$(error) Failed $(sync~spin)',
  HTML: '<img src=x onerror=alert(1)><b>Part</b>',
  bidi: 'Part\u202etxt.exe\u2066x\u200f',
  'many characters': 'x'.repeat(10_000),
};

/** The texts that VS Code received, by place. */
const shown: { readonly place: string; readonly text: string }[] = [];
const see = (place: string, value: unknown): void => {
  if (typeof value === 'string') shown.push({ place, text: value });
};
const fakeWindow = {
  ...Object.fromEntries(
    ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'].map(name => [
      name,
      async (message: string, options?: { readonly detail?: string }) => {
        see('message', message);
        see('detail', options?.detail);
      },
    ]),
  ),
  async showQuickPick(items: readonly object[], options: object) {
    for (const item of items) for (const text of Object.values(item)) see('list', text);
    for (const text of Object.values(options)) see('line', text);
  },
  setStatusBarMessage: (text: string) => see('list', text),
  createOutputChannel: () => ({
    append: (text: string) => see('program', text),
    appendLine: (text: string) => see('program', text),
    clear: () => undefined,
    show: () => undefined,
    dispose: () => undefined,
  }),
  async withProgress(options: { readonly title?: string }, task: (progress: object) => Promise<void>) {
    see('message', options.title);
    await task({ report: ({ message }: { readonly message?: string }) => see('message', message) });
  },
};
const fake = {
  window: fakeWindow,
  TreeItem: class {},
  TestMessage: class {
    readonly message: string;
    constructor(message: string) {
      this.message = message;
    }
  },
  TreeItemCollapsibleState: { None: 0 },
  commands: { executeCommand: (_: string, __: unknown, ___: unknown, title: string) => see('line', title) },
  Diagnostic: class {
    readonly message: string;
    constructor(_range: unknown, message: string) {
      this.message = message;
    }
  },
};
const key = Symbol.for('the VS Code of this test');
Object.assign(globalThis, { [key]: fake });
const exported = Object.keys(fake).map(
  name => `export const ${name} = globalThis[Symbol.for('${key.description}')].${name};`,
);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(exported.join('\n'))}`, shortCircuit: true }
      : next(specifier, context),
});
const { createTreeItem, safeWindow, setPanelTitle, setStatusText, setViewDescription, setViewMessage, showDiff } =
  await import('../../../src/vscode/safe-window.ts');
const { createTestItem, testMessage, testOutput } = await import('../../../src/vscode/safe-tests.ts');
const { createSafeOutput } = await import('../../../src/vscode/safe-output.ts');
const { createDiagnostic } = await import('../../../src/vscode/safe-diagnostics.ts');
const { rowText } = await import('../../../src/game-view/vscode/game-rows.ts');

/** Shows a name in every place. */
async function show(name: string): Promise<void> {
  const { showErrorMessage, showInformationMessage, showQuickPick, showWarningMessage } = safeWindow;
  for (const message of [showErrorMessage, showInformationMessage, showWarningMessage])
    await message(name, { modal: true, detail: name });
  const row = { label: name, description: name, detail: name };
  await showQuickPick([row], { title: name, placeHolder: name });
  safeWindow.setStatusBarMessage(name, 1);
  await safeWindow.withProgress({ location: 15, title: name }, async progress => progress.report({ message: name }));

  const l10n = {
    t: (text: string, ...parts: readonly unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, at) => String(parts[Number(at)])),
  };
  const node = { kind: 'instance', name, className: name, parent: undefined };
  const tree = { stateOf: () => 'differs', countBelow: () => 2 };
  const item = createTreeItem(rowText(node as never, tree as never, name, l10n as never));
  see('list', item.label);
  see('list', item.description);
  see('lines', item.tooltip);
  see('line', item.accessibilityInformation?.label);
  const status = { icon: 'sync', text: name, tooltip: [name], spoken: name };
  const bar = {} as Parameters<typeof setStatusText>[0];
  setStatusText(bar, status);
  see('list', bar.text.replace('$(sync) ', ''));
  see('lines', bar.tooltip);
  see('line', bar.accessibilityInformation?.label);

  const bridges = ['a', name].map(label => ({ session: () => ({ info: { name: label } }), location: { label } }));
  const lifecycle = { state: () => ({ kind: 'running', bridge: bridges[1] }), bridges: () => bridges };
  const view = {} as Parameters<typeof setViewMessage>[0];
  setViewMessage(view, name);
  setViewDescription(view, withActiveProject(lifecycle as never, 'place'));
  see('detail', view.message);
  see('line', view.description);
  await showDiff({} as never, {} as never, name);
  const panel = {} as Parameters<typeof setPanelTitle>[0];
  setPanelTitle(panel, name);
  see('line', panel.title);

  createTestItem({ createTestItem: (_: string, label: string) => see('list', label) } as never, name, name, undefined);
  see('lines', testMessage(name).message);
  see('terminal', testOutput(name));
  const out = createCliOutput(
    text => see('terminal', text),
    text => see('terminal', text),
  );
  out.out(name);
  out.err(name);
  out.out(JSON.stringify(name), 'data');
  see('lines', createDiagnostic({} as never, name, 0, 'Atlas Bridge').message);
  const output = createSafeOutput('Program');
  output.addLine(name);
  output.addLines(name);
  output.addPart(name);
}

const CONTROL = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
const LINK = /\]\(/;
const ICON = /\$\(/;
/** The patterns that each place must not receive. */
const forbidden: Readonly<Record<string, readonly RegExp[]>> = {
  message: [CONTROL, LINK, /[\n\t]/],
  detail: [CONTROL, LINK],
  list: [CONTROL, LINK, ICON, /[\n\t]/],
  line: [CONTROL, /[\n\t]/],
  lines: [CONTROL],
  terminal: [/(?![\r\n\t])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u],
  program: [CONTROL],
};
/** The longest text of each place; one more for the ellipsis. The output of programs and tests has no limit. */
const maxLength: Readonly<Record<string, number>> = {
  message: 1001,
  detail: 4001,
  list: 1001,
  line: 1001,
  lines: 4001,
};

for (const [what, name] of Object.entries(names))
  test(`shows a name with ${what} as text in every place`, async () => {
    shown.length = 0;
    await show(name);
    assert.deepEqual(new Set(shown.map(({ place }) => place)), new Set(Object.keys(forbidden)));
    assert.ok(shown.length >= 35, String(shown.length));
    for (const { place, text } of shown)
      for (const syntax of forbidden[place] ?? [])
        assert.doesNotMatch(text, syntax, `${place}: ${JSON.stringify(text.slice(0, 200))}`);
    for (const { place, text } of shown)
      assert.ok(text.length <= (maxLength[place] ?? Infinity), `${place}: ${text.length} characters`);
  });
