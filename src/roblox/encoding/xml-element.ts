/** An element of a property, with everything below it. `line` and `column` count from 1, where its tag ends. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text and CDATA directly inside, joined. */
  readonly text: string;
  readonly children: readonly XmlElement[];
  readonly line: number;
  readonly column: number;
}

export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find(child => child.name === name);

/** For text and for attributes. */
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"\r]/g, match => escapes[match] ?? match);
export const escapeAttribute = (text: string): string =>
  escapeXml(text).replaceAll(/[\t\n]/g, match => escapes[match] ?? match);

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Bare, a carriage return is read back as a line feed, and in attributes all three as blanks.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Whether XML has a character for everything in the text. */
export const isXmlText = (text: string): boolean =>
  !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text);

/** Formats an element of an unknown type, which is kept unread, as a file has it. */
export function formatElement(element: XmlElement): string {
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  const inside = escapeXml(element.children.length > 0 ? element.text.trim() : element.text);
  const children = element.children.map(formatElement).join('');
  return `<${element.name}${attributes.join('')}>${inside}${children}</${element.name}>`;
}
