import type { ProjectPath } from '../../base/brand.ts';
import type { KindWord } from '../language/syntax/parts.ts';

// Requests and answers of an editor: plain data that is sent between threads. Lines and characters count from 0, characters in UTF-16 code
// units, as in editors. Files are identified by the path under which the editor shows them.

export interface Place {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Place;
  readonly end: Place;
}

/** A file as editors show it: a text on disk, the view of a container, or a module of the language. */
export interface ShownFile {
  readonly path: ProjectPath;
  readonly kind: 'text' | 'container' | 'std';
}

export interface FileRange {
  readonly file: ShownFile;
  readonly range: Range;
}

export interface EditorFinding {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly code: string;
  readonly message: string;
  readonly range: Range;
}

/** All findings of one file, which replace the earlier ones; an empty list clears them. */
export interface FileFindings {
  readonly file: ShownFile;
  readonly findings: readonly EditorFinding[];
}

export interface OutlineSymbol {
  readonly name: string;
  readonly kind: KindWord;
  /** The detail shown after the name: parameters and result, or a type. */
  readonly detail: string;
  readonly range: Range;
  /** The name alone. */
  readonly selection: Range;
  readonly children: readonly OutlineSymbol[];
}

export interface FoundSymbol extends FileRange {
  readonly name: string;
  readonly kind: KindWord;
  /** The enclosing declaration; the module for one at the top level. */
  readonly container: string;
}

export interface HoverAnswer {
  readonly range: Range;
  /** Pluto code, to be highlighted. */
  readonly code: string;
  /** Sentences below the code, without markup. */
  readonly lines: readonly string[];
}

export interface RenameTarget {
  readonly range: Range;
  readonly name: string;
}

export interface PlaceEdit {
  readonly range: Range;
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
  readonly kind: KindWord | 'keyword' | 'variable' | 'type';
  readonly detail: string;
}
