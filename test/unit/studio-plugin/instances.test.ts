import { startPlace } from './start-place.ts';
import { registerLuauTests } from './luau-tests.ts';

const vm = await startPlace();
for (const name of [
  'match',
  'diff',
  'overrides',
  'read',
  'apply',
  'contents',
  'get-script',
  'commands',
  'team-create',
  'live',
  'review',
  'scale',
  'spec-lines',
])
  registerLuauTests(vm, name);
