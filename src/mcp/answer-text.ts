const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** A name with line breaks or markup could forge lines of a list, so it is quoted as a JSON string. */
export const quoteName = (name: string): string =>
  /[\p{Cc}\p{Zl}\p{Zp}<>"\\]/u.test(name) ? JSON.stringify(name).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}<>]/gu, escaped) : name;

/** A sentence that may contain names, without line breaks. */
export const onOneLine = (sentence: string): string => sentence.replaceAll(LINE_BREAKS, escaped);

/** One line for each text. */
export const asLines = (...texts: readonly string[]): string => texts.map(onOneLine).join('\n');

/** The text beside the block `<json>` of an answer: neither begins nor ends a block. */
export const escapeJsonTags = (words: string): string => words.replaceAll(/<(?=\/?json>)/gi, escaped);

/** A character as in a JSON string. */
export const escaped = (character: string): string =>
  character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
