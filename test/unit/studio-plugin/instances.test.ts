import { startPlace } from './start-place.ts';
import { registerLuauTests } from './luau-tests.ts';

const vm = await startPlace();
for (const name of [
  'match',
  'diff',
  'overrides',
  'read',
  'untracked',
  'apply',
  'contents',
  'get-script',
  'commands',
  'team-create',
  'live',
  'live-reconnect',
  'live-start',
  'large-values',
  'review',
  'explorer',
  'scale',
  'spec-lines',
])
  registerLuauTests(vm, name);
