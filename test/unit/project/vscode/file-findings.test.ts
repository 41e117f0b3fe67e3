import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { ProjectFileFindings } from '../../../../src/project/vscode/file-findings.ts';

let shown: Map<string, readonly string[]>;
let findings: ProjectFileFindings<string>;
const setProject = (files: readonly (readonly [string, readonly string[]])[] = []): void =>
  runToEnd(findings.setProject(new Map(files)));
beforeEach(() => {
  shown = new Map();
  findings = new ProjectFileFindings((file, found) => shown.set(file, found));
});

test('shows the findings of the project and removes fixed ones', () => {
  setProject([['a', ['of a']]]);
  assert.deepEqual(shown.get('a'), ['of a']);
  setProject([['b', ['of b']]]);
  assert.deepEqual([shown.get('a'), shown.get('b')], [[], ['of b']]);
});

test('shows only the findings in the text while it has unsaved edits', () => {
  setProject([['a', ['of what is saved']]]);
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  assert.deepEqual(shown.get('a'), ['of the edit']);
  findings.setText('a', { isDirty: true, findings: [] });
  assert.deepEqual(shown.get('a'), []);
  setProject([['a', ['of what is saved, again']]]);
  assert.deepEqual(shown.get('a'), []);
});

test('shows the findings of the project once after saving', () => {
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  findings.setText('a', { isDirty: false, findings: ['of the text'] });
  setProject([['a', ['of what is saved']]]);
  assert.deepEqual(shown.get('a'), ['of what is saved']);
});

test('keeps the text findings of a file outside the project until it is closed', () => {
  findings.setText('a', { isDirty: false, findings: ['of the text'] });
  setProject();
  assert.deepEqual(shown.get('a'), ['of the text']);
  findings.setText('a', undefined);
  assert.deepEqual(shown.get('a'), []);
});

test('keeps the findings of the project when a document is closed with edits', () => {
  setProject([['a', ['of what is saved']]]);
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  findings.setText('a', undefined);
  assert.deepEqual(shown.get('a'), ['of what is saved']);
});

test('[P6] shows the problems of thousands of files with pauses, and then only those of changed files', () => {
  type Files = readonly (readonly [string, readonly string[]])[];
  const all: Files = Array.from({ length: 10_000 }, (_, index) => [`file${index}`, [`of ${index}`]]);
  const pauses = (files: Files): number => Array.from(findings.setProject(new Map(files))).length;
  assert.equal(pauses(all), all.length);
  shown.clear();
  assert.equal(pauses([...all.slice(2), ['file0', ['another']]]), 2);
  assert.deepEqual(Object.fromEntries(shown), { file0: ['another'], file1: [] });
});
