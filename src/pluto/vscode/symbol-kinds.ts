import * as vscode from 'vscode';
import type { CompletionAnswer } from '../editor/answers.ts';
import type { KindName } from '../language/syntax/parts.ts';

const { SymbolKind, CompletionItemKind } = vscode;

export const symbolKinds: Readonly<Record<KindName, vscode.SymbolKind>> = {
  import: SymbolKind.Module,
  function: SymbolKind.Function,
  class: SymbolKind.Class,
  trait: SymbolKind.Interface,
  enum: SymbolKind.Enum,
  error: SymbolKind.Event,
  extern: SymbolKind.Function,
  app: SymbolKind.Class,
  stage: SymbolKind.Class,
  system: SymbolKind.Package,
  test: SymbolKind.Method,
  tests: SymbolKind.Namespace,
  param: SymbolKind.Variable,
  receiver: SymbolKind.Variable,
  field: SymbolKind.Field,
  dependency: SymbolKind.Property,
  method: SymbolKind.Method,
  required_method: SymbolKind.Method,
  variant: SymbolKind.EnumMember,
  member: SymbolKind.Property,
};

export const completionKinds: Readonly<Record<CompletionAnswer['kind'], vscode.CompletionItemKind>> = {
  import: CompletionItemKind.Module,
  function: CompletionItemKind.Function,
  class: CompletionItemKind.Class,
  trait: CompletionItemKind.Interface,
  enum: CompletionItemKind.Enum,
  error: CompletionItemKind.Event,
  extern: CompletionItemKind.Function,
  app: CompletionItemKind.Class,
  stage: CompletionItemKind.Class,
  system: CompletionItemKind.Module,
  test: CompletionItemKind.Method,
  tests: CompletionItemKind.Module,
  param: CompletionItemKind.Variable,
  receiver: CompletionItemKind.Variable,
  field: CompletionItemKind.Field,
  dependency: CompletionItemKind.Property,
  method: CompletionItemKind.Method,
  required_method: CompletionItemKind.Method,
  variant: CompletionItemKind.EnumMember,
  member: CompletionItemKind.Property,
  keyword: CompletionItemKind.Keyword,
  variable: CompletionItemKind.Variable,
  type: CompletionItemKind.TypeParameter,
};
