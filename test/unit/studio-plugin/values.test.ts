import { startPlace } from './start-place.ts';
import { registerLuauTests } from './luau-tests.ts';

const vm = await startPlace();
for (const name of ['assignment', 'codec', 'equal', 'stream', 'session', 'bridges', 'pairing', 'reasons'])
  registerLuauTests(vm, name);
