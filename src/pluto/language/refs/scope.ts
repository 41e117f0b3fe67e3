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
