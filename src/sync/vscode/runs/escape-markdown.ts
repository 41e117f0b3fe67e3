/** Escapes a text for a Markdown document, also inside a table cell: on one line, without markup. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\|*_`<>[\]]/g, String.raw`\$&`).replaceAll(/[\r\n]+/g, ' ');
