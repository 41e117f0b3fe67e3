import type {
  ClassDecl,
  Decl,
  EnumDecl,
  ErrorDecl,
  ExternDecl,
  FunctionDecl,
  StageDecl,
  TraitDecl,
} from '../syntax/ast/decl.ts';

export type TypeDecl = ClassDecl | EnumDecl | TraitDecl;

/** What the names of one module stand for. Of two items of one name the first counts; that there are two is the checker's to say. */
export interface ModuleNames {
  readonly functions: Named<FunctionDecl | ExternDecl>;
  readonly types: Named<TypeDecl>;
  readonly errors: Named<ErrorDecl>;
  readonly stages: Named<StageDecl>;
}

export type Named<T> = Pick<ReadonlyMap<string, T>, 'get'>;

/** What a file can name: its own module with all files of it, and the modules that it imports, by their binding. */
export interface FileScope {
  readonly own: ModuleNames;
  readonly imports: ReadonlyMap<string, ModuleNames>;
}

/** The names that the items of the files of one module declare together. */
export function namesOf(files: readonly (readonly Decl[])[]): ModuleNames {
  const functions = new Map<string, FunctionDecl | ExternDecl>();
  const types = new Map<string, TypeDecl>();
  const errors = new Map<string, ErrorDecl>();
  const stages = new Map<string, StageDecl>();
  const keep = <T>(names: Map<string, T>, name: string, item: T): void => {
    if (name !== '' && !names.has(name)) names.set(name, item);
  };
  for (const item of files.flat()) {
    switch (item.kind) {
      case 'FunctionDecl':
      case 'ExternDecl':
        keep(functions, item.name.text, item);
        break;
      case 'ClassDecl':
      case 'EnumDecl':
      case 'TraitDecl':
        keep(types, item.name.text, item);
        break;
      case 'ErrorDecl':
        keep(errors, item.name.text, item);
        break;
      case 'StageDecl':
        keep(stages, item.name.text, item);
        break;
      default:
    }
  }
  return { functions, types, errors, stages };
}
