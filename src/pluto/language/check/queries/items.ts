import { runToEnd, type PausableWork } from '../../../../base/time-slice.ts';
import type { DeclId, Name } from '../../syntax/ast/node.ts';
import { eachItem, type Item } from '../../syntax/parts.ts';
import { resolveType } from '../program/resolve-type.ts';
import type { ProgramFile } from '../program/program-file.ts';
import type { LoadedModule } from '../../modules/load-module.ts';
import type { State } from '../units/state.ts';
import { paramOf } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { Type as TypeNode } from '../../syntax/ast/type.ts';

/** An item with its context. */
export interface IndexedItem {
  readonly file: ProgramFile;
  readonly item: Item;
  /** The enclosing declarations, outermost first. */
  readonly owners: readonly Item[];
}

/** All items by id, updated for files that were parsed again. */
export class ItemIndex {
  readonly #state: State;
  readonly #items = new Map<DeclId, IndexedItem>();
  readonly #read = new Map<ProgramFile, { readonly module: LoadedModule; readonly ids: readonly DeclId[] }>();

  constructor(state: State) {
    this.#state = state;
  }

  get(id: DeclId): IndexedItem | undefined {
    runToEnd(this.steps());
    return this.#items.get(id);
  }

  /** The type of an item, or the result type of a function or method, as messages show it. */
  typeOf(id: DeclId): string | undefined {
    const found = this.get(id);
    if (found === undefined) return undefined;
    const { item } = found;
    switch (item.kind) {
      case 'Param':
      case 'Field':
      case 'Dep':
        return showType(this.#resolve(found, item.type));
      case 'FunctionDecl':
      case 'ExternDecl':
      case 'MethodDecl':
      case 'RequiredMethod':
        return item.result === undefined ? 'void' : showType(this.#resolve(found, item.result));
      default:
        return undefined;
    }
  }

  #resolve({ file, item, owners }: IndexedItem, node: TypeNode): Type {
    const typeParams = new Map<string, Type>();
    for (const owner of [...owners, item])
      if ('typeParams' in owner)
        for (const { name } of owner.typeParams) typeParams.set(name.text, paramOf(owner, name.text));
    return resolveType({ program: this.#state.program, file, typeParams }, node);
  }

  /** Indexes new and reparsed files, one file per step. */
  *steps(): PausableWork<void> {
    const { files } = this.#state.program;
    for (const [file, { ids }] of this.#read) {
      if (files.get(file.path) === file) continue;
      for (const id of ids) this.#items.delete(id);
      this.#read.delete(file);
    }
    for (const file of files.values()) {
      const known = this.#read.get(file);
      if (known?.module === file.module) continue;
      for (const id of known?.ids ?? []) this.#items.delete(id);
      const ids: DeclId[] = [];
      eachItem(file.items, (item, owners) => {
        if (item.id === undefined) return;
        ids.push(item.id);
        this.#items.set(item.id, { file, item, owners });
      });
      this.#read.set(file, { module: file.module, ids });
      yield;
    }
  }
}

/** The declared name of an item; undefined for items without a name. */
export function declaredName(item: Item): Name | undefined {
  switch (item.kind) {
    case 'ImportDecl':
    case 'TestDecl':
    case 'TestsDecl':
    case 'Receiver':
      return undefined;
    default:
      return item.name;
  }
}
