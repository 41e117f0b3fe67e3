import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok } from '../../../../src/base/result.ts';
import { placesOf } from '../../../../src/project/project-file/listed-places.ts';

test('reads the name and the places of a project file with comments', () => {
  const text = `{
    // the lobby
    name: 'lobby', servePlaceIds: [1, "two", 3], blockedPlaceIds: [4], placeId: 1,
    tree: { $className: 'DataModel' },
  }`;
  assert.deepEqual(
    placesOf(text, 'folder'),
    ok({
      isPlace: true,
      places: { name: 'lobby', servePlaceIds: [1, 3], blockedPlaceIds: [4], placeId: 1 },
    }),
  );
});

test('distinguishes projects of models from those of places', () => {
  const places = { name: 'library', servePlaceIds: undefined, blockedPlaceIds: undefined, placeId: undefined };
  assert.deepEqual(placesOf('{"tree": {"$path": "src"}}', 'library'), ok({ isPlace: false, places }));
});

test('returns the position of the error when a project file is broken', () => {
  const errorOf = (text: string): unknown => {
    const read = placesOf(text, 'broken');
    return read.ok ? undefined : read.error;
  };
  assert.deepEqual(errorOf('{\n  "name": '), { line: 2, column: 11, expected: 'a value' });
  assert.deepEqual(errorOf('\n{"name": "x"}'), { line: 2, column: 1, expected: 'a "tree" field in the project' });
  assert.deepEqual(errorOf('[]'), { line: 1, column: 1, expected: 'a "tree" field in the project' });
});
