import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { excludedPlaces, type PlaceClaims, placeRefusal } from '../../../src/studio/place-claims.ts';
import { projectsAndPlace } from '../../harness/place-claims.ts';
import { startPlace } from './start-place.ts';

/** The greetings of the bridges of a window, as the plugin reads them; the port is the number of the project. */
const greetingsOf = (projects: readonly PlaceClaims[]) =>
  projects.map((own, index) => {
    const unexpectedPlaceIds = excludedPlaces(
      own,
      projects.filter(one => one !== own),
    );
    return {
      port: index,
      projectName: own.name,
      ...(own.servePlaceIds && { expectedPlaceIds: own.servePlaceIds }),
      ...(unexpectedPlaceIds.length > 0 && { unexpectedPlaceIds }),
      ...(own.placeId !== undefined && { placeId: own.placeId }),
    };
  });

test('[P1] the plugin offers exactly the projects of the window that accept its place', async () => {
  const vm = await startPlace();
  const windows = fc.sample(projectsAndPlace, 500);
  const [found] = vm.run(
    `local bridges = require("@plugin/core/bridges")
    local found = {}
    for _, window in args[1] do
      local chosen, candidates = bridges.choose(window.greetings, window.place)
      local ports = {}
      for _, candidate in candidates do table.insert(ports, candidate.port) end
      table.insert(found, { chosen = if chosen then chosen.port else -1, among = ports })
    end
    return found`,
    'test/choose',
    windows.map(({ place, projects }) => ({ place, greetings: greetingsOf(projects) })),
  );
  windows.forEach(({ projects, place }, at) => {
    const accepting = projects.flatMap((own, index) => {
      const others = projects.filter(one => one !== own);
      return placeRefusal(own, others, place) === undefined ? [index] : [];
    });
    const { chosen, among } = (found as readonly { chosen: number; among: number[] }[])[at] ?? {};
    assert.deepEqual(Array.from(among ?? []), accepting, JSON.stringify({ projects, place }));
    assert.equal(chosen, accepting.length === 1 ? accepting[0] : -1);
  });
});
