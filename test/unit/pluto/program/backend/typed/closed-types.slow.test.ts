import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showType } from '../../../../../../src/pluto/language/check/types/show.ts';
import { runPrograms } from '../run-programs.ts';
import { bodiesOf, builtFrom, valuesIn } from './build-source.ts';

test('gives every value of every program a type without type parameters', async () => {
  let values = 0;
  for (const { name, files, expected } of runPrograms()) {
    if (expected.refused !== '') continue;
    const program = await builtFrom(files, expected.tests === undefined ? 'run' : 'test');
    for (const [owner, body] of bodiesOf(program)) {
      for (const { type, name: param } of body.params) assert.ok(!type.isOpen, `${name}: ${owner}, ${param}`);
      for (const { kind, type } of valuesIn(body)) {
        assert.ok(!type.isOpen, `${name}: ${owner}, ${kind} ${showType(type)}`);
        values += 1;
      }
    }
  }
  assert.ok(values > 10_000, `${values} values`);
});
