import { readFileSync } from 'node:fs';

export interface Setting {
  readonly type: string | readonly string[];
  readonly default: unknown;
  readonly scope: string;
  readonly order: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly markdownDescription: string;
}
interface MenuEntry {
  readonly command: string;
  readonly when?: string;
}
/** The parts of `package.json` that the reference pages describe. */
export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly keybindings?: readonly { readonly command: string; readonly key: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

const json = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as unknown;

/** The extension's manifest; `test/unit/manifest.test.ts` checks its form. */
export const readManifest = (): Manifest => json('package.json') as Manifest;

/** Resolves `%key%` as VS Code does, in English. */
export function createNls(): (text: string) => string {
  const texts = json('package.nls.json') as Readonly<Record<string, string>>;
  return text => text.replaceAll(/^%(.+)%$/g, (_, key: string) => texts[key] ?? key);
}
