import { test } from 'node:test';
import { readLuauFolder } from '../../../src/headless-studio/luau-folder.ts';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';

const folder = new URL('../../../studio-plugin/test/', import.meta.url);

/** The modules of `studio-plugin/test`, as `test/…`. */
export const luauTestModules = (): Promise<ReadonlyMap<string, string>> => readLuauFolder(folder.pathname, 'test');

/** Registers every function of the module `test/<name>.test` as a test under its key. */
export function registerLuauTests(vm: LuauVm, name: string): void {
  const module = `test/${name}.test`;
  const [names] = vm.run(
    'local names = {} for key in require(args[1]) do table.insert(names, key) end table.sort(names) return names',
    'chunk',
    `@${module}`,
  ) as unknown as [string[]];
  if (names.length === 0) throw new Error(`${module} holds no tests`);
  for (const key of names) test(`${name}: ${key}`, () => void vm.call('test/runner', 'run', `@${module}`, key));
}
