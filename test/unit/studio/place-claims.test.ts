import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { excludedPlaces, type PlaceClaims, placeRefusal } from '../../../src/studio/place-claims.ts';
import { projectsAndPlace } from '../../harness/place-claims.ts';

const projectNamed = (name: string, claims: Partial<PlaceClaims> = {}): PlaceClaims => ({
  name,
  servePlaceIds: undefined,
  blockedPlaceIds: undefined,
  placeId: undefined,
  ...claims,
});
const othersOf = (all: readonly PlaceClaims[], own: PlaceClaims): readonly PlaceClaims[] =>
  all.filter(one => one !== own);
const accepting = (all: readonly PlaceClaims[], place: number): readonly PlaceClaims[] =>
  all.filter(one => placeRefusal(one, othersOf(all, one), place) === undefined);

test('explains which list of the project excludes the place', () => {
  const lobby = projectNamed('lobby', { servePlaceIds: [1] });
  assert.equal(placeRefusal(lobby, [], 1), undefined);
  assert.equal(placeRefusal(lobby, [], 2), 'place 2 is not listed in servePlaceIds of project lobby');
  const blocked = projectNamed('lobby', { servePlaceIds: [1], blockedPlaceIds: [1] });
  assert.equal(placeRefusal(blocked, [], 1), 'place 1 is listed in blockedPlaceIds of project lobby');
});

test('leaves a place to the project that lists it, then to the one with its placeId', () => {
  const any = projectNamed('any');
  const same = projectNamed('same', { placeId: 2 });
  const lists = projectNamed('lists', { servePlaceIds: [2] });
  assert.equal(placeRefusal(any, [same], 2), 'place 2 belongs to project same, not to project any');
  assert.equal(placeRefusal(same, [any], 2), undefined);
  assert.equal(placeRefusal(same, [lists, any], 2), 'place 2 belongs to project lists, not to project same');
  assert.deepEqual(accepting([any, same, lists], 3), [any, same]);
  assert.deepEqual(excludedPlaces(any, [same, lists]), [2]);
  assert.deepEqual(excludedPlaces(lists, [same, any]), []);
});

test('[P1] never gives a place to a project that excludes it', () => {
  fc.assert(
    fc.property(projectsAndPlace, ({ projects, place }) => {
      for (const { servePlaceIds, blockedPlaceIds } of accepting(projects, place)) {
        assert.ok(blockedPlaceIds?.includes(place) !== true);
        assert.ok(servePlaceIds === undefined || servePlaceIds.includes(place));
      }
    }),
  );
});

test('does not depend on the order of the projects', () => {
  fc.assert(
    fc.property(projectsAndPlace, ({ projects, place }) => {
      const turned = projects.toReversed();
      assert.deepEqual(new Set(accepting(turned, place)), new Set(accepting(projects, place)));
    }),
  );
});

test('is not changed by a project that names only other places', () => {
  fc.assert(
    fc.property(projectsAndPlace, ({ projects, place }) => {
      const other = projectNamed('other', { servePlaceIds: [place + 1_000], placeId: place + 1_000 });
      assert.deepEqual(accepting([...projects, other], place), accepting(projects, place));
    }),
  );
});

test('lists for plugins exactly the claimed places that the bridge refuses', () => {
  fc.assert(
    fc.property(projectsAndPlace, ({ projects, place }) => {
      for (const own of projects) {
        const others = othersOf(projects, own);
        const isListed = own.servePlaceIds?.includes(place) ?? true;
        assert.equal(
          isListed && !excludedPlaces(own, others).includes(place),
          placeRefusal(own, others, place) === undefined,
        );
      }
    }),
  );
});
