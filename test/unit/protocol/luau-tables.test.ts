import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compared } from '../../../src/protocol/studio/stream.ts';

test('[A27] reads an empty table of Luau as a map for attributes, and as a list for tags', () => {
  const edit = { id: 'a', patchType: 'Edit', path: 'a', name: 'a', className: 'Part', parentId: 'b' };
  const properties = {
    Attributes: { current: { Attributes: [] }, incoming: { Attributes: { level: { Float64: 3 } } } },
    MaterialColors: { current: { MaterialColors: [] } },
    Tags: { current: { Tags: ['x'] }, incoming: { Tags: [] } },
    Locked: { current: false, incoming: true },
  };
  const frame = {
    type: 'compared',
    requestId: '1',
    place: { name: 'Harbor', placeId: 1 },
    messageCursor: 1,
    changes: [
      { ...edit, properties },
      { ...edit, properties: [] },
    ],
    overrides: [],
  };
  assert.deepEqual(
    Compared.parse(frame).changes.map(change => change.properties),
    [
      {
        ...properties,
        Attributes: { ...properties.Attributes, current: { Attributes: {} } },
        MaterialColors: { current: { MaterialColors: {} } },
      },
      {},
    ],
  );
});
