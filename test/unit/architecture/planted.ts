/** A small tree for each rule that violates only this rule. It proves that the check works. */
export const planted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'every file of src has a row in the table': { 'src/elsewhere/thing.ts': 'export const thing = 1;' },
  'imports follow the table': {
    'src/base/thing.ts': "import { other } from '../protocol/other.ts';\nexport const thing = other;",
    'src/protocol/other.ts': 'export const other = 1;',
  },
  'rooms are entered by their doors': {
    'src/app/thing.ts': "import { other } from '../docs/search/other.ts';\nexport const thing = other;",
    'src/docs/search/other.ts': 'export const other = 1;',
  },
  'packages follow the table': {
    'src/sync/thing.ts': "import type { Stats } from 'node:fs';\nexport type Thing = Stats;",
  },
  'vscode stays at the edge': { 'test/unit/thing.ts': "import type { Uri } from 'vscode';\nexport type Thing = Uri;" },
  'tests leave the extension to the host': {
    'test/integration/thing.ts': "import { activate } from '../../src/extension.ts';\nexport const thing = activate;",
    'src/extension.ts': 'export const activate = (): void => {};',
  },
  'programs do not depend on tests': {
    'scripts/thing.ts': "import { other } from '../test/harness/other.ts';\nexport const thing = other;",
    'test/harness/other.ts': 'export const other = 1;',
  },
  'no cycles between files': {
    'src/base/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;",
    'src/base/two.ts': "import type { One } from './one.ts';\nexport type Two = One;",
  },
  'no cycles between folders': {
    'src/sync/run/one.ts': "import type { Two } from '../changes/two.ts';\nexport type One = Two;",
    'src/sync/changes/two.ts': 'export type Two = 1;\n',
    'src/sync/changes/three.ts': "import type { Four } from '../run/four.ts';\nexport type Three = Four;",
    'src/sync/run/four.ts': 'export type Four = 1;',
  },
  'no default exports': { 'src/base/thing.ts': 'export default 1;' },
  'no barrels': { 'src/base/thing.ts': "export * from './other.ts';", 'src/base/other.ts': 'export const other = 1;' },
  'dynamic imports only in composition roots': { 'src/cli/thing.ts': "export const thing = import('node:fs');" },
  'files stay short': { 'test/unit/thing.ts': `${'// line\n'.repeat(501)}` },
  'pure layers touch no platform': {
    'src/roblox/instances/thing.ts': 'export const thing = (): number => Date.now();',
  },
  'file names are specific': { 'src/base/string-utils.ts': 'export const thing = 1;' },
};

/** More trees that must violate the same rules. */
export const plantedToo: readonly { readonly rule: string; readonly files: Readonly<Record<string, string>> }[] = [
  {
    rule: 'tests leave the extension to the host',
    files: {
      'test/unit/thing.ts': "import { part } from '../../src/extension/part.ts';\nexport const thing = part;",
      'src/extension/part.ts': 'export const part = 1;',
    },
  },
  {
    rule: 'imports follow the table',
    files: {
      'src/mcp/thing.ts': "import { other } from '../roblox/instances/other.ts';\nexport const thing = other;",
      'src/roblox/instances/other.ts': 'export const other = 1;',
    },
  },
  {
    rule: 'imports follow the table',
    files: {
      'src/app/app.ts': "import { other } from '../vscode/other.ts';\nexport const app = other;",
      'src/vscode/other.ts': 'export const other = 1;',
    },
  },
  {
    rule: 'imports follow the table',
    files: {
      'src/adapters/ws/thing.ts': "import { other } from '../fs/other.ts';\nexport const thing = other;",
      'src/adapters/fs/other.ts': 'export const other = 1;',
    },
  },
  {
    rule: 'imports follow the table',
    files: {
      'src/base/thing.ts': "export type Thing = import('../protocol/other.ts').Other;",
      'src/protocol/other.ts': 'export type Other = 1;',
    },
  },
  {
    rule: 'imports follow the table',
    files: {
      'src/app/app.ts': "import { other } from '../../test/other.ts';\nexport const app = other;",
      'test/other.ts': 'export const other = 1;',
    },
  },
  {
    rule: 'packages follow the table',
    files: { 'src/adapters/fs/thing.ts': "import { WebSocket } from 'ws';\nexport const thing = WebSocket;" },
  },
  {
    rule: 'packages follow the table',
    files: { 'src/mcp/thing.ts': "import '@modelcontextprotocol/other/server.js';\nexport const thing = 1;" },
  },
  {
    rule: 'no barrels',
    files: {
      'src/base/thing.ts': "export { other } from './other.ts';",
      'src/base/other.ts': 'export const other = 1;',
    },
  },
  { rule: 'pure layers touch no platform', files: { 'src/base/thing.ts': 'export const thing = [console, 1];' } },
  {
    rule: 'pure layers touch no platform',
    files: { 'src/ports/thing.ts': 'export const thing = (): Date => new Date();' },
  },
  {
    rule: 'pure layers touch no platform',
    files: { 'src/protocol/thing.ts': 'export const thing = { run: () => setTimeout(() => {}, 1) };' },
  },
];

/** Files that look like violations but are not. */
export const innocent: Readonly<Record<string, string>> = {
  'src/extension.ts':
    "import type * as vscode from 'vscode';\nimport { app } from './app/app.ts';\nexport const late = (c: vscode.Uri) => [c, app, import('./roblox/instances/one.ts')];",
  'src/app/app.ts': "import { one } from '../roblox/instances/one.ts';\nexport const app = one;",
  'src/roblox/instances/one.ts':
    "import type { Two } from './two.ts';\nexport const one = (process: Two) => ({ console: process.fetch, at: new Date(0) });",
  'src/roblox/instances/two.ts':
    "export interface Two { readonly fetch: string; performance(): void }\nexport { three } from './three.ts';\nexport const two = 2;",
  'src/roblox/instances/three.ts': 'export const three = (Date: { now(): number }) => Date.now();',
  'src/transport/thing.ts':
    "import type { Two } from '../roblox/instances/two.ts';\nimport * as path from 'node:path';\nexport const thing = (two: Two) => path.join(two.fetch);",
};
