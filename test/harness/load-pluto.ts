import { createProgramRunner } from '../../src/adapters/pluto-program/program-runner.ts';
import { openPluto } from '../../src/tools/pluto/open-pluto.ts';
import type { LoadPluto } from '../../src/tools/pluto/pluto-slot.ts';

/** As the composition roots have it. */
export const loadPluto: LoadPluto = () =>
  Promise.resolve({
    openPluto,
    createPrograms: folder => createProgramRunner({ folder, environment: process.env, startedBy: 'agent' }),
  });
