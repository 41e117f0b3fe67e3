import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { FileFindings } from '../../../../src/project/vscode/file-findings.ts';

let shown: Map<string, readonly string[]>;
let findings: FileFindings<string>;
beforeEach(() => {
  shown = new Map();
  findings = new FileFindings((file, found) => shown.set(file, found));
});

test('what the project finds is shown, and goes when it finds it no more', () => {
  findings.setProject(new Map([['a', ['of a']]]));
  assert.deepEqual(shown.get('a'), ['of a']);
  findings.setProject(new Map([['b', ['of b']]]));
  assert.deepEqual([shown.get('a'), shown.get('b')], [[], ['of b']]);
});

test('while edits are not saved, only what is found in them counts', () => {
  findings.setProject(new Map([['a', ['of what is saved']]]));
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  assert.deepEqual(shown.get('a'), ['of the edit']);
  findings.setText('a', { isDirty: true, findings: [] });
  assert.deepEqual(shown.get('a'), []);
  findings.setProject(new Map([['a', ['of what is saved, again']]]));
  assert.deepEqual(shown.get('a'), []);
});

test('once it is saved, the project says what it finds, and nothing is said twice', () => {
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  findings.setText('a', { isDirty: false, findings: ['of the text'] });
  findings.setProject(new Map([['a', ['of what is saved']]]));
  assert.deepEqual(shown.get('a'), ['of what is saved']);
});

test('a file that the project says nothing of keeps what is found in its text until it is closed', () => {
  findings.setText('a', { isDirty: false, findings: ['of the text'] });
  findings.setProject(new Map());
  assert.deepEqual(shown.get('a'), ['of the text']);
  findings.setText('a', undefined);
  assert.deepEqual(shown.get('a'), []);
});

test('a document that is closed with its edits leaves what the project finds', () => {
  findings.setProject(new Map([['a', ['of what is saved']]]));
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  findings.setText('a', undefined);
  assert.deepEqual(shown.get('a'), ['of what is saved']);
});
