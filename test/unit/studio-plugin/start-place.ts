import { reflectionToLuau } from '../../../src/headless-studio/reflection-value.ts';
import type { LuauVm } from '../../../src/headless-studio/vm.ts';
import { startTestVm } from '../../harness/luau-vm.ts';
import { reflectionData } from '../../harness/reflection.ts';
import { luauTestModules } from './luau-tests.ts';

/** A VM with an empty place, the plugin and its Luau tests; nothing outside is reachable. */
export async function startPlace(): Promise<LuauVm> {
  const vm = await startTestVm(await luauTestModules());
  vm.call('headless/host', 'start', reflectionToLuau(reflectionData), 'Baseplate');
  return vm;
}
