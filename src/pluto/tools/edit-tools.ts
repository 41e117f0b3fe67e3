import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { moduleName } from '../language/modules/module-name.ts';
import { addDeclaration as add } from '../session/edits/add-declaration.ts';
import { addField as addFieldTo, addMethod as addMethodTo } from '../session/edits/add-member.ts';
import { createModule as create } from '../session/edits/create-module.ts';
import { deleteDeclaration as remove } from '../session/edits/delete-declaration.ts';
import { moveDeclaration as move } from '../session/edits/move-declaration.ts';
import { renameDeclaration as rename } from '../session/edits/rename-declaration.ts';
import { replaceDeclaration as replace } from '../session/edits/replace-declaration.ts';
import { defineEditTool } from './define-edit-tool.ts';
import { idArgument, moduleArgument, pathArgument, positionArgument, toUsage, UsageSite } from './shapes.ts';

const newId = (noun: string) => ({ id: z.string().describe(`The id of the new ${noun}.`) });

export const addDeclaration = defineEditTool({
  name: 'add_declaration',
  title: 'Add a declaration to a module',
  description:
    'Adds one declaration (function, class, enum, trait, error, app, stage, system, extern function, test) to a module, in memory.',
  details:
    'Include the comments above it. Imports above it are added if the module lacks them. A source that does not parse changes nothing; type errors are reported but do not prevent the edit. Call save when you are done.',
  effect: 'write',
  input: z.strictObject({
    path: moduleArgument,
    source: z.string().describe('Pluto source of exactly one declaration.'),
    position: positionArgument,
  }),
  output: newId('declaration'),
  edit: add,
  summarize: (_, { path }) => `Added to ${path}`,
  facts: ({ id }) => ({ id }),
});

export const replaceDeclaration = defineEditTool({
  name: 'replace_declaration',
  title: 'Replace a declaration',
  description: 'Replaces the source of a declaration or member by another one of the same kind, in memory.',
  details: `Its id does not change, nor do the ids of fields, methods and variants that keep their names.

Comments above it stay. To rename it, use rename_declaration, which also changes the references. undo reverts the edit.`,
  effect: 'destructive',
  input: z.strictObject({
    id: idArgument,
    source: z.string().describe('Pluto source of exactly one declaration or member of the same kind.'),
  }),
  output: { id: z.string() },
  edit: replace,
  summarize: ({ modules }) => (modules.length === 0 ? 'Nothing to change' : `Replaced in ${modules.join(', ')}`),
  facts: ({ id }) => ({ id }),
});

export const renameDeclaration = defineEditTool({
  name: 'rename_declaration',
  title: 'Rename a declaration everywhere',
  description:
    'Renames a declaration, method, field, variant or parameter, and changes every reference in all modules, in memory.',
  details: `Its id does not change.

A method is renamed together with the methods that it implements or that implement it. A name that is taken, or that would change the meaning of other code, is refused and nothing changes.`,
  effect: 'destructive',
  input: z.strictObject({ id: idArgument, new_name: z.string().describe('An identifier.') }),
  output: {
    id: z.string(),
    old_name: z.string(),
    new_name: z.string(),
    references_updated: z.number().describe('Changed references, not counting declarations.'),
  },
  edit: (session, { id, new_name: newName }, signal) => rename(session, { id, newName }, signal),
  summarize: ({ oldName, newName, references }) =>
    `Renamed ${oldName} to ${newName}, ${counted(references, 'reference')} updated`,
  facts: ({ id, oldName, newName, references }) => ({
    id,
    old_name: oldName,
    new_name: newName,
    references_updated: references,
  }),
});

export const deleteDeclaration = defineEditTool({
  name: 'delete_declaration',
  title: 'Delete a declaration',
  description:
    'Removes a declaration or member and the comments above it from its module, in memory, and lists every place that still refers to it.',
  details: 'Those places are not changed. undo restores the declaration.',
  effect: 'destructive',
  input: z.strictObject({ id: idArgument }),
  output: {
    deleted: z.string().describe('The name of the deleted declaration.'),
    source: z.string().describe('Its source.'),
    dangling_references: z.array(UsageSite),
  },
  edit: (session, { id }, signal) => remove(session, id, signal),
  summarize: ({ name, dangling }) => `Deleted ${name}, ${counted(dangling.length, 'reference')} dangling`,
  facts: ({ name, source, dangling }) => ({ deleted: name, source, dangling_references: dangling.map(toUsage) }),
});

export const addMethod = defineEditTool({
  name: 'add_method',
  title: 'Add a method',
  description: 'Adds one method to a class, trait, app or stage, in memory.',
  details: 'Call save when you are done.',
  effect: 'write',
  input: z.strictObject({
    class_id: idArgument.describe('The id of the class, trait, app or stage.'),
    source: z.string().describe('Source of one method: fn length(self) float { … }'),
    position: positionArgument,
  }),
  output: newId('method'),
  edit: (session, { class_id: ownerId, ...method }, signal) => addMethodTo(session, { ownerId, ...method }, signal),
  summarize: ({ modules }) => `Added to ${modules.join(', ')}`,
  facts: ({ id }) => ({ id }),
});

export const addField = defineEditTool({
  name: 'add_field',
  title: 'Add a field',
  description: 'Adds one field to a class, error or enum variant, in memory.',
  details: `With injected, it becomes a dependency in the brackets of a class, app or stage.

Object literals that lack the field become errors and are reported; constructors_of lists all literals.`,
  effect: 'write',
  input: z.strictObject({
    target_id: idArgument.describe('The id of the class, error or variant.'),
    name: z.string(),
    type: z.string().describe('int, [string], Map<string, int>, …'),
    injected: z.boolean().default(false),
  }),
  output: newId('field'),
  edit: (session, { target_id: ownerId, name, type, injected }, signal) =>
    addFieldTo(session, { ownerId, name, type, isInjected: injected }, signal),
  summarize: ({ modules }, { name }) => `Added ${name} to ${modules.join(', ')}`,
  facts: ({ id }) => ({ id }),
});

export const moveDeclaration = defineEditTool({
  name: 'move_declaration',
  title: 'Move a declaration to another module',
  description: 'Moves a top-level declaration with its comments to another module, in memory.',
  details: `Its id does not change.

References are updated, imports are added, and the declaration becomes pub where needed. Refused if a module that uses it could not import the new module.`,
  effect: 'destructive',
  input: z.strictObject({
    id: idArgument,
    path: moduleArgument.describe('Path of the target module.'),
    position: positionArgument,
  }),
  output: {
    id: z.string(),
    name: z.string(),
    from: z.string(),
    to: z.string(),
    references_updated: z.number(),
  },
  edit: move,
  summarize: ({ name, to, references }) => `Moved ${name} to ${to}, ${counted(references, 'reference')} updated`,
  facts: ({ id, name, from, to, references }) => ({ id, name, from, to, references_updated: references }),
});

export const createModule = defineEditTool({
  name: 'create_module',
  title: 'Create a module',
  description: 'Creates a module in memory.',
  details: `save creates its file and missing folders. A folder of modules is imported by the folder's name.

Other modules can import it at once.`,
  effect: 'write',
  input: z.strictObject({
    path: pathArgument.describe('Path relative to the project, ending in .pluto: math/matrices.pluto.'),
    source: z.string().default('').describe('Initial source.'),
  }),
  output: { path: z.string(), name: z.string() },
  async edit(session, args, signal) {
    const { path } = await create(session, args, signal);
    return { path, modules: [path] };
  },
  summarize: ({ path }) => `Created ${path}`,
  facts: ({ path }) => ({ path, name: moduleName(path) }),
});

export const undo = defineEditTool({
  name: 'undo',
  title: 'Undo the latest edit',
  description: 'Reverts the latest edit of this session, in memory, including ids.',
  details: `Call it again to revert the edit before that.

A saved edit is reverted in memory too, and save writes the result. A module that changed on disk since the edit is not touched.`,
  effect: 'destructive',
  input: z.strictObject({}),
  output: {
    undone: z.string().describe('The tool whose edit was reverted.'),
    left: z.number().describe('Edits that can still be undone.'),
  },
  edit: (session, _, signal) => session.undo(signal),
  summarize: ({ label }) => `Reverted ${label}`,
  facts: ({ label }, session) => ({ undone: label, left: session.undoDepth }),
});
