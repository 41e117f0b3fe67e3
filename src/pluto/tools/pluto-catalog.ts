import type { Tool } from '../../mcp/tool.ts';
import { addDeclaration } from './add-declaration.ts';
import { addField } from './add-field.ts';
import { addMethod } from './add-method.ts';
import { analyze } from './analyze.ts';
import { callGraph } from './call-graph.ts';
import { callersOf } from './callers-of.ts';
import { check } from './check.ts';
import { compile } from './compile.ts';
import { constructorsOf } from './constructors-of.ts';
import { createModule } from './create-module.ts';
import { deleteDeclaration } from './delete-declaration.ts';
import { errorSet } from './error-set.ts';
import { findDeclaration } from './find-declaration.ts';
import { generatePt } from './generate-pt.ts';
import { getDeclaration } from './get-declaration.ts';
import { getSource } from './get-source.ts';
import { listDeclarations } from './list-declarations.ts';
import { listModules } from './list-modules.ts';
import { moveDeclaration } from './move-declaration.ts';
import type { PlutoToolDeps, ViewToolDeps } from './pluto-tool-deps.ts';
import { prettyPrint } from './pretty-print.ts';
import { renameDeclaration } from './rename-declaration.ts';
import { replaceDeclaration } from './replace-declaration.ts';
import { run } from './run.ts';
import { save } from './save.ts';
import { syncPt } from './sync-pt.ts';
import { test } from './test.ts';
import { undo } from './undo.ts';
import { usagesOf } from './usages-of.ts';

const first: readonly Tool<PlutoToolDeps>[] = [
  listModules,
  listDeclarations,
  getSource,
  getDeclaration,
  findDeclaration,
  callersOf,
  constructorsOf,
  usagesOf,
  errorSet,
  callGraph,
  addDeclaration,
  replaceDeclaration,
  renameDeclaration,
  deleteDeclaration,
  addMethod,
  addField,
  moveDeclaration,
  createModule,
  undo,
  save,
  check,
  test,
  run,
  compile,
  analyze,
  generatePt,
];

/** Those that work on modules alone. */
export const moduleTools: readonly Tool<PlutoToolDeps>[] = [...first, prettyPrint];

/** The pluto toolset, in the order in which agents see it. */
export const plutoTools: readonly Tool<PlutoToolDeps & ViewToolDeps>[] = [...first, syncPt, prettyPrint];
