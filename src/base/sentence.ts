/** A sentence before it is said in a language: translations find it by its English template. */
export interface Sentence {
  /** `{0}`, `{1}` stand for the values. */
  readonly template: string;
  readonly values: readonly Value[];
}
/** Names, numbers and words of others stay as they are; sentences are translated too, several of them listed with commas. */
type Value = string | number | Sentence | readonly Sentence[];

/** A tag for template literals: `scripts/generate-l10n.ts` collects what it stands before. */
export const say = (parts: TemplateStringsArray, ...values: readonly Value[]): Sentence => ({
  template: parts.map((part, at) => (at === 0 ? part : `{${at - 1}}${part}`)).join(''),
  values,
});

/**
 * A tag like `say` for words that go on as text: reasons, problems of files. What reads them again (wires, records, other threads)
 * keeps no more than the text; an editor finds the template by it.
 */
export const phrase = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | bigint | undefined)[]
): string => parts.reduce((text, part, at) => `${text}${String(withOneStop(values[at - 1], part))}${part}`);

/** A text that came as a whole, such as a reason: said as it is unless a translation knows it. */
export const whole = (text: string): Sentence => ({ template: text, values: [] });

/** Several of them in one, with `; ` between. */
export function inRow([first = whole(''), ...others]: readonly Sentence[]): Sentence {
  return others.reduce((said, one) => say`${said}; ${one}`, first);
}

/** Finds the translation of `template` and fills it; `vscode.l10n.t` is one. */
export type Translate = (template: string, ...values: (string | number)[]) => string;

/** @param translate left out: English */
export function inWords({ template, values }: Sentence, translate: Translate = fill): string {
  const said = (value: Value): string | number => {
    if (typeof value !== 'object') return value;
    return 'template' in value ? inWords(value, translate) : value.map(one => inWords(one, translate)).join(', ');
  };
  const behind = (at: number): string => template.split(`{${at}}`)[1] ?? '';
  return translate(template, ...values.map((value, at) => withOneStop(said(value), behind(at))));
}

/** Somebody else's words may end in a full stop or not: the sentence that ends with them has one, its own. */
function withOneStop<T>(words: T, behind: string): T | string {
  return typeof words === 'string' && /^\.(?:\s|$)/.test(behind) ? words.replace(/(?<=[^\s.])\.$/, '') : words;
}

/** With a full stop, where the last words, which may be somebody else's, have none. */
export const ended = (sentence: Sentence): Sentence =>
  /[.!?…]['"”’)]*$/.test(inWords(sentence)) ? sentence : { template: '{0}.', values: [sentence] };

const fill: Translate = (template, ...values) =>
  template.replaceAll(/\{(\d+)\}/g, (hole, at: string) => String(values[Number(at)] ?? hole));
