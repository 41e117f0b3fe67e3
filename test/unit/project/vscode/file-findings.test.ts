import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ProjectFileFindings } from '../../../../src/project/vscode/file-findings.ts';

let shown: Map<string, readonly string[]>;
let findings: ProjectFileFindings<string>;
beforeEach(() => {
  shown = new Map();
  findings = new ProjectFileFindings((file, found) => shown.set(file, found));
});

test('shows the findings of the project and removes fixed ones', () => {
  findings.setProject(new Map([['a', ['of a']]]));
  assert.deepEqual(shown.get('a'), ['of a']);
  findings.setProject(new Map([['b', ['of b']]]));
  assert.deepEqual([shown.get('a'), shown.get('b')], [[], ['of b']]);
});

test('shows only the findings in the text while it has unsaved edits', () => {
  findings.setProject(new Map([['a', ['of what is saved']]]));
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  assert.deepEqual(shown.get('a'), ['of the edit']);
  findings.setText('a', { isDirty: true, findings: [] });
  assert.deepEqual(shown.get('a'), []);
  findings.setProject(new Map([['a', ['of what is saved, again']]]));
  assert.deepEqual(shown.get('a'), []);
});

test('shows the findings of the project once after saving', () => {
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  findings.setText('a', { isDirty: false, findings: ['of the text'] });
  findings.setProject(new Map([['a', ['of what is saved']]]));
  assert.deepEqual(shown.get('a'), ['of what is saved']);
});

test('keeps the text findings of a file outside the project until it is closed', () => {
  findings.setText('a', { isDirty: false, findings: ['of the text'] });
  findings.setProject(new Map());
  assert.deepEqual(shown.get('a'), ['of the text']);
  findings.setText('a', undefined);
  assert.deepEqual(shown.get('a'), []);
});

test('keeps the findings of the project when a document is closed with edits', () => {
  findings.setProject(new Map([['a', ['of what is saved']]]));
  findings.setText('a', { isDirty: true, findings: ['of the edit'] });
  findings.setText('a', undefined);
  assert.deepEqual(shown.get('a'), ['of what is saved']);
});
