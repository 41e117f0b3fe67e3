/** The element of a property with its descendants. `line` and `column` are the end of its tag and count from 1. */
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
  // Unescaped, a carriage return is read as a line feed, and in attributes, all three are read as blanks.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Whether XML can represent every character of the text. */
export const isXmlText = (text: string): boolean =>
  !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text);

/** Formats an element of an unknown type, whose content stays as in the file. */
export function formatElement(element: XmlElement): string {
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  const inside = escapeXml(element.children.length > 0 ? element.text.trim() : element.text);
  const children = element.children.map(formatElement).join('');
  return `<${element.name}${attributes.join('')}>${inside}${children}</${element.name}>`;
}
