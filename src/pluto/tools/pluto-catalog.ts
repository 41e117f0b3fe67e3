import type { DefinedTool } from '../../mcp/tool.ts';
import { analyze, check } from './check-tools.ts';
import * as edits from './edit-tools.ts';
import { generatePt, save } from './file-tools.ts';
import * as lookup from './lookup-tools.ts';
import type { PlutoToolDeps, ViewToolDeps } from './pluto-tool-deps.ts';
import { compile, run, test } from './program-tools.ts';
import { syncPt } from './sync-pt.ts';
import { callersOf, callGraph, constructorsOf, errorSet, usagesOf } from './usage-tools.ts';

const first: readonly DefinedTool<PlutoToolDeps>[] = [
  lookup.listModules,
  lookup.listDeclarations,
  lookup.getSource,
  lookup.getDeclaration,
  lookup.findDeclaration,
  callersOf,
  constructorsOf,
  usagesOf,
  errorSet,
  callGraph,
  edits.addDeclaration,
  edits.replaceDeclaration,
  edits.renameDeclaration,
  edits.deleteDeclaration,
  edits.addMethod,
  edits.addField,
  edits.moveDeclaration,
  edits.createModule,
  edits.undo,
  save,
  check,
  test,
  run,
  compile,
  analyze,
  generatePt,
];

/** The tools that need only the modules. */
export const moduleTools: readonly DefinedTool<PlutoToolDeps>[] = [...first, lookup.prettyPrint];

/** The pluto toolset, in the order in which agents see it. */
export const plutoTools: readonly DefinedTool<PlutoToolDeps & ViewToolDeps>[] = [...first, syncPt, lookup.prettyPrint];
