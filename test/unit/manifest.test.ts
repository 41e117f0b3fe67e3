import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingProperties } from '../../scripts/generate-settings.ts';
import { commandIds, contextKeys, editorCommandIds, mcpProviderId, viewIds } from '../../src/vscode/command-ids.ts';

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
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = read('package.json');
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const settings = Object.entries(contributes.configuration.properties);

/** Context keys that VS Code itself sets; ours would be listed in a file of their own. */
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

test('every contributed command is registered, and every registered one contributed', () => {
  assert.deepEqual(
    contributes.commands.map(({ command }) => command).toSorted(),
    Object.values({ ...commandIds, ...editorCommandIds }).toSorted(),
  );
  assert.deepEqual(
    contributes.mcpServerDefinitionProviders.map(({ id }) => id),
    [mcpProviderId],
  );
});

test('the views are those that are registered, all in the container of the activity bar, and menus and welcomes name no other', () => {
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

test('every command has the category Atlas Bridge and an icon', () => {
  for (const command of contributes.commands) {
    assert.equal(command.category, 'Atlas Bridge', command.command);
    assert.match(command.icon ?? '', /^\$\([a-z-]+\)$/, command.command);
  }
});

test('every context key of a clause is one that somebody sets', () => {
  const clauses = [
    ...contributes.commands.flatMap(({ enablement }) => enablement ?? []),
    ...Object.values(contributes.menus).flatMap(items => items.map(({ when }) => when)),
    ...contributes.viewsWelcome.map(({ when }) => when),
  ];
  assert.ok(clauses.length > 0);
  for (const key of clauses.flatMap(keysOf)) assert.ok(builtInKeys.has(key) || ownKeys.has(key), key);
});

test('a clause with a key that nobody sets would be found', () => {
  assert.deepEqual(keysOf('isWorkspaceTrusted && !(atlas.redy || workspaceFolderCount > 0)'), [
    'isWorkspaceTrusted',
    'atlas.redy',
    'workspaceFolderCount',
  ]);
});

test('every setting says its scope, its order and what it does', () => {
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

test('the manifest has the settings of src/ports/settings.ts', () => {
  const { properties } = contributes.configuration;
  assert.deepEqual(properties, settingProperties(), 'run node scripts/generate-settings.ts');
});

test('every text of the manifest is in package.nls.json, and nothing else is', () => {
  const used = Array.from(text.matchAll(/"%([^%"]+)%"/g), match => match[1] ?? '');
  const known = Object.keys(JSON.parse(read('package.nls.json')) as object);
  assert.deepEqual(Array.from(new Set(used)).toSorted(), known.toSorted());
});

test('an untrusted workspace can set nothing that opens a port or lets agents decide', () => {
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

test('the identity, the oldest VS Code and the types agree', () => {
  assert.equal(`${manifest.publisher}.${manifest.name}`, 'atlas-bridge.atlas-bridge');
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  assert.deepEqual(manifest.extensionKind, ['workspace']);
  assert.equal(manifest.main, './dist/extension.js');
  assert.ok(existsSync(new URL(`../../${manifest.icon}`, import.meta.url)));
});

test('the extension starts for a project file, a Pluto module or an editor that is restored, and never for every folder', () => {
  assert.ok(manifest.activationEvents.includes('workspaceContains:*.project.json'));
  assert.ok(manifest.activationEvents.includes('workspaceContains:*/*.project.json'));
  const allowed = /^(workspaceContains:|onWebviewPanel:atlas\.review$|onFileSystem:atlas-pluto$)/;
  assert.deepEqual(
    manifest.activationEvents.filter(event => !allowed.test(event)),
    [],
  );
});

test('the newest version of the changelog is the version of the package', () => {
  const newest = /^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md'))?.[1];
  assert.equal(newest, manifest.version);
});

test('what ships is an allow-list', () => {
  const rules = read('.vscodeignore')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'));
  assert.equal(rules[0], '**');
});
