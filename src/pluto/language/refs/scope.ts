import type {
  ClassDecl,
  EnumDecl,
  ErrorDecl,
  ExternDecl,
  FunctionDecl,
  StageDecl,
  TraitDecl,
} from '../syntax/ast/decl.ts';

export type TypeDecl = ClassDecl | EnumDecl | TraitDecl;

/** The meanings of the names of one module. The first of two items with one name is used; the checker reports duplicates. */
export interface ModuleNames {
  readonly functions: NameLookup<FunctionDecl | ExternDecl>;
  readonly types: NameLookup<TypeDecl>;
  readonly errors: NameLookup<ErrorDecl>;
  readonly stages: NameLookup<StageDecl>;
}

/** Finds a declaration by its name. */
export type NameLookup<T> = Pick<ReadonlyMap<string, T>, 'get'>;

/** The names that a file can use: the names of all files of its module, and the imported modules by their binding. */
export interface FileScope {
  readonly own: ModuleNames;
  readonly imports: ReadonlyMap<string, ModuleNames>;
}
