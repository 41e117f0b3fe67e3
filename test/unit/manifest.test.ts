import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingProperties } from '../../scripts/generate-settings.ts';
import {
  commandIds,
  contextKeys,
  editorCommandIds,
  mcpProviderId,
  questionCommandIds,
  viewIds,
} from '../../src/vscode/command-ids.ts';

interface Setting {
  readonly type: string;
  readonly default: unknown;
  readonly scope?: string;
  readonly order?: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly markdownDescription?: string;
}
interface Manifest {
  readonly version: string;
  readonly publisher: string;
  readonly name: string;
  readonly main: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents: readonly string[];
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    readonly virtualWorkspaces: { readonly supported: boolean };
  };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly icon?: string;
      readonly enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when: string }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = read('package.json');
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const settings = Object.entries(contributes.configuration.properties);

/** Context keys of VS Code. */
const builtInKeys = new Set([
  'isWorkspaceTrusted',
  'workspaceFolderCount',
  'isInDiffEditor',
  'resourceScheme',
  'resourceExtname',
  'resourceLangId',
  'resourcePath',
  'focusedView',
  'false',
  'view',
  'viewItem',
]);
/** Keys that the extension sets. */
const ownKeys = new Set<string>([
  'atlas.reviewDiff',
  'atlas.reviewDiffHasBase',
  'atlas.reviewDiffHasFile',
  'atlas.reviewMerge',
  ...Object.values(contextKeys),
]);
const keysOf = (clause: string): readonly string[] =>
  clause
    .split(/&&|\|\||[()]/)
    .map(
      part =>
        part
          .trim()
          .replace(/^!/, '')
          .split(/[\s=<>!]/)[0] ?? '',
    )
    .filter(key => key !== '');

test('every contributed command is registered, and every registered one is contributed', () => {
  assert.deepEqual(
    contributes.commands.map(({ command }) => command).toSorted(),
    [commandIds, editorCommandIds, questionCommandIds].flatMap(ids => Object.values<string>(ids)).toSorted(),
  );
  assert.deepEqual(
    contributes.mcpServerDefinitionProviders.map(({ id }) => id),
    [mcpProviderId],
  );
});

test('every view is registered, is in the activity bar, and is the only one that menus name', () => {
  const views = Object.values(contributes.views).flat();
  assert.deepEqual(
    views.map(({ id }) => id),
    Object.values(viewIds),
  );
  assert.deepEqual(
    Object.keys(contributes.views),
    contributes.viewsContainers.activitybar.map(({ id }) => id),
  );
  for (const { icon } of [...views, ...contributes.viewsContainers.activitybar])
    assert.ok(existsSync(new URL(`../../${icon}`, import.meta.url)), icon);
  const clauses = Object.values(contributes.menus).flatMap(items => items.map(({ when }) => when));
  const named = [
    ...clauses.flatMap(when => Array.from(when.matchAll(/\bview == ([\w.]+)/g), match => match[1] ?? '')),
    ...contributes.viewsWelcome.map(({ view }) => view),
  ];
  assert.ok(named.length > 0);
  for (const view of named) assert.ok(Object.values<string>(viewIds).includes(view), view);
});

test('every command has the category Atlas Bridge and an icon, except the buttons of a question', () => {
  // VS Code shows the label of a button without an icon.
  const labeled = new Set<string>(Object.values(questionCommandIds));
  for (const command of contributes.commands) {
    assert.equal(command.category, 'Atlas Bridge', command.command);
    if (labeled.has(command.command)) assert.equal(command.icon, undefined, command.command);
    else assert.match(command.icon ?? '', /^\$\([a-z-]+\)$/, command.command);
  }
});

test('every context key of a clause is set', () => {
  const clauses = [
    ...contributes.commands.flatMap(({ enablement }) => enablement ?? []),
    ...Object.values(contributes.menus).flatMap(items => items.map(({ when }) => when)),
    ...contributes.viewsWelcome.map(({ when }) => when),
  ];
  assert.ok(clauses.length > 0);
  for (const key of clauses.flatMap(keysOf)) assert.ok(builtInKeys.has(key) || ownKeys.has(key), key);
});

test('says that History and Roots are empty only after they were read', () => {
  const whenOf = (text: string): string =>
    contributes.viewsWelcome.find(({ contents }) => contents === text)?.when ?? '';
  assert.ok(keysOf(whenOf('%view.history.none%')).includes(contextKeys.historyRead));
  assert.ok(keysOf(whenOf('%view.roots.none%')).includes(contextKeys.rootsRead));
});

test('finds a clause with a key that is never set', () => {
  assert.deepEqual(keysOf('isWorkspaceTrusted && !(atlas.redy || workspaceFolderCount > 0)'), [
    'isWorkspaceTrusted',
    'atlas.redy',
    'workspaceFolderCount',
  ]);
});

test('every setting has a scope, an order and a description', () => {
  for (const [name, setting] of settings) {
    assert.match(name, /^atlas\./);
    assert.ok(['resource', 'machine', 'machine-overridable', 'application'].includes(setting.scope ?? ''), name);
    assert.ok(setting.markdownDescription, name);
    assert.notEqual(setting.default, undefined, name);
    if (setting.enum !== undefined) assert.equal(setting.enumDescriptions?.length, setting.enum.length, name);
    if (setting.type === 'number' || setting.type === 'integer') assert.notEqual(setting.minimum, undefined, name);
  }
  const orders = settings.map(([, { order }]) => order);
  assert.equal(new Set(orders).size, settings.length);
});

test('has the settings of src/ports/settings.ts', () => {
  const { properties } = contributes.configuration;
  assert.deepEqual(properties, settingProperties(), 'run node scripts/generate-settings.ts');
});

test('package.nls.json has exactly the texts of the manifest', () => {
  const used = Array.from(text.matchAll(/"%([^%"]+)%"/g), match => match[1] ?? '');
  const known = Object.keys(JSON.parse(read('package.nls.json')) as object);
  assert.deepEqual(Array.from(new Set(used)).toSorted(), known.toSorted());
});

test('restricts settings that open a port or let agents decide to trusted workspaces', () => {
  const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
  assert.equal(untrustedWorkspaces.supported, 'limited');
  assert.equal(virtualWorkspaces.supported, false);
  for (const name of [
    'atlas.port',
    'atlas.rojoPort',
    'atlas.live',
    'atlas.overrides.approval',
    'atlas.overrides.requirePrecondition',
  ])
    assert.ok(untrustedWorkspaces.restrictedConfigurations.includes(name), name);
});

test('has the published identity, and the oldest VS Code of the types', () => {
  assert.equal(`${manifest.publisher}.${manifest.name}`, 'atlas-bridge.atlas-bridge');
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  assert.deepEqual(manifest.extensionKind, ['workspace']);
  assert.equal(manifest.main, './dist/extension.js');
  assert.ok(existsSync(new URL(`../../${manifest.icon}`, import.meta.url)));
});

test('activates for a project file, Pluto module or restored editor, and not for every folder', () => {
  assert.ok(manifest.activationEvents.includes('workspaceContains:*.project.json'));
  assert.ok(manifest.activationEvents.includes('workspaceContains:*/*.project.json'));
  const allowed = /^(workspaceContains:|onWebviewPanel:atlas\.review$|onFileSystem:atlas-(pluto|recorded|report|run)$)/;
  assert.deepEqual(
    manifest.activationEvents.filter(event => !allowed.test(event)),
    [],
  );
});

test('has the version of the newest section of the changelog', () => {
  const newest = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md'))?.[1];
  assert.equal(newest, manifest.version);
});

test('ships only listed files', () => {
  const rules = read('.vscodeignore')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'));
  assert.equal(rules[0], '**');
});
