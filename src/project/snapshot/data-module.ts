import type { Result } from '../../base/result.ts';
import type { JsonProblem } from '../../roblox/formats/json5-document.ts';
import { luauExpression } from './luau-expression.ts';
import { fileSnapshot, type Middleware, type SourceFile } from './middleware.ts';
import { readText, reportProblem, type SnapshotPass } from './pass.ts';
import type { SnapshotOutcome } from './source-snapshot.ts';

/** A file of data: a ModuleScript that returns its value. `reference/project-format.md`, section 2.8. */
export const dataModule = (pass: SnapshotPass, file: SourceFile, value: unknown): Promise<SnapshotOutcome> =>
  fileSnapshot(pass, file, {
    className: 'ModuleScript',
    properties: new Map([['Source', { type: 'String', value: `return ${luauExpression(value)}` }]]),
  });

/** The kind of file whose text `read` turns into a value. */
export const dataFile =
  (read: (text: string) => Result<unknown, JsonProblem>): Middleware =>
  async (pass, file) => {
    const found = await readText(pass, file.path);
    if (found === undefined || found === 'broken') return found;
    const value = read(found.text);
    if (value.ok) return dataModule(pass, file, value.value);
    reportProblem(pass, file.path, value.error);
    return 'broken';
  };
