/** The kinds of tokens. Plain numbers, because the lexer writes them into byte arrays; keywords and punctuation are ranges. */
export const Tok = {
  End: 0,
  Ident: 1,
  Int: 2,
  Float: 3,
  String: 4,
  FString: 5,

  // Keywords
  Fn: 10,
  Let: 11,
  Mut: 12,
  Return: 13,
  If: 14,
  Else: 15,
  While: 16,
  True: 17,
  False: 18,
  Class: 19,
  Trait: 20,
  App: 21,
  Inject: 22,
  Error: 23,
  Raise: 24,
  Catch: 25,
  Spawn: 26,
  Serve: 27,
  Enum: 28,
  Impl: 29,
  Self: 30,
  Pub: 31,
  For: 32,
  In: 33,
  Break: 34,
  Continue: 35,
  Match: 36,
  Import: 37,
  As: 38,
  Extern: 39,
  Uses: 40,
  Ambient: 41,
  Tests: 42,
  Test: 43,
  Invariant: 44,
  Requires: 45,
  Assert: 46,
  Select: 47,
  Default: 48,
  Scope: 49,
  Scoped: 50,
  Transient: 51,
  None: 52,
  System: 53,
  Stage: 54,
  Override: 55,
  Yield: 56,
  Stream: 57,

  // Punctuation
  PlusPlus: 60,
  Plus: 61,
  MinusMinus: 62,
  Minus: 63,
  Star: 64,
  Slash: 65,
  Percent: 66,
  PlusAssign: 67,
  MinusAssign: 68,
  StarAssign: 69,
  SlashAssign: 70,
  PercentAssign: 71,
  Assign: 72,
  EqEq: 73,
  NotEq: 74,
  Bang: 75,
  Shl: 76,
  Lt: 77,
  LtEq: 78,
  Gt: 79,
  GtEq: 80,
  AndAnd: 81,
  And: 82,
  OrOr: 83,
  Or: 84,
  Caret: 85,
  Tilde: 86,
  LParen: 87,
  RParen: 88,
  LBrace: 89,
  RBrace: 90,
  LBracket: 91,
  RBracket: 92,
  Comma: 93,
  Colon: 94,
  ColonColon: 95,
  Arrow: 96,
  FatArrow: 97,
  Dot: 98,
  DotDot: 99,
  DotDotEq: 100,
  Question: 101,
} as const;

export const FIRST_KEYWORD = Tok.Fn;
export const LAST_KEYWORD = Tok.Stream;

const keywordNames =
  'fn let mut return if else while true false class trait app inject error raise catch spawn serve enum impl self pub ' +
  'for in break continue match import as extern uses ambient tests test invariant requires assert select default ' +
  'scope scoped transient none system stage override yield stream';

/** In the order of their numbers. */
export const keywords: readonly string[] = keywordNames.split(' ');
const reserved: ReadonlySet<string> = new Set(keywords);

/** Whether a text may be written where the grammar wants a name. */
export const isIdentifier = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !reserved.has(text);

const punctuation =
  '++ + -- - * / % += -= *= /= %= = == != ! << < <= > >= && & || | ^ ~ ( ) { } [ ] , : :: -> => . .. ..= ?';

const names = new Map<number, string>([
  [Tok.End, 'end of file'],
  [Tok.Ident, 'a name'],
  [Tok.Int, 'an integer'],
  [Tok.Float, 'a float'],
  [Tok.String, 'a string'],
  [Tok.FString, 'an f-string'],
  ...keywords.map((word, index) => [FIRST_KEYWORD + index, `'${word}'`] as const),
  ...punctuation.split(' ').map((sign, index) => [Tok.PlusPlus + index, `'${sign}'`] as const),
]);

/** For messages: `'('`, `a name`, `end of file`. */
export const nameOfToken = (kind: number): string => names.get(kind) ?? 'an unknown token';

/** Keywords by first letter and length. */
const buckets: (readonly (readonly [string, number])[] | undefined)[] = [];
for (const [index, word] of keywords.entries()) {
  const slot = (word.charCodeAt(0) - 97) * 16 + word.length;
  buckets[slot] = [...(buckets[slot] ?? []), [word, FIRST_KEYWORD + index]];
}
// Engines read arrays with holes more slowly.
for (let slot = 0; slot < 26 * 16; slot += 1) buckets[slot] ??= undefined;

/** `Tok.Ident`, or the keyword at `start`. */
export function keywordOrIdent(text: string, start: number, end: number): number {
  const length = end - start;
  const first = text.charCodeAt(start) - 97;
  if (length < 2 || length > 9 || first < 0 || first > 25) return Tok.Ident;
  const bucket = buckets[first * 16 + length];
  if (bucket === undefined) return Tok.Ident;
  for (const [word, kind] of bucket) if (text.startsWith(word, start)) return kind;
  return Tok.Ident;
}
