// Text from outside (names of instances, projects and places, reasons of a plugin, paths, errors) must have no effect where it is shown.
// Each kind of output has one function here, and one module calls it: `vscode/safe-window.ts` for VS Code, the loggers, the command line.
// An output accepts only the type that its function returns, so unchecked text does not compile.

declare const inert: unique symbol;
/** A text without effects. `Inert`: the syntaxes that it cannot contain. Only this module creates it. */
type Safe<Inert extends string> = string & { readonly [inert]: { readonly [Syntax in Inert]: true } };
/** Several lines without control characters and without characters that reorder text. */
export type SafeLines = Safe<'controls'>;
export type SafeLine = Safe<'controls' | 'newlines'>;
export type SafeDetail = Safe<'controls' | 'links'>;
export type SafeMessage = Safe<'controls' | 'newlines' | 'links'>;
/** May contain icons of Atlas Bridge, but no others. */
export type SafeLabel = Safe<'controls' | 'newlines' | 'links' | 'icons'>;
/** Several lines for a terminal. */
export type SafeTerminal = Safe<'escapes'>;
export type SafeTerminalLine = Safe<'escapes' | 'newlines'>;
export type SafeMarkdown = Safe<'controls' | 'markdown'>;

/** Control characters and line separators; not tab and line feed. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Characters that reorder the text around them. */
const REORDERING = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** Controls, line separators, and every character that is invisible, unassigned or reorders text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;
/** Maximum number of characters of a name in a question about access. */
const MAX_NAME_LENGTH = 80;
/** An invisible character (WORD JOINER) that separates the two characters of a syntax and allows no line break. */
const JOINER = '\u2060';

/** For a row, a title or a notification: VS Code shows no more of a notification, and would lay out every character of the others. */
export const MAX_LABEL_LENGTH = 1000;
/** For a tooltip, a problem or the details of a dialog. */
export const MAX_DETAIL_LENGTH = 4000;

/**
 * For several lines: keeps line feeds and tabs, and replaces other control characters and characters that reorder text by U+FFFD. At most
 * `length` characters, and `…` if something is missing.
 */
export const safeLines = (text: string, length = Infinity): SafeLines =>
  shortened(text, length)
    .replaceAll(CONTROLS, control => (control === '\n' || control === '\t' ? control : '\uFFFD'))
    .replaceAll(REORDERING, '\uFFFD') as SafeLines;

/** For one line: like `safeLines`, with a space for each line feed and tab. */
export const safeLine = (text: string, length = Infinity): SafeLine =>
  safeLines(text, length).replaceAll(/[\n\t]/g, ' ') as SafeLine;

/**
 * For a place that renders Markdown links, which may run commands (notifications and progress of VS Code). One line of at most 1,000
 * characters.
 */
export const safeMessage = (text: string): SafeMessage => withoutLinks(safeLine(text, MAX_LABEL_LENGTH)) as SafeMessage;

/**
 * For a name in a question about access, which the name must not change: one line without links, formatting or invisible characters, at
 * most 80 characters and `…`.
 */
export function safeName(text: string): string {
  const plain = text
    .replaceAll(INVISIBLE, ' ')
    .replaceAll(/[[\]()<>`*_\\$]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(plain);
  return characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH).join('')}…` : plain;
}

/** Like `safeMessage`, for several lines (details of a dialog) of at most 4,000 characters. */
export const safeDetail = (text: string): SafeDetail => withoutLinks(safeLines(text, MAX_DETAIL_LENGTH)) as SafeDetail;

/** For a place that renders icons as `$(name)` (status bar, lists to choose from, CodeLens). One line. */
export const safeLabel = (text: string): SafeLabel => safeMessage(text).replaceAll('$(', `$${JOINER}(`) as SafeLabel;

/** A label between icons of VS Code, for example `before: 'sync~spin'`; `after` is followed by a number. */
export function safeIconLabel(
  text: string,
  { before, after }: { readonly before: string; readonly after?: { readonly icon: string; readonly count: number } },
): SafeLabel {
  const end = after === undefined ? '' : ` $(${after.icon}) ${after.count}`;
  return `$(${before}) ${safeLabel(text)}${end}` as SafeLabel;
}

/**
 * For a terminal, whose escape sequences start with a control character: replaces control characters and characters that reorder text by
 * `\uXXXX`. Lines of JSON keep their meaning, because JSON has these characters in strings only.
 */
export const safeTerminal = (text: string): SafeTerminal =>
  text
    .replaceAll(CONTROLS, control => (control === '\n' || control === '\t' ? control : escaped(control)))
    .replaceAll(REORDERING, escaped) as SafeTerminal;

/**
 * For one line of a terminal: like `safeTerminal`, with `\u000a` for a line feed and four spaces for a tab. At most 4,096 characters, the
 * length of the longest path, and `…` if something is missing.
 */
export const safeTerminalLine = (text: string): SafeTerminalLine =>
  shortened(safeTerminal(text.replaceAll('\t', '    ')).replaceAll('\n', escaped), 4096) as SafeTerminalLine;

/** A line of a terminal with its line end. */
export const withLineEnd = (line: SafeTerminalLine): SafeTerminal => `${line}\n` as SafeTerminal;

/** Colors of the words that start a message, by escape sequence. */
const LABEL_COLORS: Readonly<Record<string, string>> = { error: '1;31', warning: '1;33', hint: '1;36', note: '1;36' };

/** Colors `error:`, `warning:`, `hint:` and `note:` where they start a line. */
export const withColors = (text: SafeTerminal): SafeTerminal =>
  text.replaceAll(
    /^(error|warning|hint|note):/gm,
    (label, word: string) => `\u001B[${LABEL_COLORS[word] ?? '0'}m${label}\u001B[0m`,
  ) as SafeTerminal;

/** The output of a program that the person runs: unchanged, including escape sequences. */
export const exactProgramOutput = (text: string): SafeTerminal => text as SafeTerminal;

/** At most `length` UTF-16 units, and `…` if something is missing. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** For Markdown: the literal text, with its line breaks. */
export const safeMarkdown = (text: string): SafeMarkdown =>
  safeLines(text)
    .replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&$]/g, '\\$&')
    .replaceAll('\n', '  \n') as SafeMarkdown;

const withoutLinks = (text: string): string => text.replaceAll('](', `]${JOINER}(`);
