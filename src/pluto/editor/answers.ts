import type { ProjectPath } from '../../base/brand.ts';
import type { KindName } from '../language/syntax/parts.ts';

// Requests and answers of an editor: plain data that is sent between threads. Lines and characters count from 0, characters in UTF-16 code
// units, as in editors. Files are identified by the path under which the editor shows them.

export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** A file as editors show it: a text on disk, the view of a container, or a module of the language. */
export interface ShownFile {
  readonly path: ProjectPath;
  readonly kind: 'text' | 'container' | 'std';
}

export interface FileRange {
  readonly file: ShownFile;
  readonly range: TextRange;
}

export interface EditorFinding {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly code: string;
  readonly message: string;
  readonly range: TextRange;
}

/** All findings of one file, which replace the earlier ones; an empty list clears them. */
export interface FileFindings {
  readonly file: ShownFile;
  readonly findings: readonly EditorFinding[];
}

export interface OutlineSymbol {
  readonly name: string;
  readonly kind: KindName;
  /** The detail shown after the name: parameters and result, or a type. */
  readonly detail: string;
  readonly range: TextRange;
  /** The name alone. */
  readonly selection: TextRange;
  readonly children: readonly OutlineSymbol[];
}

export interface FoundSymbol extends FileRange {
  readonly name: string;
  readonly kind: KindName;
  /** The enclosing declaration; the module for one at the top level. */
  readonly container: string;
}

export interface HoverAnswer {
  readonly range: TextRange;
  /** Pluto code, to be highlighted. */
  readonly code: string;
  /** Sentences below the code, without markup. */
  readonly lines: readonly string[];
}

export interface RenameTarget {
  readonly range: TextRange;
  readonly name: string;
}

export interface PlaceEdit {
  readonly range: TextRange;
  readonly text: string;
}

/** All edits, or the reason why there are none. */
export type RenameAnswer =
  | {
      readonly ok: true;
      readonly edits: readonly { readonly file: ShownFile; readonly edits: readonly PlaceEdit[] }[];
    }
  | { readonly ok: false; readonly reason: string };

export interface CompletionAnswer {
  readonly label: string;
  readonly kind: KindName | 'keyword' | 'variable' | 'type';
  readonly detail: string;
}
