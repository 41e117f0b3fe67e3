/** The kind of match of a hit; decides its rank. */
export type MatchKind = 'name' | 'heading' | 'phrase' | 'symbol' | 'text';

export interface Ranking {
  readonly score: number;
  readonly why: MatchKind;
}

/** The words of a query, lower case, each once. */
export const wordsOf = (query: string): readonly string[] => [
  ...new Set(
    query
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== ''),
  ),
];

const weights: Readonly<Record<MatchKind, number>> = { name: 60, heading: 50, phrase: 30, symbol: 40, text: 10 };
/** Score for the share of query words that occur. */
const COVERAGE = 100;
/** Score for each query word in the path. */
const IN_PATH = 8;

const headingFile = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;
const heading = /^\s{0,3}(?:#{1,6}|={1,6})\s+\S/;
const declaration =
  /^\s*(?:(?:export|default|declare|local|public|private|protected|static|abstract|async|pub|final|override)\s+)*(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|const|let|var|val|module|namespace|record|macro)\s+([\w.:$]+)/;
const assignedFunction = /^\s*([\w.:$]+)\s*=\s*(?:async\s+)?function\b/;

/**
 * Ranks a line against the query. Scores are whole numbers, so that equal lines tie on every platform.
 *
 * @param text the line; `undefined` if it is too long to inspect
 */
export function rankLine(words: readonly string[], path: string, text: string | undefined): Ranking {
  const line = text?.toLowerCase() ?? '';
  const covered = text === undefined ? 1 : Math.max(1, words.filter(word => line.includes(word)).length);
  const inPath = words.filter(word => path.toLowerCase().includes(word)).length;
  const why = text === undefined ? 'text' : matchKind(words, path, text, line);
  return { why, score: weights[why] + Math.round((COVERAGE * covered) / words.length) + IN_PATH * inPath };
}

function matchKind(words: readonly string[], path: string, text: string, line: string): MatchKind {
  if (headingFile.test(path) && heading.test(text)) return 'heading';
  const name = (declaration.exec(text) ?? assignedFunction.exec(text))?.[1]?.toLowerCase();
  if (name !== undefined && words.some(word => name.includes(word))) return 'symbol';
  return words.length > 1 && line.includes(words.join(' ')) ? 'phrase' : 'text';
}

/** Ranks a file name against the query; `undefined` if no word matches. */
export function rankName(words: readonly string[], path: string): Ranking | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const covered = words.filter(word => name.includes(word)).length;
  if (covered === 0) return undefined;
  const inPath = words.filter(word => path.toLowerCase().includes(word)).length;
  const stem = name.replace(/\.[^.]*$/, '');
  const isWhole = stem === words.join('-') || stem === words.join('_') || stem === words.join('');
  return {
    why: 'name',
    score: weights.name + Math.round((COVERAGE * covered) / words.length) + IN_PATH * inPath + (isWhole ? 40 : 0),
  };
}
